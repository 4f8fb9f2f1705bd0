/* lessons-audit - stage an audit and print its export. */
#include "lessons/lessons_audit.h"

#define AT(member) offsetof(struct lessons_audit_args, member)
#define OUT(member) offsetof(struct lessons_audit_result, member)

static const struct param params[] = {
	{ PARAMETER_STAGE_ACTION(struct lessons_audit_args) },
	{ MEMBER(AT, all_projects, PARAM_BOOLEAN), .has_fallback = true,
	  .help = "The lessons of every scope, not only of this project and "
		  "global." },
	{ MEMBER(AT, file, PARAM_STRING), .min = 1, .metavar = "FILE",
	  .help = "Write a report to this new file, and start nothing." },
	{ PARAMETER_MAX_BYTES(struct lessons_audit_args) },
	PARAM_END
};

static const struct field started[] = { { .name = "audit_id",
					  .type = FIELD_STRING,
					  .offset = OUT(id),
					  .nullable = true },
					{ MEMBER(OUT, lessons, FIELD_INTEGER) },
					{ MEMBER(OUT, scopes, FIELD_INTEGER) },
					{ MEMBER(OUT, bytes, FIELD_INTEGER) },
					{ MEMBER(OUT, file, FIELD_STRING),
					  .nullable = true },
					FIELD_END };

static const struct field cancelled[] = {
	MEMBERS(OUT, cancelled, stage_cancelled_fields), FIELD_END
};

static const struct field *const shapes[] = { started, cancelled, NULL };

static const struct tool tool = {
	.name = "lessons_audit",
	.title = "Start an audit",
	.family = "lessons",
	.description =
		"Start an audit of active lessons: print them for an agent, "
		"which proposes changes with memory_audit.",
	.sequential = true,
	.writes = true,
	.params = params,
	.operand = "action",
	.facts = LESSONS_FACTS,
	.args_size = sizeof(struct lessons_audit_args),
	.shapes = shapes,
	.shape_offset = offsetof(struct lessons_audit_result, shape),
	.result_size = sizeof(struct lessons_audit_result),
	.run = lessons_audit_run,
	.text = lessons_audit_text,
	.release = lessons_audit_release,
};

TOOL_MAIN(tool)

/* lessons-evaluate - stage an evaluation and print its export. */
#include "lessons/lessons_evaluate.h"

#define OUT(member) offsetof(struct lessons_evaluate_result, member)

static const struct param params[] = {
	{ PARAMETER_STAGE_ACTION(struct lessons_evaluate_args) },
	{ PARAMETER_MAX_BYTES(struct lessons_evaluate_args) },
	PARAM_END
};

static const struct field started[] = { { .name = "evaluation_id",
					  .type = FIELD_STRING,
					  .offset = OUT(id),
					  .nullable = true },
					{ MEMBER(OUT, candidates,
						 FIELD_INTEGER) },
					{ MEMBER(OUT, exposed, FIELD_INTEGER) },
					{ MEMBER(OUT, bytes, FIELD_INTEGER) },
					FIELD_END };

static const struct field cancelled[] = {
	MEMBERS(OUT, cancelled, stage_cancelled_fields), FIELD_END
};

static const struct field *const shapes[] = { started, cancelled, NULL };

static const struct tool tool = {
	.name = "lessons_evaluate",
	.title = "Start an evaluation",
	.family = "lessons",
	.description =
		"Start an evaluation: print all pending candidates for an "
		"agent, which groups them with memory_evaluate.",
	.sequential = true,
	.writes = true,
	.params = params,
	.operand = "action",
	.facts = LESSONS_FACTS,
	.args_size = sizeof(struct lessons_evaluate_args),
	.shapes = shapes,
	.shape_offset = offsetof(struct lessons_evaluate_result, shape),
	.result_size = sizeof(struct lessons_evaluate_result),
	.run = lessons_evaluate_run,
	.text = lessons_evaluate_text,
	.release = lessons_evaluate_release,
};

TOOL_MAIN(tool)

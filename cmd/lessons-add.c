/* lessons-add - a person adds or replaces a lesson, at once. */
#include "lessons/lessons_add.h"

#define AT(member) offsetof(struct lessons_add_args, member)

static const struct param params[] = {
	{ .name = "text",
	  .type = PARAM_KIND,
	  .kind = &kind_text,
	  .offset = AT(text),
	  .required = true,
	  .help = "The advice, one actionable sentence." },
	{ .name = "evidence",
	  .type = PARAM_KIND,
	  .kind = &kind_evidence,
	  .offset = AT(evidence),
	  .fallback_help = "user-supplied",
	  .help = "What showed that it is true." },
	{ MEMBER(AT, global, PARAM_BOOLEAN), .has_fallback = true,
	  .help = "For every project, not only this one." },
	{ .name = "supersedes",
	  .type = PARAM_KIND,
	  .kind = &kind_id,
	  .offset = AT(supersedes),
	  .help = "The active lesson that it replaces, in whose scope it "
		  "stays." },
	PARAM_END
};

static const struct tool tool = {
	.name = "lessons_add",
	.title = "Add a lesson",
	.family = "lessons",
	.description = "Add a lesson, or replace one. It is active at once.",
	.sequential = true,
	.writes = true,
	.params = params,
	.operand = "text",
	.facts = LESSONS_FACTS,
	.args_size = sizeof(struct lessons_add_args),
	.shapes = memory_shapes,
	.shape_offset = offsetof(struct memory_result, shape),
	.result_size = sizeof(struct memory_result),
	.run = lessons_add_run,
	.text = memory_text,
	.release = memory_release,
};

TOOL_MAIN(tool)

/* lessons-archive - retire one lesson. */
#include "lessons/lessons_add.h"

#define AT(member) offsetof(struct lessons_archive_args, member)

static const struct param params[] = {
	{ PARAMETER_ID(struct lessons_archive_args), .required = true,
	  .help = "The lesson: 42 or \"#42\"." },
	{ .name = "reason",
	  .type = PARAM_KIND,
	  .kind = &kind_reason,
	  .offset = AT(reason),
	  .help = "Why." },
	{ PARAMETER_ANYWHERE(struct lessons_archive_args) },
	PARAM_END
};

static const struct tool tool = {
	.name = "lessons_archive",
	.title = "Archive a lesson",
	.family = "lessons",
	.description =
		"Retire a lesson: it is no longer recalled. That cannot be "
		"undone.",
	.sequential = true,
	.writes = true,
	.destructive = true,
	.idempotent = true,
	.params = params,
	.operand = "id",
	.facts = LESSONS_FACTS,
	.args_size = sizeof(struct lessons_archive_args),
	.shapes = memory_shapes,
	.shape_offset = offsetof(struct memory_result, shape),
	.result_size = sizeof(struct memory_result),
	.run = lessons_archive_run,
	.text = memory_text,
	.release = memory_release,
};

TOOL_MAIN(tool)

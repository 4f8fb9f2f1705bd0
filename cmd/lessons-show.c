/* lessons-show - one lesson in full. */
#include "lessons/lesson_fields.h"
#include "lessons/lessons_show.h"

#define AT(member) offsetof(struct lessons_show_args, member)
#define OUT(member) offsetof(struct lessons_show_result, member)

static const struct param params[] = {
	{ PARAMETER_ID(struct lessons_show_args), .required = true,
	  .help = "The lesson: 42 or \"#42\"." },
	{ PARAMETER_ANYWHERE(struct lessons_show_args) },
	PARAM_END
};

static const struct field fields[] = { { MEMBER(OUT, lesson, FIELD_OBJECT),
					 .fields = lesson_fields },
				       { .name = "successor_id",
					 .type = FIELD_INTEGER,
					 .offset = OUT(successor),
					 .nullable = true },
				       FIELD_END };

static const struct tool tool = {
	.name = "lessons_show",
	.title = "Show a lesson",
	.family = "lessons",
	.description = "Show one lesson in full.",
	.params = params,
	.operand = "id",
	.facts = LESSONS_FACTS,
	.args_size = sizeof(struct lessons_show_args),
	.result = fields,
	.result_size = sizeof(struct lessons_show_result),
	.run = lessons_show_run,
	.text = lessons_show_text,
	.release = lessons_show_release,
};

TOOL_MAIN(tool)

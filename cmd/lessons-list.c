/* lessons-list - list or search lessons. */
#include "lessons/lesson_fields.h"
#include "lessons/lessons_list.h"
#include "lessons/parameters.h"

#define AT(member) offsetof(struct lessons_list_args, member)
#define OUT(member) offsetof(struct lessons_list_result, member)

static const struct param params[] = {
	{ .name = "query",
	  .type = PARAM_KIND,
	  .kind = &kind_query,
	  .offset = AT(query),
	  .help = "Only lessons whose text or evidence holds this, in capital "
		  "or small ASCII letters." },
	{ MEMBER(AT, state, PARAM_ENUM), .has_fallback = true,
	  .values = list_states, .help = "Which." },
	{ MEMBER(AT, scope, PARAM_ENUM), .has_fallback = true,
	  .values = list_scopes,
	  .help = "Where: here is this project and global." },
	{ PARAMETER_OFFSET(struct lessons_list_args) },
	{ PARAMETER_LIMIT(struct lessons_list_args, 30) },
	PARAM_END
};

static const struct field fields[] = { { MEMBER(OUT, lessons, FIELD_OBJECTS),
					 .fields = lesson_fields,
					 .size = sizeof(struct lesson) },
				       { MEMBER(OUT, total, FIELD_INTEGER) },
				       { .name = "next_offset",
					 .type = FIELD_INTEGER,
					 .offset = OUT(next),
					 .nullable = true },
				       FIELD_END };

static const struct tool tool = {
	.name = "lessons_list",
	.title = "List lessons",
	.family = "lessons",
	.description =
		"List lessons, or those that hold a text; the newest first.",
	.params = params,
	.operand = "query",
	.facts = LESSONS_FACTS,
	.args_size = sizeof(struct lessons_list_args),
	.result = fields,
	.result_size = sizeof(struct lessons_list_result),
	.run = lessons_list_run,
	.text = lessons_list_text,
	.release = lessons_list_release,
};

TOOL_MAIN(tool)

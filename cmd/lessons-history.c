/* lessons-history - activity of one lesson. */
#include "lessons/lessons_show.h"

#define AT(member) offsetof(struct lessons_history_args, member)
#define OUT(member) offsetof(struct lessons_history_result, member)
#define EVENT(member) offsetof(struct lessons_event, member)

static const struct param params[] = {
	{ PARAMETER_ID(struct lessons_history_args), .required = true,
	  .help = "The lesson: 42 or \"#42\"." },
	{ PARAMETER_ANYWHERE(struct lessons_history_args) },
	{ PARAMETER_OFFSET(struct lessons_history_args) },
	{ PARAMETER_LIMIT(struct lessons_history_args, 20) },
	PARAM_END
};

static const struct field event[] = {
	{ MEMBER(EVENT, id, FIELD_INTEGER) },
	{ .name = "lesson_id", .type = FIELD_INTEGER, .offset = EVENT(lesson) },
	{ MEMBER(EVENT, action, FIELD_STRING) },
	{ MEMBER(EVENT, at, FIELD_INTEGER), .nullable = true },
	{ MEMBER(EVENT, actor, FIELD_STRING) },
	{ MEMBER(EVENT, provider, FIELD_STRING), .nullable = true },
	{ MEMBER(EVENT, model, FIELD_STRING), .nullable = true },
	{ MEMBER(EVENT, harness, FIELD_STRING) },
	{ MEMBER(EVENT, session, FIELD_STRING), .nullable = true },
	{ MEMBER(EVENT, reason, FIELD_STRING), .nullable = true },
	{ MEMBER(EVENT, details, FIELD_OPEN_OBJECT) },
	{ MEMBER(EVENT, historical, FIELD_BOOLEAN) },
	FIELD_END
};

static const struct field fields[] = { { MEMBER(OUT, events, FIELD_OBJECTS),
					 .fields = event,
					 .size = sizeof(struct lessons_event) },
				       { .name = "next_offset",
					 .type = FIELD_INTEGER,
					 .offset = OUT(next),
					 .nullable = true },
				       FIELD_END };

static const struct tool tool = {
	.name = "lessons_history",
	.title = "History of a lesson",
	.family = "lessons",
	.description = "Show what happened to a lesson, the latest first.",
	.params = params,
	.operand = "id",
	.facts = LESSONS_FACTS,
	.args_size = sizeof(struct lessons_history_args),
	.result = fields,
	.result_size = sizeof(struct lessons_history_result),
	.run = lessons_history_run,
	.text = lessons_history_text,
	.release = lessons_history_release,
};

TOOL_MAIN(tool)

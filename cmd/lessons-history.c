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
	{ .name = "id", .type = FIELD_INTEGER, .offset = EVENT(id) },
	{ .name = "lesson_id", .type = FIELD_INTEGER, .offset = EVENT(lesson) },
	{ .name = "action", .type = FIELD_STRING, .offset = EVENT(action) },
	{ .name = "at",
	  .type = FIELD_INTEGER,
	  .offset = EVENT(at),
	  .nullable = true },
	{ .name = "actor", .type = FIELD_STRING, .offset = EVENT(actor) },
	{ .name = "provider",
	  .type = FIELD_STRING,
	  .offset = EVENT(provider),
	  .nullable = true },
	{ .name = "model",
	  .type = FIELD_STRING,
	  .offset = EVENT(model),
	  .nullable = true },
	{ .name = "harness", .type = FIELD_STRING, .offset = EVENT(harness) },
	{ .name = "session",
	  .type = FIELD_STRING,
	  .offset = EVENT(session),
	  .nullable = true },
	{ .name = "reason",
	  .type = FIELD_STRING,
	  .offset = EVENT(reason),
	  .nullable = true },
	{ .name = "details",
	  .type = FIELD_OPEN_OBJECT,
	  .offset = EVENT(details) },
	{ .name = "historical",
	  .type = FIELD_BOOLEAN,
	  .offset = EVENT(historical) },
	FIELD_END
};

static const struct field fields[] = { { .name = "events",
					 .type = FIELD_OBJECTS,
					 .offset = OUT(events),
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

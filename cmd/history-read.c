/* history-read - read one recorded event in full, a window at a time. */
#include "history/history_read.h"

#define AT(member) offsetof(struct history_read_args, member)

static const struct param params[] = {
	{ MEMBER(AT, seq, PARAM_INTEGER), .required = true, .min = 1,
	  .max = PARAM_ANY_MAX - 1,
	  .help = "The event's number, from history_list." },
	{ MEMBER(AT, offset_chars, PARAM_INTEGER), .has_fallback = true,
	  .min = PARAM_ANY_MIN + 1, .max = PARAM_ANY_MAX - 1,
	  .help = "First character to return; negative counts from the "
		  "end." },
	{ MEMBER(AT, limit_chars, PARAM_INTEGER), .has_fallback = true,
	  .fallback = HISTORY_READ_CHARS, .min = 1,
	  .max = HISTORY_READ_CHARS_MAX, .help = "Most characters to return." },
	{ MEMBER(AT, session, PARAM_STRING), .blank_is_absent = true,
	  .fallback_help = "the current session",
	  .help = "Session the seq belongs to." },
	PARAM_END
};

#define NESTED(member) offsetof(struct head_nested, member)
#define OUT(member) offsetof(struct history_read_result, member)

static const struct field nested[] = {
	{ MEMBER(NESTED, call_count, FIELD_INTEGER) },
	{ MEMBER(NESTED, complete, FIELD_BOOLEAN) },
	FIELD_END
};

static const struct field fields[] = {
	MEMBERS(OUT, head, head_fields),
	{ MEMBER(OUT, nested_calls, FIELD_OBJECT), .optional = true,
	  .fields = nested },
	MEMBERS(OUT, head, head_omitted_fields),
	{ MEMBER(OUT, text, FIELD_STRING) },
	{ MEMBER(OUT, total_chars, FIELD_INTEGER) },
	{ MEMBER(OUT, next_offset_chars, FIELD_INTEGER), .nullable = true },
	MEMBERS(OUT, damage, head_damage_fields),
	FIELD_END
};

static const struct tool tool = {
	.name = "history_read",
	.title = "Read history",
	.family = "history",
	.description =
		"Read one event in full by its seq, a window at a time. "
		"Continue with the next_offset_chars of the last answer.",
	.model_tool = true,
	.place = 2,
	.params = params,
	.operand = "seq",
	.facts = FACT_BIT(FACT_SESSION_FILE) | FACT_BIT(FACT_LEAF) |
		 FACT_BIT(FACT_CWD),
	.args_size = sizeof(struct history_read_args),
	.result = fields,
	.result_size = sizeof(struct history_read_result),
	.run = history_read_run,
	.text = history_read_text,
	.person = history_read_person,
	.release = history_read_release,
};

TOOL_MAIN(tool)

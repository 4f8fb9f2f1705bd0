/* history-read - read one recorded event in full, a window at a time. */
#include "history/history_read.h"

#define AT(member) offsetof(struct history_read_args, member)

static const struct param params[] = {
	{ .name = "seq",
	  .type = PARAM_INTEGER,
	  .offset = AT(seq),
	  .required = true,
	  .min = 1,
	  .max = PARAM_ANY_MAX - 1,
	  .help = "The event's number, from history_list." },
	{ .name = "offset_chars",
	  .type = PARAM_INTEGER,
	  .offset = AT(offset_chars),
	  .has_fallback = true,
	  .min = PARAM_ANY_MIN + 1,
	  .max = PARAM_ANY_MAX - 1,
	  .help = "First character to return; negative counts from the "
		  "end." },
	{ .name = "limit_chars",
	  .type = PARAM_INTEGER,
	  .offset = AT(limit_chars),
	  .has_fallback = true,
	  .fallback = HISTORY_READ_CHARS,
	  .min = 1,
	  .max = HISTORY_READ_CHARS_MAX,
	  .help = "Most characters to return." },
	{ .name = "session",
	  .type = PARAM_STRING,
	  .offset = AT(session),
	  .blank_is_absent = true,
	  .fallback_help = "the current session",
	  .help = "Session the seq belongs to." },
	PARAM_END
};

#define NESTED(member) offsetof(struct head_nested, member)
#define OUT(member) offsetof(struct history_read_result, member)

static const struct field nested[] = { { .name = "call_count",
					 .type = FIELD_INTEGER,
					 .offset = NESTED(call_count) },
				       { .name = "complete",
					 .type = FIELD_BOOLEAN,
					 .offset = NESTED(complete) },
				       FIELD_END };

static const struct field fields[] = {
	{ .name = "",
	  .type = FIELD_MEMBERS,
	  .offset = OUT(head),
	  .fields = head_fields },
	{ .name = "nested_calls",
	  .type = FIELD_OBJECT,
	  .offset = OUT(nested_calls),
	  .optional = true,
	  .fields = nested },
	{ .name = "",
	  .type = FIELD_MEMBERS,
	  .offset = OUT(head),
	  .fields = head_omitted_fields },
	{ .name = "text", .type = FIELD_STRING, .offset = OUT(text) },
	{ .name = "total_chars",
	  .type = FIELD_INTEGER,
	  .offset = OUT(total_chars) },
	{ .name = "next_offset_chars",
	  .type = FIELD_INTEGER,
	  .offset = OUT(next_offset_chars),
	  .nullable = true },
	{ .name = "",
	  .type = FIELD_MEMBERS,
	  .offset = OUT(damage),
	  .fields = head_damage_fields },
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

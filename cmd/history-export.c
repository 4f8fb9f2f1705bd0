/* history-export - a session as a document. */
#include "history/history_export.h"

#define AT(member) offsetof(struct history_export_args, member)
#define OUT(member) offsetof(struct export_event, member)
#define NESTED(member) offsetof(struct head_nested, member)

static const struct param params[] = {
	{ .name = "session",
	  .type = PARAM_STRING,
	  .offset = AT(session),
	  .blank_is_absent = true,
	  .fallback_help = "the current session, else the latest of this "
			   "directory",
	  .help = "What to export; a wildcard only with format jsonl." },
	{ .name = "format",
	  .type = PARAM_ENUM,
	  .offset = AT(format),
	  .values = history_export_formats,
	  .has_fallback = true,
	  .fallback = HISTORY_EXPORT_MARKDOWN,
	  .help = "What to write." },
	{ .name = "roles",
	  .type = PARAM_ENUM_LIST,
	  .offset = AT(roles),
	  .values = decoder_role_names,
	  .help = "Only events of these roles." },
	{ .name = "since",
	  .type = PARAM_STRING,
	  .offset = AT(since),
	  .blank_is_absent = true,
	  .metavar = "TIME",
	  .help = "Only events recorded at or after this time." },
	{ .name = "until",
	  .type = PARAM_STRING,
	  .offset = AT(until),
	  .blank_is_absent = true,
	  .metavar = "TIME",
	  .help = "Only events recorded before this time." },
	{ .name = "cwd",
	  .type = PARAM_STRING,
	  .offset = AT(cwd),
	  .blank_is_absent = true,
	  .metavar = "DIR",
	  .help = "Only sessions recorded in this directory or below it; "
		  "with a wildcard only." },
	{ .name = "agents",
	  .type = PARAM_BOOLEAN,
	  .offset = AT(agents),
	  .has_fallback = true,
	  .help = "Also the transcripts of sub-agents; with a wildcard "
		  "only." },
	{ .name = "max_chars_per_item",
	  .type = PARAM_INTEGER,
	  .offset = AT(max_chars_per_item),
	  .min = 1,
	  .max = PARAM_ANY_MAX - 1,
	  .help = "Cut longer events, and say so." },
	PARAM_END
};

static const struct field nested[] = { { .name = "call_count",
					 .type = FIELD_INTEGER,
					 .offset = NESTED(call_count) },
				       { .name = "complete",
					 .type = FIELD_BOOLEAN,
					 .offset = NESTED(complete) },
				       FIELD_END };

/* A line of JSON, of which there is one an event. */
static const struct field fields[] = {
	{ .name = "session",
	  .type = FIELD_STRING,
	  .offset = OUT(head.session) },
	{ .name = "cwd",
	  .type = FIELD_STRING,
	  .offset = OUT(cwd),
	  .nullable = true },
	{ .name = "seq", .type = FIELD_INTEGER, .offset = OUT(head.seq) },
	{ .name = "role",
	  .type = FIELD_ENUM,
	  .offset = OUT(head.role),
	  .values = decoder_role_names },
	{ .name = "created_at",
	  .type = FIELD_BUF,
	  .offset = OUT(head.created_at),
	  .nullable = true },
	{ .name = "tool",
	  .type = FIELD_STRING,
	  .offset = OUT(head.tool),
	  .optional = true },
	{ .name = "tool_status",
	  .type = FIELD_ENUM,
	  .offset = OUT(head.tool_status),
	  .optional = true,
	  .values = decoder_status_names },
	{ .name = "output_truncated",
	  .type = FIELD_BOOLEAN,
	  .offset = OUT(head.output_truncated),
	  .optional = true,
	  .constant_true = true },
	{ .name = "full_output_path",
	  .type = FIELD_BUF,
	  .offset = OUT(head.full_output_path),
	  .optional = true },
	{ .name = "nested_calls",
	  .type = FIELD_OBJECT,
	  .offset = OUT(nested_calls),
	  .optional = true,
	  .fields = nested },
	{ .name = "window_id", .type = FIELD_STRING, .offset = OUT(window_id) },
	{ .name = "text", .type = FIELD_STRING, .offset = OUT(text) },
	{ .name = "truncated",
	  .type = FIELD_BOOLEAN,
	  .offset = OUT(truncated),
	  .optional = true,
	  .constant_true = true },
	{ .name = "total_chars",
	  .type = FIELD_INTEGER,
	  .offset = OUT(total_chars) },
	FIELD_END
};

static const struct tool tool = {
	.name = "history_export",
	.title = "Export session",
	.family = "history",
	.description = "A session as a document: Markdown or a web page to "
		       "read, or JSON lines for other programs.",
	.params = params,
	.operand = "session",
	.facts = FACT_BIT(FACT_SESSION_FILE) | FACT_BIT(FACT_LEAF),
	.args_size = sizeof(struct history_export_args),
	.result = fields,
	.stream = history_export_stream,
};

int
main(int argc, char *argv[])
{
	return tool_main(&tool, argc, argv);
}

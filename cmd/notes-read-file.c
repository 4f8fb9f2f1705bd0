/* notes-read-file - read a note file, or some of its lines. */
#include "context/notes_read_file.h"
#include "context/parameters.h"

#define AT(member) offsetof(struct notes_read_file_args, member)
#define IN_RESULT(member) offsetof(struct notes_read_file_result, member)

static const struct param params[] = {
	{ .name = "path",
	  .type = PARAM_STRING,
	  .offset = AT(path),
	  .required = true,
	  .help = "Note file to read." },
	{ .name = "start_line",
	  .type = PARAM_INTEGER,
	  .offset = AT(start_line),
	  .nullable = true,
	  PARAMETERS_SIGNED,
	  .fallback_help = "1",
	  .help = "First line, 1-based and inclusive; negative counts back "
		  "from the last line." },
	{ .name = "stop_line",
	  .type = PARAM_INTEGER,
	  .offset = AT(stop_line),
	  .nullable = true,
	  PARAMETERS_SIGNED,
	  .fallback_help = "the last",
	  .help = "Last line, 1-based and inclusive; negative counts back "
		  "from the last line." },
	{ .name = "offset_chars",
	  .type = PARAM_INTEGER,
	  .offset = AT(offset_chars),
	  PARAMETERS_OFFSET,
	  .fallback_help = "0",
	  .help = "Characters to skip, counted after line selection." },
	{ .name = "limit_chars",
	  .type = PARAM_INTEGER,
	  .offset = AT(limit_chars),
	  PARAMETERS_COUNT,
	  .fallback_help = "as many as fit",
	  .help = "Most characters to return, counted after line selection." },
	PARAM_END
};

static const struct field fields[] = {
	{ .name = "path", .type = FIELD_CHARS, .offset = IN_RESULT(path) },
	{ .name = "content",
	  .type = FIELD_STRING,
	  .offset = IN_RESULT(content) },
	{ .name = "start_line",
	  .type = FIELD_INTEGER,
	  .offset = IN_RESULT(start_line),
	  .nullable = true,
	  .zero_is_none = true },
	{ .name = "stop_line",
	  .type = FIELD_INTEGER,
	  .offset = IN_RESULT(stop_line),
	  .nullable = true,
	  .zero_is_none = true },
	{ .name = "line_count",
	  .type = FIELD_INTEGER,
	  .offset = IN_RESULT(line_count) },
	{ .name = "offset_chars",
	  .type = FIELD_INTEGER,
	  .offset = IN_RESULT(offset_chars) },
	{ .name = "total_chars",
	  .type = FIELD_INTEGER,
	  .offset = IN_RESULT(total_chars),
	  .help = "Of the lines selected." },
	{ .name = "next_offset_chars",
	  .type = FIELD_INTEGER,
	  .offset = IN_RESULT(next_offset_chars),
	  .nullable = true,
	  .help = "Where to go on; null at the end." },
	{ .name = "bytes", .type = FIELD_INTEGER, .offset = IN_RESULT(bytes) },
	{ .name = "created_at",
	  .type = FIELD_TIME,
	  .offset = IN_RESULT(created_ms) },
	{ .name = "updated_at",
	  .type = FIELD_TIME,
	  .offset = IN_RESULT(updated_ms) },
	FIELD_END
};

static const struct tool tool = {
	.name = "notes_read_file",
	.title = "Read note file",
	.family = "context",
	.description =
		"Reads a note file, whole or by line range. For very long "
		"content, page with offset_chars and limit_chars, which count "
		"characters within the selected lines.",
	.model_tool = true,
	.place = 8,
	.params = params,
	.operand = "path",
	.open = true,
	.facts = CONTEXT_FACTS,
	.args_size = sizeof(struct notes_read_file_args),
	.result = fields,
	.result_size = sizeof(struct notes_read_file_result),
	.run = notes_read_file_run,
	.text = notes_read_file_text,
	.person = notes_read_file_person,
	.release = notes_read_file_release,
};

TOOL_MAIN(tool)

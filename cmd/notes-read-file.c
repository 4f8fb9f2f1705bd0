/* notes-read-file - read a note file, or some of its lines. */
#include "context/notes_read_file.h"
#include "context/parameters.h"

#define AT(member) offsetof(struct notes_read_file_args, member)
#define IN_RESULT(member) offsetof(struct notes_read_file_result, member)

static const struct param params[] = {
	{ MEMBER(AT, path, PARAM_STRING), .required = true,
	  .help = "Note file to read." },
	{ MEMBER(AT, start_line, PARAM_INTEGER), .nullable = true,
	  PARAMETERS_SIGNED, .fallback_help = "1",
	  .help = "First line, 1-based and inclusive; negative counts back "
		  "from the last line." },
	{ MEMBER(AT, stop_line, PARAM_INTEGER), .nullable = true,
	  PARAMETERS_SIGNED, .fallback_help = "the last",
	  .help = "Last line, 1-based and inclusive; negative counts back "
		  "from the last line." },
	{ MEMBER(AT, offset_chars, PARAM_INTEGER), PARAMETERS_OFFSET,
	  .fallback_help = "0",
	  .help = "Characters to skip, counted after line selection." },
	{ MEMBER(AT, limit_chars, PARAM_INTEGER), PARAMETERS_COUNT,
	  .fallback_help = "as many as fit",
	  .help = "Most characters to return, counted after line selection." },
	PARAM_END
};

static const struct field fields[] = {
	{ MEMBER(IN_RESULT, path, FIELD_CHARS) },
	{ MEMBER(IN_RESULT, content, FIELD_STRING) },
	{ MEMBER(IN_RESULT, start_line, FIELD_INTEGER), .nullable = true,
	  .zero_is_none = true },
	{ MEMBER(IN_RESULT, stop_line, FIELD_INTEGER), .nullable = true,
	  .zero_is_none = true },
	{ MEMBER(IN_RESULT, line_count, FIELD_INTEGER) },
	{ MEMBER(IN_RESULT, offset_chars, FIELD_INTEGER) },
	{ MEMBER(IN_RESULT, total_chars, FIELD_INTEGER),
	  .help = "Of the lines selected." },
	{ MEMBER(IN_RESULT, next_offset_chars, FIELD_INTEGER), .nullable = true,
	  .help = "Where to go on; null at the end." },
	{ MEMBER(IN_RESULT, bytes, FIELD_INTEGER) },
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

/* notes-append-to-file - add text to the end of a note file. */
#include "context/notes_write_file.h"
#include "context/parameters.h"

#define AT(member) offsetof(struct notes_write_file_args, member)
#define IN_RESULT(member) offsetof(struct notes_write_file_result, member)

static const struct param params[] = {
	{ MEMBER(AT, text, PARAM_STRING), .required = true,
	  .help = "Text to add, byte for byte." },
	{ MEMBER(AT, path, PARAM_STRING), .required = true,
	  .help = "Note file to extend." },
	PARAM_END
};

static const struct field fields[] = {
	{ MEMBER(IN_RESULT, path, FIELD_CHARS) },
	{ MEMBER(IN_RESULT, bytes, FIELD_INTEGER), .help = "Of the file now." },
	{ MEMBER(IN_RESULT, appended_bytes, FIELD_INTEGER) },
	{ MEMBER(IN_RESULT, created, FIELD_BOOLEAN) },
	{ .name = "updated_at",
	  .type = FIELD_TIME,
	  .offset = IN_RESULT(updated_ms) },
	{ MEMBER(IN_RESULT, rollover_requested, FIELD_BOOLEAN),
	  .optional = true, .constant_true = true,
	  .help = "This was the checkpoint that was asked for." },
	FIELD_END
};

static const struct tool tool = {
	.name = "notes_append_to_file",
	.title = "Append to note file",
	.family = "context",
	.description =
		"Adds text to the end of a note file, exactly as given: "
		"include your own newlines. Creates the file and its folders "
		"when missing.",
	.model_tool = true,
	.place = 10,
	.sequential = true,
	.writes = true,
	.params = params,
	.operand = "path",
	.open = true,
	.facts = CONTEXT_FACTS,
	.args_size = sizeof(struct notes_write_file_args),
	.result = fields,
	.result_size = sizeof(struct notes_write_file_result),
	.run = notes_append_to_file_run,
	.text = notes_append_to_file_text,
	.release = notes_write_file_release,
};

TOOL_MAIN(tool)

/* notes-append-to-file - add text to the end of a note file. */
#include "context/notes_write_file.h"
#include "context/parameters.h"

#define AT(member) offsetof(struct notes_write_file_args, member)
#define IN_RESULT(member) offsetof(struct notes_write_file_result, member)

static const struct param params[] = {
	{ .name = "text",
	  .type = PARAM_STRING,
	  .offset = AT(text),
	  .required = true,
	  .help = "Text to add, byte for byte." },
	{ .name = "path",
	  .type = PARAM_STRING,
	  .offset = AT(path),
	  .required = true,
	  .help = "Note file to extend." },
	PARAM_END
};

static const struct field fields[] = {
	{ .name = "path", .type = FIELD_CHARS, .offset = IN_RESULT(path) },
	{ .name = "bytes",
	  .type = FIELD_INTEGER,
	  .offset = IN_RESULT(bytes),
	  .help = "Of the file now." },
	{ .name = "appended_bytes",
	  .type = FIELD_INTEGER,
	  .offset = IN_RESULT(appended_bytes) },
	{ .name = "created",
	  .type = FIELD_BOOLEAN,
	  .offset = IN_RESULT(created) },
	{ .name = "updated_at",
	  .type = FIELD_TIME,
	  .offset = IN_RESULT(updated_ms) },
	{ .name = "rollover_requested",
	  .type = FIELD_BOOLEAN,
	  .offset = IN_RESULT(rollover_requested),
	  .optional = true,
	  .constant_true = true,
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

/* notes-write-file - create a note file, or replace all of one. */
#include "context/notes_write_file.h"
#include "context/parameters.h"

#define AT(member) offsetof(struct notes_write_file_args, member)
#define IN_RESULT(member) offsetof(struct notes_write_file_result, member)

static const struct param params[] = {
	{ .name = "text",
	  .type = PARAM_STRING,
	  .offset = AT(text),
	  .required = true,
	  .help = "The complete new content." },
	{ .name = "path",
	  .type = PARAM_STRING,
	  .offset = AT(path),
	  .required = true,
	  .help = "Note file to create or replace." },
	PARAM_END
};

static const struct field fields[] = {
	{ .name = "path", .type = FIELD_CHARS, .offset = IN_RESULT(path) },
	{ .name = "bytes", .type = FIELD_INTEGER, .offset = IN_RESULT(bytes) },
	{ .name = "created",
	  .type = FIELD_BOOLEAN,
	  .offset = IN_RESULT(created) },
	{ .name = "created_at",
	  .type = FIELD_TIME,
	  .offset = IN_RESULT(created_ms) },
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
	.name = "notes_write_file",
	.title = "Write note file",
	.family = "context",
	.description = "Creates a note file or replaces its whole content.",
	.model_tool = true,
	.place = 11,
	.sequential = true,
	.writes = true,
	.destructive = true,
	.params = params,
	.operand = "path",
	.open = true,
	.facts = CONTEXT_FACTS,
	.args_size = sizeof(struct notes_write_file_args),
	.result = fields,
	.result_size = sizeof(struct notes_write_file_result),
	.run = notes_write_file_run,
	.text = notes_write_file_text,
	.release = notes_write_file_release,
};

TOOL_MAIN(tool)

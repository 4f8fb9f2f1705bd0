/* notes-write-file - create a note file, or replace all of one. */
#include "context/notes_write_file.h"
#include "context/parameters.h"

#define AT(member) offsetof(struct notes_write_file_args, member)
#define IN_RESULT(member) offsetof(struct notes_write_file_result, member)

static const struct param params[] = {
	{ MEMBER(AT, text, PARAM_STRING), .required = true,
	  .help = "The complete new content." },
	{ MEMBER(AT, path, PARAM_STRING), .required = true,
	  .help = "Note file to create or replace." },
	PARAM_END
};

static const struct field fields[] = {
	{ MEMBER(IN_RESULT, path, FIELD_CHARS) },
	{ MEMBER(IN_RESULT, bytes, FIELD_INTEGER) },
	{ MEMBER(IN_RESULT, created, FIELD_BOOLEAN) },
	{ .name = "created_at",
	  .type = FIELD_TIME,
	  .offset = IN_RESULT(created_ms) },
	{ .name = "updated_at",
	  .type = FIELD_TIME,
	  .offset = IN_RESULT(updated_ms) },
	{ MEMBER(IN_RESULT, rollover_requested, FIELD_BOOLEAN),
	  .optional = true, .constant_true = true,
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

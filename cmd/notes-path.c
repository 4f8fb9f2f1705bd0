/* notes-path - the file of a note. */
#include "notes/identity.h"
#include "notes/notes_path.h"
#include "notes/parameters.h"

#define AT(member) offsetof(struct notes_path_args, member)
#define OUT(member) offsetof(struct notes_path_result, member)

static const struct param params[] = {
	{ .name = "address",
	  .type = PARAM_STRING,
	  .offset = AT(address),
	  .required = true,
	  .help = "The note, which need not exist." },
	{ NOTES_CWD, .offset = AT(cwd) },
	PARAM_END
};

static const struct field fields[] = {
	{ .name = "address", .type = FIELD_CHARS, .offset = OUT(address) },
	{ .name = "project_key",
	  .type = FIELD_CHARS,
	  .offset = OUT(project_key),
	  .optional = true },
	{ .name = "path",
	  .type = FIELD_BUF,
	  .offset = OUT(path),
	  .help = "Absolute." },
	{ .name = "exists", .type = FIELD_BOOLEAN, .offset = OUT(exists) },
	FIELD_END
};

static const struct tool tool = {
	.name = "notes_path",
	.title = "Path of note",
	.family = "notes",
	.description = "The file that a note is kept in, for a person's own "
		       "tools. The note need not exist.",
	.params = params,
	.operand = "address",
	.facts = IDENTITY_FACTS,
	.args_size = sizeof(struct notes_path_args),
	.result = fields,
	.result_size = sizeof(struct notes_path_result),
	.run = notes_path_run,
	.text = notes_path_text,
	.person = notes_path_person,
	.release = notes_path_release,
};

TOOL_MAIN(tool)

/* notes-path - the file of a note. */
#include "notes/identity.h"
#include "notes/notes_path.h"
#include "notes/parameters.h"

#define AT(member) offsetof(struct notes_path_args, member)
#define OUT(member) offsetof(struct notes_path_result, member)

static const struct param params[] = {
	{ MEMBER(AT, address, PARAM_STRING), .required = true,
	  .help = "The note, which need not exist." },
	{ NOTES_CWD, .offset = AT(cwd) },
	PARAM_END
};

static const struct field fields[] = {
	{ MEMBER(OUT, address, FIELD_CHARS) },
	{ MEMBER(OUT, project_key, FIELD_CHARS), .optional = true },
	{ MEMBER(OUT, path, FIELD_BUF), .help = "Absolute." },
	{ MEMBER(OUT, exists, FIELD_BOOLEAN) },
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

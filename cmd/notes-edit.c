/* notes-edit - a note in your editor. */
#include "notes/identity.h"
#include "notes/notes_edit.h"
#include "notes/parameters.h"

#define AT(member) offsetof(struct notes_edit_args, member)
#define OUT(member) offsetof(struct notes_edit_result, member)

static const struct param params[] = {
	{ MEMBER(AT, address, PARAM_STRING), .required = true,
	  .help = "The note to edit, or to make." },
	{ NOTES_CWD, .offset = AT(cwd) },
	PARAM_END
};

static const struct field fields[] = {
	{ MEMBER(OUT, address, FIELD_CHARS) },
	{ MEMBER(OUT, project_key, FIELD_CHARS), .optional = true },
	{ MEMBER(OUT, outcome, FIELD_ENUM), .values = notes_edit_outcomes },
	{ MEMBER(OUT, block_error, FIELD_BUF), .optional = true,
	  .help = "Of front matter that does not parse, with its line." },
	FIELD_END
};

static const struct tool tool = {
	.name = "notes_edit",
	.title = "Edit note",
	.family = "notes",
	.description = "A note in the person's editor, on the note's own "
		       "file. One that is not there is made, and goes again "
		       "when it is left empty.",
	.sequential = true,
	.writes = true,
	.params = params,
	.operand = "address",
	.facts = IDENTITY_FACTS,
	.args_size = sizeof(struct notes_edit_args),
	.result = fields,
	.result_size = sizeof(struct notes_edit_result),
	.run = notes_edit_run,
	.text = notes_edit_text,
	.release = notes_edit_release,
};

TOOL_MAIN(tool)

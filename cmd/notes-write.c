/* notes-write - create a note, or replace the whole text of one. */
#include "notes/front_matter.h"
#include "notes/identity.h"
#include "notes/notes_write.h"
#include "notes/parameters.h"

#define AT(member) offsetof(struct notes_write_args, member)
#define OUT(member) offsetof(struct notes_write_result, member)

static const struct param params[] = {
	{ MEMBER(AT, address, PARAM_STRING), .required = true,
	  .help = "Where the note lives; `.md` is added when missing." },
	{ MEMBER(AT, content, PARAM_STRING), .required = true,
	  .metavar = "TEXT",
	  .help = "The complete text of the note, stored exactly." },
	{ MEMBER(AT, origin, PARAM_ENUM), .has_fallback = true,
	  .fallback = NOTE_ORIGIN_SELF, .values = note_origins,
	  .help = "Where the text comes from: dictated by the person, this "
		  "agent, or elsewhere." },
	{ NOTES_CWD, .offset = AT(cwd) },
	PARAM_END
};

static const struct field fields[] = {
	{ MEMBER(OUT, address, FIELD_CHARS) },
	{ MEMBER(OUT, project_key, FIELD_CHARS), .optional = true },
	{ MEMBER(OUT, outcome, FIELD_ENUM), .values = notes_write_outcomes },
	FIELD_END
};

static const struct tool tool = {
	.name = "notes_write",
	.title = "Write note",
	.family = "notes",
	.description =
		"Create a note, or replace the whole text of one, at an "
		"address. Addresses are not file paths: plain `plan.md` "
		"belongs to this session, `@project/` to this project, "
		"`@human/` to the person across projects, `@self/` to this "
		"agent, `@model/` to this model. Overwriting takes a crumpled "
		"note out of the wastebasket. To change part of a note use "
		"notes_update.",
	.model_tool = true,
	.place = 4,
	.sequential = true,
	.writes = true,
	.destructive = true,
	.params = params,
	.operand = "address",
	.facts = IDENTITY_FACTS,
	.args_size = sizeof(struct notes_write_args),
	.result = fields,
	.result_size = sizeof(struct notes_write_result),
	.run = notes_write_run,
	.text = notes_write_text,
	.release = notes_write_release,
};

TOOL_MAIN(tool)

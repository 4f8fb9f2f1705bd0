/* notes-update - change part of a note, its metadata or its address. */
#include <limits.h>

#include "notes/front_matter.h"
#include "notes/identity.h"
#include "notes/notes_update.h"
#include "notes/parameters.h"

#define AT(member) offsetof(struct notes_update_args, member)

static const struct param edit_fields[] = {
	{ .name = "oldText",
	  .type = PARAM_STRING,
	  .offset = offsetof(struct edit, old_text),
	  .required = true,
	  .min = 1 },
	{ .name = "newText",
	  .type = PARAM_STRING,
	  .offset = offsetof(struct edit, new_text),
	  .required = true },
	PARAM_END
};

static const struct param params[] = {
	{ MEMBER(AT, address, PARAM_STRING), .required = true,
	  .help = "The note to change." },
	{ MEMBER(AT, edits, PARAM_OBJECT_LIST),
	  .max_items = NOTES_UPDATE_EDITS_MAX, .fields = edit_fields,
	  .field_size = sizeof(struct edit),
	  .help = "Passages to replace. Each oldText must occur exactly once "
		  "unless replace_all is set." },
	{ MEMBER(AT, origin, PARAM_ENUM), .values = note_origins,
	  .fallback_help = "unchanged", .help = "New origin." },
	{ MEMBER(AT, crumpled, PARAM_BOOLEAN), .fallback_help = "unchanged",
	  .help = "true moves the note to the wastebasket, false takes it "
		  "out." },
	{ MEMBER(AT, replace_all, PARAM_BOOLEAN), .has_fallback = true,
	  .fallback = 0, .help = "Replace every occurrence of every oldText." },
	{ MEMBER(AT, rename_to, PARAM_STRING), .metavar = "ADDRESS",
	  .help = "New address; used alone." },
	{ NOTES_CWD, .offset = AT(cwd) },
	PARAM_END
};

static const struct param options[] = {
	{ MEMBER(AT, diff, PARAM_BOOLEAN), .has_fallback = true, .fallback = 0,
	  .help = "Show the change of the text, below the receipt." },
	{ MEMBER(AT, details_fd, PARAM_INTEGER), .min = 3, .max = INT_MAX,
	  .help = "Write the diff as a line of JSON to this descriptor." },
	PARAM_END
};

#define OUT(member) offsetof(struct notes_update_result, member)

static const struct field fields[] = {
	{ MEMBER(OUT, address, FIELD_CHARS) },
	{ MEMBER(OUT, project_key, FIELD_CHARS), .optional = true },
	{ MEMBER(OUT, rename_from, FIELD_CHARS), .optional = true },
	{ MEMBER(OUT, applied, FIELD_INTEGER) },
	{ .name = "change_kind",
	  .type = FIELD_ENUM,
	  .offset = OUT(kind),
	  .values = notes_update_kinds },
	FIELD_END
};

static const struct tool tool = {
	.name = "notes_update",
	.title = "Update note",
	.family = "notes",
	.description =
		"Change part of a note: replace exact passages of its text, "
		"set its origin, put it in the wastebasket (crumpled true) or "
		"take it out (false), or move it with rename_to. Edits apply "
		"in order and all together or not at all. Nothing is ever "
		"deleted.",
	.model_tool = true,
	.place = 5,
	.sequential = true,
	.writes = true,
	.destructive = true,
	.params = params,
	.operand = "address",
	.options = options,
	.facts = IDENTITY_FACTS,
	.args_size = sizeof(struct notes_update_args),
	.result = fields,
	.result_size = sizeof(struct notes_update_result),
	.run = notes_update_run,
	.text = notes_update_text,
	.release = notes_update_release,
};

TOOL_MAIN(tool)

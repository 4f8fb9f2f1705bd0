/* notes-read - read a note's text, in whole or in windows. */
#include "notes/front_matter.h"
#include "notes/identity.h"
#include "notes/notes_read.h"
#include "notes/parameters.h"

#define AT(member) offsetof(struct notes_read_args, member)

static const struct param params[] = {
	{ MEMBER(AT, address, PARAM_STRING), .required = true,
	  .help = "The note to read." },
	{ MEMBER(AT, offset_chars, PARAM_INTEGER), .has_fallback = true,
	  .fallback = 0, .min = PARAM_ANY_MIN, .max = PARAM_ANY_MAX,
	  .help = "First character to return; negative counts from the "
		  "end." },
	{ MEMBER(AT, limit_chars, PARAM_INTEGER), .has_fallback = true,
	  .fallback = NOTES_READ_LIMIT_CHARS, .min = 1,
	  .max = NOTES_READ_LIMIT_CHARS_MAX,
	  .help = "Most characters to return." },
	{ NOTES_CWD, .offset = AT(cwd) },
	PARAM_END
};

#define OUT(member) offsetof(struct notes_read_result, member)
#define META(member) OUT(metadata.member)

static const struct field metadata[] = {
	{ MEMBER(META, origin, FIELD_ENUM), .values = note_origins },
	{ MEMBER(META, created_at, FIELD_TIME) },
	{ MEMBER(META, updated_at, FIELD_TIME) },
	{ MEMBER(META, crumpled_at, FIELD_TIME), .optional = true },
	{ MEMBER(META, project, FIELD_STRING), .optional = true },
	{ MEMBER(META, extra, FIELD_OPEN_OBJECT) },
	FIELD_END
};

static const struct field fields[] = {
	{ MEMBER(OUT, address, FIELD_CHARS) },
	{ MEMBER(OUT, project_key, FIELD_CHARS), .optional = true },
	{ .name = "metadata", .type = FIELD_OBJECT, .fields = metadata },
	{ MEMBER(OUT, text, FIELD_STRING) },
	{ MEMBER(OUT, total_chars, FIELD_INTEGER) },
	{ MEMBER(OUT, next_offset_chars, FIELD_INTEGER), .nullable = true },
	FIELD_END
};

static const struct tool tool = {
	.name = "notes_read",
	.title = "Read note",
	.family = "notes",
	.description =
		"Read a note's text by its address (not a file path), in "
		"whole or from a character position. A long note comes in "
		"windows: continue at next_offset_chars. A negative offset "
		"reads the end.",
	.model_tool = true,
	.place = 2,
	.params = params,
	.operand = "address",
	.facts = IDENTITY_FACTS,
	.args_size = sizeof(struct notes_read_args),
	.result = fields,
	.result_size = sizeof(struct notes_read_result),
	.run = notes_read_run,
	.text = notes_read_text,
	.person = notes_read_person,
	.release = notes_read_release,
};

TOOL_MAIN(tool)

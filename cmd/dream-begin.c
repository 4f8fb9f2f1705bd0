/* dream-begin - the worklist for a maintenance pass over notes. */
#include "notes/dream_begin.h"
#include "notes/parameters.h"

#define AT(member) offsetof(struct dream_begin_args, member)

static const struct param params[] = {
	{ NOTES_GLOB, .offset = AT(glob) },
	{ NOTES_LIMIT, .offset = AT(limit) },
	{ MEMBER(AT, unused_days, PARAM_INTEGER), .min = 0, .max = 36500,
	  .fallback_help = "every note",
	  .help = "Only notes that were last read at least so many days "
		  "ago." },
	{ NOTES_CWD, .offset = AT(cwd) },
	PARAM_END
};

#define ROW(member) offsetof(struct dream_row, member)
#define META(member) ROW(meta.member)
#define OUT(member) offsetof(struct dream_begin_result, member)

static const struct field row[] = {
	{ MEMBER(ROW, address, FIELD_CHARS) },
	{ MEMBER(ROW, project_key, FIELD_CHARS), .optional = true },
	{ MEMBER(META, origin, FIELD_ENUM), .values = note_origins },
	{ MEMBER(META, created_at, FIELD_TIME) },
	{ MEMBER(META, updated_at, FIELD_TIME) },
	{ MEMBER(META, last_accessed, FIELD_TIME) },
	{ MEMBER(META, access_count, FIELD_INTEGER) },
	{ MEMBER(META, crumpled_at, FIELD_TIME), .optional = true },
	{ MEMBER(ROW, bytes, FIELD_INTEGER), .help = "Of the file." },
	FIELD_END
};

static const struct field totals[] = {
	{ .name = "files", .type = FIELD_INTEGER, .offset = OUT(notes) },
	{ MEMBER(OUT, crumpled, FIELD_INTEGER) },
	{ MEMBER(OUT, bytes, FIELD_INTEGER) },
	FIELD_END
};

static const struct field fields[] = {
	{ MEMBER(OUT, files, FIELD_OBJECTS), .fields = row,
	  .size = sizeof(struct dream_row) },
	{ .name = "totals",
	  .type = FIELD_OBJECT,
	  .fields = totals,
	  .help = "Of all matching notes, delivered or not." },
	{ MEMBER(OUT, duplicates, FIELD_STRING_LISTS),
	  .help = "Groups of notes with the same text." },
	{ MEMBER(OUT, duplicates_more, FIELD_INTEGER), .optional = true,
	  .zero_is_none = true },
	{ MEMBER(OUT, more, FIELD_INTEGER) },
	MEMBERS(OUT, survey, survey_fields),
	FIELD_END
};

static const struct tool tool = {
	.name = "dream_begin",
	.title = "Begin note maintenance",
	.family = "notes",
	.description =
		"Worklist for a maintenance pass over notes: every note in "
		"scope, longest unread first, with its access count and "
		"size, crumpled ones included, and the notes that have the "
		"same text. It changes nothing and counts as no read.",
	.params = params,
	.operand = "glob",
	.facts = IDENTITY_FACTS,
	.args_size = sizeof(struct dream_begin_args),
	.result = fields,
	.result_size = sizeof(struct dream_begin_result),
	.run = dream_begin_run,
	.text = dream_begin_text,
	.person = dream_begin_person,
	.release = dream_begin_release,
};

TOOL_MAIN(tool)

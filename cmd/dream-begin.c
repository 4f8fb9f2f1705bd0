/* dream-begin - the worklist for a maintenance pass over notes. */
#include "notes/dream_begin.h"
#include "notes/parameters.h"

#define AT(member) offsetof(struct dream_begin_args, member)

static const struct param params[] = {
	{ NOTES_GLOB, .offset = AT(glob) },
	{ NOTES_LIMIT, .offset = AT(limit) },
	{ .name = "unused_days",
	  .type = PARAM_INTEGER,
	  .offset = AT(unused_days),
	  .min = 0,
	  .max = 36500,
	  .fallback_help = "every note",
	  .help = "Only notes that were last read at least so many days "
		  "ago." },
	{ NOTES_CWD, .offset = AT(cwd) },
	PARAM_END
};

#define ROW(member) offsetof(struct dream_row, member)
#define OUT(member) offsetof(struct dream_begin_result, member)

static const struct field row[] = {
	{ .name = "address", .type = FIELD_CHARS, .offset = ROW(address) },
	{ .name = "project_key",
	  .type = FIELD_CHARS,
	  .offset = ROW(project_key),
	  .optional = true },
	{ .name = "origin",
	  .type = FIELD_ENUM,
	  .offset = ROW(meta.origin),
	  .values = note_origins },
	{ .name = "created_at",
	  .type = FIELD_TIME,
	  .offset = ROW(meta.created_at) },
	{ .name = "updated_at",
	  .type = FIELD_TIME,
	  .offset = ROW(meta.updated_at) },
	{ .name = "last_accessed",
	  .type = FIELD_TIME,
	  .offset = ROW(meta.last_accessed) },
	{ .name = "access_count",
	  .type = FIELD_INTEGER,
	  .offset = ROW(meta.access_count) },
	{ .name = "crumpled_at",
	  .type = FIELD_TIME,
	  .offset = ROW(meta.crumpled_at),
	  .optional = true },
	{ .name = "bytes",
	  .type = FIELD_INTEGER,
	  .offset = ROW(bytes),
	  .help = "Of the file." },
	FIELD_END
};

static const struct field totals[] = {
	{ .name = "files", .type = FIELD_INTEGER, .offset = OUT(notes) },
	{ .name = "crumpled", .type = FIELD_INTEGER, .offset = OUT(crumpled) },
	{ .name = "bytes", .type = FIELD_INTEGER, .offset = OUT(bytes) },
	FIELD_END
};

static const struct field fields[] = {
	{ .name = "files",
	  .type = FIELD_OBJECTS,
	  .offset = OUT(files),
	  .fields = row,
	  .size = sizeof(struct dream_row) },
	{ .name = "totals",
	  .type = FIELD_OBJECT,
	  .fields = totals,
	  .help = "Of all matching notes, delivered or not." },
	{ .name = "duplicates",
	  .type = FIELD_STRING_LISTS,
	  .offset = OUT(duplicates),
	  .help = "Groups of notes with the same text." },
	{ .name = "duplicates_more",
	  .type = FIELD_INTEGER,
	  .offset = OUT(duplicates_more),
	  .optional = true,
	  .zero_is_none = true },
	{ .name = "more", .type = FIELD_INTEGER, .offset = OUT(more) },
	{ .name = "",
	  .type = FIELD_MEMBERS,
	  .offset = OUT(survey),
	  .fields = survey_fields },
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

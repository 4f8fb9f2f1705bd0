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

static const struct field row[] = {
	{ .name = "address", .type = FIELD_STRING },
	{ .name = "project_key", .type = FIELD_STRING, .optional = true },
	{ .name = "origin", .type = FIELD_ENUM, .values = note_origins },
	{ .name = "created_at", .type = FIELD_STRING },
	{ .name = "updated_at", .type = FIELD_STRING },
	{ .name = "last_accessed", .type = FIELD_STRING },
	{ .name = "access_count", .type = FIELD_INTEGER },
	{ .name = "crumpled_at", .type = FIELD_STRING, .optional = true },
	{ .name = "bytes", .type = FIELD_INTEGER, .help = "Of the file." },
	FIELD_END
};

static const struct field totals[] = {
	{ .name = "files", .type = FIELD_INTEGER },
	{ .name = "crumpled", .type = FIELD_INTEGER },
	{ .name = "bytes", .type = FIELD_INTEGER },
	FIELD_END
};

static const struct field fields[] = {
	{ .name = "files", .type = FIELD_OBJECTS, .fields = row },
	{ .name = "totals",
	  .type = FIELD_OBJECT,
	  .fields = totals,
	  .help = "Of all matching notes, delivered or not." },
	{ .name = "duplicates",
	  .type = FIELD_STRING_LISTS,
	  .help = "Groups of notes with the same text." },
	{ .name = "duplicates_more", .type = FIELD_INTEGER, .optional = true },
	{ .name = "more", .type = FIELD_INTEGER },
	{ .name = "homes_unavailable", .type = FIELD_STRINGS },
	{ .name = "skipped", .type = FIELD_INTEGER, .optional = true },
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
	.json = dream_begin_json,
	.text = dream_begin_text,
	.release = dream_begin_release,
};

int
main(int argc, char *argv[])
{
	return tool_main(&tool, argc, argv);
}

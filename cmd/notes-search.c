/* notes-search - find lines in notes that contain a text. */
#include "notes/notes_search.h"
#include "notes/parameters.h"

#define AT(member) offsetof(struct notes_search_args, member)

static const struct param params[] = {
	{ MEMBER(AT, query, PARAM_STRING_OR_LIST), .max_items = 64,
	  .metavar = "TEXT",
	  .help = "Text to find in one line; of several any." },
	{ MEMBER(AT, max_matches_per_file, PARAM_INTEGER), .min = 1,
	  .max = 10000, .fallback_help = "all",
	  .help = "Most hits shown for one note." },
	{ NOTES_GLOB, .offset = AT(glob) },
	{ NOTES_LIMIT, .offset = AT(limit) },
	{ NOTES_WASTEBASKET, .offset = AT(wastebasket) },
	{ NOTES_CWD, .offset = AT(cwd) },
	PARAM_END
};

#define HIT(member) offsetof(struct notes_search_hit, member)
#define ROW(member) offsetof(struct notes_search_row, member)
#define OUT(member) offsetof(struct notes_search_result, member)

static const struct field match[] = {
	{ MEMBER(HIT, line, FIELD_INTEGER), .help = "From 1." },
	{ MEMBER(HIT, text, FIELD_STRING),
	  .help = "The line, or the part of a long one around the match." },
	{ MEMBER(HIT, truncated, FIELD_BOOLEAN) },
	{ .name = "offset_chars",
	  .type = FIELD_INTEGER,
	  .offset = HIT(offset) },
	{ .name = "text_offset_chars",
	  .type = FIELD_INTEGER,
	  .offset = HIT(text_offset),
	  .optional = true,
	  .help = "Of the part's first character." },
	FIELD_END
};

static const struct field row[] = {
	MEMBERS(ROW, note, notes_list_row_fields),
	{ .name = "matches_total",
	  .type = FIELD_INTEGER,
	  .offset = ROW(total) },
	{ MEMBER(ROW, matches, FIELD_OBJECTS), .fields = match,
	  .size = sizeof(struct notes_search_hit) },
	FIELD_END,
};

static const struct field fields[] = {
	{ MEMBER(OUT, files, FIELD_OBJECTS), .fields = row,
	  .size = sizeof(struct notes_search_row) },
	{ MEMBER(OUT, more, FIELD_INTEGER) },
	{ MEMBER(OUT, crumpled_excluded, FIELD_INTEGER) },
	MEMBERS(OUT, survey, survey_fields),
	FIELD_END
};

static const struct tool tool = {
	.name = "notes_search",
	.title = "Search notes",
	.family = "notes",
	.description =
		"Find lines in notes that contain a text, ignoring case; "
		"several texts mean any of them. The query is literal, not a "
		"pattern. Each hit has the position to pass to notes_read as "
		"offset_chars. Without a query it lists the notes in scope.",
	.model_tool = true,
	.place = 3,
	.params = params,
	.operand = "query",
	.facts = IDENTITY_FACTS,
	.args_size = sizeof(struct notes_search_args),
	.result = fields,
	.result_size = sizeof(struct notes_search_result),
	.run = notes_search_run,
	.text = notes_search_text,
	.person = notes_search_person,
	.release = notes_search_release,
};

TOOL_MAIN(tool)

/* notes-search-contents - find lines in an agent's note files. */
#include "context/notes_search_contents.h"
#include "context/parameters.h"

#define AT(member) offsetof(struct notes_search_contents_args, member)
#define IN_LINE(member) offsetof(struct notes_search_line, member)
#define IN_FILE(member) offsetof(struct notes_search_file, member)
#define IN_RESULT(member) offsetof(struct notes_search_contents_result, member)

static const struct param params[] = {
	{ .name = "max_matches_per_file",
	  .type = PARAM_INTEGER,
	  .offset = AT(max_matches_per_file),
	  PARAMETERS_COUNT,
	  .fallback_help = "10, at most 100",
	  .help = "Matching lines to return per file at most." },
	{ .name = "query",
	  .type = PARAM_STRING,
	  .offset = AT(query),
	  .required = true,
	  .help = "Exact text to look for within one line; case matters." },
	{ .name = "recent_file_first",
	  .type = PARAM_BOOLEAN,
	  .offset = AT(recent_file_first),
	  .help = "Put the most recently created files first instead of path "
		  "order." },
	{ .name = "max_files",
	  .type = PARAM_INTEGER,
	  .offset = AT(max_files),
	  PARAMETERS_COUNT,
	  .fallback_help = "50, at most 500",
	  .help = "How many files with matches to return at most." },
	{ .name = "path_prefix",
	  .type = PARAM_STRING,
	  .offset = AT(path_prefix),
	  .nullable = true,
	  .fallback_help = "your own notes",
	  .help = "Start of the note paths to search." },
	PARAM_END
};

static const struct field line[] = {
	{ .name = "line", .type = FIELD_INTEGER, .offset = IN_LINE(line) },
	{ .name = "text", .type = FIELD_STRING, .offset = IN_LINE(text) },
	{ .name = "truncated",
	  .type = FIELD_BOOLEAN,
	  .offset = IN_LINE(truncated) },
	FIELD_END
};

static const struct field file[] = {
	{ .name = "path", .type = FIELD_CHARS, .offset = IN_FILE(path) },
	{ .name = "matches",
	  .type = FIELD_OBJECTS,
	  .offset = IN_FILE(matches),
	  .fields = line,
	  .size = sizeof(struct notes_search_line) },
	{ .name = "match_count",
	  .type = FIELD_INTEGER,
	  .offset = IN_FILE(match_count),
	  .help = "Matching lines in the file." },
	FIELD_END
};

static const struct field fields[] = {
	{ .name = "files",
	  .type = FIELD_OBJECTS,
	  .offset = IN_RESULT(files),
	  .fields = file,
	  .size = sizeof(struct notes_search_file) },
	{ .name = "has_more",
	  .type = FIELD_BOOLEAN,
	  .offset = IN_RESULT(has_more) },
	{ .name = "skipped",
	  .type = FIELD_INTEGER,
	  .offset = IN_RESULT(skipped),
	  .optional = true,
	  .zero_is_none = true,
	  .help = "What is there and is no text, or no note file." },
	FIELD_END
};

static const struct tool tool = {
	.name = "notes_search_contents",
	.title = "Search note files",
	.family = "context",
	.description =
		"Finds note lines that contain a literal string, grouped by "
		"file, with line numbers that notes_read_file accepts.",
	.model_tool = true,
	.place = 9,
	.params = params,
	.operand = "query",
	.open = true,
	.facts = CONTEXT_FACTS,
	.args_size = sizeof(struct notes_search_contents_args),
	.result = fields,
	.result_size = sizeof(struct notes_search_contents_result),
	.run = notes_search_contents_run,
	.text = notes_search_contents_text,
	.person = notes_search_contents_person,
	.release = notes_search_contents_release,
};

TOOL_MAIN(tool)

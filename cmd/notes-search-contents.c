/* notes-search-contents - find lines in an agent's note files. */
#include "context/notes_search_contents.h"
#include "context/parameters.h"

#define AT(member) offsetof(struct notes_search_contents_args, member)
#define IN_LINE(member) offsetof(struct notes_search_line, member)
#define IN_FILE(member) offsetof(struct notes_search_file, member)
#define IN_RESULT(member) offsetof(struct notes_search_contents_result, member)

static const struct param params[] = {
	{ MEMBER(AT, max_matches_per_file, PARAM_INTEGER), PARAMETERS_COUNT,
	  .fallback_help = "10, at most 100",
	  .help = "Matching lines to return per file at most." },
	{ MEMBER(AT, query, PARAM_STRING), .required = true,
	  .help = "Exact text to look for within one line; case matters." },
	{ MEMBER(AT, recent_file_first, PARAM_BOOLEAN),
	  .help = "Put the most recently created files first instead of path "
		  "order." },
	{ MEMBER(AT, max_files, PARAM_INTEGER), PARAMETERS_COUNT,
	  .fallback_help = "50, at most 500",
	  .help = "How many files with matches to return at most." },
	{ MEMBER(AT, path_prefix, PARAM_STRING), .nullable = true,
	  .fallback_help = "your own notes",
	  .help = "Start of the note paths to search." },
	PARAM_END
};

static const struct field line[] = { { MEMBER(IN_LINE, line, FIELD_INTEGER) },
				     { MEMBER(IN_LINE, text, FIELD_STRING) },
				     { MEMBER(IN_LINE, truncated,
					      FIELD_BOOLEAN) },
				     FIELD_END };

static const struct field file[] = {
	{ MEMBER(IN_FILE, path, FIELD_CHARS) },
	{ MEMBER(IN_FILE, matches, FIELD_OBJECTS), .fields = line,
	  .size = sizeof(struct notes_search_line) },
	{ MEMBER(IN_FILE, match_count, FIELD_INTEGER),
	  .help = "Matching lines in the file." },
	FIELD_END
};

static const struct field fields[] = {
	{ MEMBER(IN_RESULT, files, FIELD_OBJECTS), .fields = file,
	  .size = sizeof(struct notes_search_file) },
	{ MEMBER(IN_RESULT, has_more, FIELD_BOOLEAN) },
	{ MEMBER(IN_RESULT, skipped, FIELD_INTEGER), .optional = true,
	  .zero_is_none = true,
	  .help = "What is there and is not text, or not a note file." },
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

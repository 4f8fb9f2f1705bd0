/* history-search-contents - find an agent's history items by their text. */
#include "context/history_list_items.h"

#define AT(member) offsetof(struct history_search_contents_args, member)
#define IN_ROW(member) offsetof(struct item_row, member)

static const struct field row[] = {
	ITEM_ROWS_FACTS,
	{ .name = "match_offset_chars",
	  .type = FIELD_INTEGER,
	  .offset = IN_ROW(match_offset) },
	{ .name = "excerpt_offset_chars",
	  .type = FIELD_INTEGER,
	  .offset = IN_ROW(excerpt_offset) },
	{ .name = "excerpt", .type = FIELD_STRING, .offset = IN_ROW(content) },
	FIELD_END
};

static const struct param params[] = {
	ITEM_ROWS_LIMIT(struct history_search_contents_args),
	{ MEMBER(AT, query, PARAM_STRING), .required = true,
	  .help = "Exact text to look for; case matters." },
	ITEM_ROWS_FILTER(struct history_search_contents_args),
	PARAM_END
};

static const struct field fields[] = { ITEM_ROWS_RESULT(row) };

static const struct tool tool = {
	.name = "history_search_contents",
	.title = "Search items",
	.family = "context",
	.description = "Finds history items whose full content holds a literal "
		       "string.",
	.model_tool = true,
	.place = 6,
	.params = params,
	.operand = "query",
	.open = true,
	.facts = CONTEXT_FACTS,
	.args_size = sizeof(struct history_search_contents_args),
	.result = fields,
	.result_size = sizeof(struct item_rows),
	.run = history_search_contents_run,
	.text = item_rows_text,
	.person = item_rows_person,
	.release = item_rows_release,
};

TOOL_MAIN(tool)

/* history-list-items - list an agent's history items. */
#include "context/history_list_items.h"

#define AT(member) offsetof(struct history_list_items_args, member)
#define IN_ROW(member) offsetof(struct item_row, member)

static const struct field row[] = { ITEM_ROWS_FACTS,
				    { .name = "truncated_content",
				      .type = FIELD_STRING,
				      .offset = IN_ROW(content) },
				    FIELD_END };

static const struct param params[] = {
	ITEM_ROWS_LIMIT(struct history_list_items_args),
	ITEM_ROWS_FILTER(struct history_list_items_args),
	{ MEMBER(AT, max_chars_per_item, PARAM_INTEGER), PARAMETERS_COUNT,
	  .fallback_help = "400, at most 4000",
	  .help = "Preview length in characters." },
	PARAM_END
};

static const struct field fields[] = { ITEM_ROWS_RESULT(row) };

static const struct tool tool = {
	.name = "history_list_items",
	.title = "List items",
	.family = "context",
	.description = "Lists history items, each with its ids, role and a "
		       "preview, filtered by window, role or tool.",
	.model_tool = true,
	.place = 4,
	.params = params,
	.operand = "window_id",
	.open = true,
	.facts = CONTEXT_FACTS,
	.args_size = sizeof(struct history_list_items_args),
	.result = fields,
	.result_size = sizeof(struct item_rows),
	.run = history_list_items_run,
	.text = item_rows_text,
	.person = item_rows_person,
	.release = item_rows_release,
};

TOOL_MAIN(tool)

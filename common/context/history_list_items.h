#ifndef CONTEXT_HISTORY_LIST_ITEMS_H
#define CONTEXT_HISTORY_LIST_ITEMS_H

#include "context/item_rows.h"

/*
 * history_list_items and history_search_contents: spec/context.md section 4.4.
 */
struct history_list_items_args {
	struct item_filter_args filter;
	struct arg_integer max_chars_per_item;
};

struct history_search_contents_args {
	struct item_filter_args filter;
	struct arg_string query;
};

/* The result of both is a struct item_rows. */
int history_list_items_run(const struct tool_call *call, void *result,
			   struct fail *fail);
int history_search_contents_run(const struct tool_call *call, void *result,
				struct fail *fail);

#endif /* CONTEXT_HISTORY_LIST_ITEMS_H */

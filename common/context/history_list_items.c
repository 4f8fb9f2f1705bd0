#include "context/history_list_items.h"

#include "context/parameters.h"

int
history_list_items_run(const struct tool_call *call, void *result,
		       struct fail *fail)
{
	const struct history_list_items_args *args = call->args;
	struct str none = { NULL, 0 };

	return item_rows_run(call, &args->filter, none,
			     args->max_chars_per_item, result, fail);
}

int
history_search_contents_run(const struct tool_call *call, void *result,
			    struct fail *fail)
{
	const struct history_search_contents_args *args = call->args;
	struct arg_integer preview = { 0 };

	if (parameters_not_empty("query", args->query, fail) != 0)
		return -1;
	return item_rows_run(call, &args->filter, arg_str(args->query), preview,
			     result, fail);
}

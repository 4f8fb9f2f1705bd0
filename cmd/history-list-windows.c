/* history-list-windows - list an agent's context windows. */
#include "context/history_list_windows.h"
#include "context/item_rows.h"

#define AT(member) offsetof(struct history_list_windows_args, member)
#define IN_RESULT(member) offsetof(struct history_list_windows_result, member)
#define IN_WINDOW(member) offsetof(struct history_window, member)

static const struct field window[] = {
	{ MEMBER(IN_WINDOW, window_id, FIELD_CHARS) },
	{ MEMBER(IN_WINDOW, item_count, FIELD_INTEGER) },
	FIELD_END
};

static const struct param params[] = {
	{ MEMBER(AT, limit, PARAM_INTEGER), PARAMETERS_COUNT,
	  .fallback_help = "100, at most 1000",
	  .help = "How many windows to return at most." },
	ITEM_ROWS_AGENT(AT(agent_name)),
	{ MEMBER(AT, recent_first, PARAM_BOOLEAN),
	  .help = "Newest windows first." },
	PARAM_END
};

static const struct field fields[] = {
	{ MEMBER(IN_RESULT, agent_name, FIELD_CHARS) },
	{ MEMBER(IN_RESULT, windows, FIELD_OBJECTS), .fields = window,
	  .size = sizeof(struct history_window) },
	ITEM_ROWS_END(struct history_list_windows_result)
};

static const struct tool tool = {
	.name = "history_list_windows",
	.title = "List windows",
	.family = "context",
	.description =
		"Lists an agent's context windows with the number of items "
		"in each.",
	.model_tool = true,
	.place = 3,
	.params = params,
	.operand = "agent_name",
	.open = true,
	.facts = CONTEXT_FACTS,
	.args_size = sizeof(struct history_list_windows_args),
	.result = fields,
	.result_size = sizeof(struct history_list_windows_result),
	.run = history_list_windows_run,
	.text = history_list_windows_text,
	.person = history_list_windows_person,
	.release = history_list_windows_release,
};

TOOL_MAIN(tool)

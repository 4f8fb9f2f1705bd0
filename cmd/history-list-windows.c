/* history-list-windows - list an agent's context windows. */
#include "context/history_list_windows.h"
#include "context/item_rows.h"

#define AT(member) offsetof(struct history_list_windows_args, member)
#define IN_RESULT(member) offsetof(struct history_list_windows_result, member)
#define IN_WINDOW(member) offsetof(struct history_window, member)

static const struct field window[] = { { .name = "window_id",
					 .type = FIELD_CHARS,
					 .offset = IN_WINDOW(window_id) },
				       { .name = "item_count",
					 .type = FIELD_INTEGER,
					 .offset = IN_WINDOW(item_count) },
				       FIELD_END };

static const struct param params[] = {
	{ .name = "limit",
	  .type = PARAM_INTEGER,
	  .offset = AT(limit),
	  PARAMETERS_COUNT,
	  .fallback_help = "100, at most 1000",
	  .help = "How many windows to return at most." },
	ITEM_ROWS_AGENT(AT(agent_name)),
	{ .name = "recent_first",
	  .type = PARAM_BOOLEAN,
	  .offset = AT(recent_first),
	  .help = "Newest windows first." },
	PARAM_END
};

static const struct field fields[] = {
	{ .name = "agent_name",
	  .type = FIELD_CHARS,
	  .offset = IN_RESULT(agent_name) },
	{ .name = "windows",
	  .type = FIELD_OBJECTS,
	  .offset = IN_RESULT(windows),
	  .fields = window,
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

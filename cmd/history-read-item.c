/* history-read-item - read one history item of an agent. */
#include "context/history_read_item.h"
#include "context/item_rows.h"

#define AT(member) offsetof(struct history_read_item_args, member)
#define IN_RESULT(member) offsetof(struct history_read_item_result, member)

static const struct param params[] = {
	ITEM_ROWS_AGENT(AT(agent_name)),
	{ MEMBER(AT, item_id, PARAM_STRING), .required = true,
	  .help = "Item id, the part after `id:` in the item's trailing [id: "
		  "…] marker." },
	{ MEMBER(AT, offset_chars, PARAM_INTEGER), PARAMETERS_OFFSET,
	  .fallback_help = "0", .help = "Characters to skip." },
	{ MEMBER(AT, limit_chars, PARAM_INTEGER), PARAMETERS_COUNT,
	  .fallback_help = "as many as fit",
	  .help = "Most characters to return." },
	{ MEMBER(AT, window_id, PARAM_STRING), .required = true,
	  .help = "Window that holds the item." },
	PARAM_END
};

static const struct field fields[] = {
	ITEM_ROWS_IDENTITY(struct history_read_item_result),
	{ MEMBER(IN_RESULT, content, FIELD_STRING) },
	{ MEMBER(IN_RESULT, offset_chars, FIELD_INTEGER) },
	{ MEMBER(IN_RESULT, total_chars, FIELD_INTEGER) },
	{ MEMBER(IN_RESULT, next_offset_chars, FIELD_INTEGER), .nullable = true,
	  .help = "Where to go on; null at the end." },
	FIELD_END
};

static const struct tool tool = {
	.name = "history_read_item",
	.title = "Read item",
	.family = "context",
	.description =
		"Reads one history item in full or in part, by window id "
		"and item id.",
	.model_tool = true,
	.place = 5,
	.params = params,
	.operand = "item_id",
	.open = true,
	.facts = CONTEXT_FACTS,
	.args_size = sizeof(struct history_read_item_args),
	.result = fields,
	.result_size = sizeof(struct history_read_item_result),
	.run = history_read_item_run,
	.text = history_read_item_text,
	.person = history_read_item_person,
	.release = history_read_item_release,
};

TOOL_MAIN(tool)

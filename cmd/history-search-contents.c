/* history-search-contents - find an agent's history items by their text. */
#include "context/history_list_items.h"
#include "context/parameters.h"

#define AT(member) offsetof(struct history_search_contents_args, member)
#define IN_RESULT(member) offsetof(struct item_rows, member)
#define IN_ROW(member) offsetof(struct item_row, member)

static const struct field row[] = {
	{ .name = "window_id",
	  .type = FIELD_CHARS,
	  .offset = IN_ROW(window_id) },
	{ .name = "item_id", .type = FIELD_CHARS, .offset = IN_ROW(item_id) },
	{ .name = "role",
	  .type = FIELD_ENUM,
	  .offset = IN_ROW(role),
	  .values = item_roles },
	{ .name = "tool_name",
	  .type = FIELD_CHARS,
	  .offset = IN_ROW(tool_name),
	  .nullable = true },
	{ .name = "tool_namespace",
	  .type = FIELD_CHARS,
	  .offset = IN_ROW(tool_namespace),
	  .nullable = true },
	{ .name = "created_at",
	  .type = FIELD_CHARS,
	  .offset = IN_ROW(created_at),
	  .nullable = true },
	{ .name = "content_chars",
	  .type = FIELD_INTEGER,
	  .offset = IN_ROW(content_chars) },
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
	{ .name = "limit",
	  .type = PARAM_INTEGER,
	  .offset = AT(filter.limit),
	  PARAMETERS_COUNT,
	  .fallback_help = "20, at most 200",
	  .help = "How many items to return at most." },
	{ .name = "query",
	  .type = PARAM_STRING,
	  .offset = AT(query),
	  .required = true,
	  .help = "Exact text to look for; case matters." },
	{ .name = "recent_first",
	  .type = PARAM_BOOLEAN,
	  .offset = AT(filter.recent_first),
	  .help = "Newest items first." },
	{ .name = "tool_namespace",
	  .type = PARAM_STRING,
	  .offset = AT(filter.tool_namespace),
	  .nullable = true,
	  .help = "Only items of tools in this namespace; leaves out items "
		  "without a tool." },
	{ .name = "role",
	  .type = PARAM_ENUM,
	  .offset = AT(filter.role),
	  .nullable = true,
	  .values = item_roles,
	  .help = "Only items of this role." },
	{ .name = "agent_name",
	  .type = PARAM_STRING,
	  .offset = AT(filter.agent_name),
	  .nullable = true,
	  .fallback_help = "your own",
	  .help = "Whose history to use; omit for your own. Absolute, or "
		  "relative to your own name." },
	{ .name = "tool_name",
	  .type = PARAM_STRING,
	  .offset = AT(filter.tool_name),
	  .nullable = true,
	  .help = "Only items of this tool; leaves out items without a tool." },
	{ .name = "window_id",
	  .type = PARAM_STRING,
	  .offset = AT(filter.window_id),
	  .nullable = true,
	  .help = "Only this window; pass the id exactly as returned." },
	PARAM_END
};

static const struct field fields[] = {
	{ .name = "items",
	  .type = FIELD_OBJECTS,
	  .offset = IN_RESULT(items),
	  .fields = row,
	  .size = sizeof(struct item_row) },
	{ .name = "has_more",
	  .type = FIELD_BOOLEAN,
	  .offset = IN_RESULT(has_more) },
	{ .name = "transcript_found",
	  .type = FIELD_BOOLEAN,
	  .offset = IN_RESULT(transcript_found),
	  .optional = true,
	  .help = "False when the agent has no transcript; else absent." },
	FIELD_END
};

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
	.release = item_rows_release,
};

int
main(int argc, char *argv[])
{
	return tool_main(&tool, argc, argv);
}

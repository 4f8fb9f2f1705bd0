#ifndef CONTEXT_ITEM_ROWS_H
#define CONTEXT_ITEM_ROWS_H

#include "context/context.h"
#include "context/items.h"
#include "context/parameters.h"
#include "tool/declare.h"

/*
 * Lists of items: what history_list_items and history_search_contents have in
 * common (spec/context.md sections 4.3 and 4.4).
 */

/* Which items are wanted: the parameters of both. */
struct item_filter_args {
	struct arg_integer limit;
	struct arg_boolean recent_first;
	struct arg_string tool_namespace;
	struct arg_enum role; /* of item_roles */
	struct arg_string agent_name, tool_name, window_id;
};

#define ITEM_ROWS 20
#define ITEM_ROWS_MOST 200

struct item_row {
	char *window_id, *item_id;
	int role;
	char *tool_name, *tool_namespace; /* NULL: no tool */
	char *created_at;		  /* NULL: not recorded */
	int64_t content_chars;
	int64_t match_offset, excerpt_offset; /* of a search */
	struct str content;		      /* what is shown of it */
	char *bytes;			      /* what that is of */
};

struct item_rows {
	struct field_list items;
	bool has_more;

	struct str query;      /* s NULL: a list */
	int transcript_found;  /* 0: there is none; else -1 */
	char *agent, *session; /* whose; for the text */
	struct item_row *owned;
	size_t n, cap;
	bool more; /* items that match, beyond the limit */
};

/*
 * Rows of the declarations in which they occur: what tells an item, in a
 * struct that has members of these names.
 */
#define ITEM_ROWS_IDENTITY(of)                                           \
	{ .name = "window_id",                                           \
	  .type = FIELD_CHARS,                                           \
	  .offset = offsetof(of, window_id) },                           \
		{ .name = "item_id",                                     \
		  .type = FIELD_CHARS,                                   \
		  .offset = offsetof(of, item_id) },                     \
		{ .name = "role",                                        \
		  .type = FIELD_ENUM,                                    \
		  .offset = offsetof(of, role),                          \
		  .values = item_roles },                                \
		{ .name = "tool_name",                                   \
		  .type = FIELD_CHARS,                                   \
		  .offset = offsetof(of, tool_name),                     \
		  .nullable = true },                                    \
	{                                                                \
		.name = "tool_namespace", .type = FIELD_CHARS,           \
		.offset = offsetof(of, tool_namespace), .nullable = true \
	}

/* Of a struct item_row: what a list and a search both tell of an item. */
#define ITEM_ROWS_FACTS                                            \
	ITEM_ROWS_IDENTITY(struct item_row),                       \
		{ .name = "created_at",                            \
		  .type = FIELD_CHARS,                             \
		  .offset = offsetof(struct item_row, created_at), \
		  .nullable = true },                              \
	{                                                          \
		.name = "content_chars", .type = FIELD_INTEGER,    \
		.offset = offsetof(struct item_row, content_chars) \
	}

/* The end of a result that an absent transcript leaves empty. */
#define ITEM_ROWS_END(of)                                                 \
	{ .name = "has_more",                                             \
	  .type = FIELD_BOOLEAN,                                          \
	  .offset = offsetof(of, has_more) },                             \
		{ .name = "transcript_found",                             \
		  .type = FIELD_BOOLEAN,                                  \
		  .offset = offsetof(of, transcript_found),               \
		  .optional = true,                                       \
		  .help = "False when the agent has no transcript; else " \
			  "absent." },                                    \
		FIELD_END

/* The result of both, whose rows have these fields. */
#define ITEM_ROWS_RESULT(row)                          \
	{ .name = "items",                             \
	  .type = FIELD_OBJECTS,                       \
	  .offset = offsetof(struct item_rows, items), \
	  .fields = (row),                             \
	  .size = sizeof(struct item_row) },           \
		ITEM_ROWS_END(struct item_rows)

#define ITEM_ROWS_AGENT(at)                                                 \
	{                                                                   \
		.name = "agent_name", .type = PARAM_STRING, .offset = (at), \
		.nullable = true, .fallback_help = "your own",              \
		.help = "Whose history to use; omit for your own. "         \
			"Absolute, or relative to your own name."           \
	}

/* The parameters of both: its limit, and the filter itself. */
#define ITEM_ROWS_LIMIT(of)                                             \
	{                                                               \
		.name = "limit", .type = PARAM_INTEGER,                 \
		.offset = offsetof(of, filter.limit), PARAMETERS_COUNT, \
		.fallback_help = "20, at most 200",                     \
		.help = "How many items to return at most."             \
	}
#define ITEM_ROWS_FILTER(of)                                                \
	{ .name = "recent_first",                                           \
	  .type = PARAM_BOOLEAN,                                            \
	  .offset = offsetof(of, filter.recent_first),                      \
	  .help = "Newest items first." },                                  \
		{ .name = "tool_namespace",                                 \
		  .type = PARAM_STRING,                                     \
		  .offset = offsetof(of, filter.tool_namespace),            \
		  .nullable = true,                                         \
		  .help = "Only items of tools in this namespace; leaves "  \
			  "out items without a tool." },                    \
		{ .name = "role",                                           \
		  .type = PARAM_ENUM,                                       \
		  .offset = offsetof(of, filter.role),                      \
		  .nullable = true,                                         \
		  .values = item_roles,                                     \
		  .help = "Only items of this role." },                     \
		ITEM_ROWS_AGENT(offsetof(of, filter.agent_name)),           \
		{ .name = "tool_name",                                      \
		  .type = PARAM_STRING,                                     \
		  .offset = offsetof(of, filter.tool_name),                 \
		  .nullable = true,                                         \
		  .help = "Only items of this tool; leaves out items "      \
			  "without a tool." },                              \
	{                                                                   \
		.name = "window_id", .type = PARAM_STRING,                  \
		.offset = offsetof(of, filter.window_id), .nullable = true, \
		.help = "Only this window; pass the id exactly as "         \
			"returned."                                         \
	}

/*
 * Gathers and fits the rows.  query s NULL: a list, whose previews have at
 * most max_chars characters.  -1 with a refusal.
 */
int item_rows_run(const struct tool_call *call,
		  const struct item_filter_args *filter, struct str query,
		  struct arg_integer max_chars, struct item_rows *rows,
		  struct fail *fail);
void item_rows_person(const void *result, const struct terminal *t,
		      struct buf *out);
void item_rows_text(const void *result, struct buf *out);
void item_rows_release(void *result);

/* Adds ` | tool <namespace>.<name>`, or nothing. */
void item_rows_show_tool(struct buf *out, const char *space, const char *name);

/*
 * The call that a result is known by: the first that both parts, either of
 * which may be absent (s NULL), mean; NULL: there is none.
 */
const struct item_call *item_rows_choose(const struct item *item,
					 struct str name, struct str space);

/* A name as it is shown: over 128 characters cut, with an ellipsis. */
char *item_rows_name(const struct buf *name);

/* Says that an agent has no transcript. */
void item_rows_show_absent(struct buf *out, const char *agent,
			   const char *session);

#endif /* CONTEXT_ITEM_ROWS_H */

#ifndef CONTEXT_ITEM_ROWS_H
#define CONTEXT_ITEM_ROWS_H

#include "context/context.h"
#include "context/items.h"
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
 * Gathers and fits the rows.  query s NULL: a list, whose previews have at
 * most max_chars characters.  -1 with a refusal.
 */
int item_rows_run(const struct tool_call *call,
		  const struct item_filter_args *filter, struct str query,
		  struct arg_integer max_chars, struct item_rows *rows,
		  struct fail *fail);
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

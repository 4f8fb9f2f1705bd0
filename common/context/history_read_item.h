#ifndef CONTEXT_HISTORY_READ_ITEM_H
#define CONTEXT_HISTORY_READ_ITEM_H

#include "context/item.h"
#include "tool/declare.h"

/* history_read_item: spec/context.md section 4.4. */
struct history_read_item_args {
	struct arg_string agent_name, item_id;
	struct arg_integer offset_chars, limit_chars;
	struct arg_string window_id;
};

struct history_read_item_result {
	char *window_id, *item_id;
	int role;
	char *tool_name, *tool_namespace; /* NULL: no tool */
	struct str content;
	int64_t offset_chars, total_chars;
	int64_t next_offset_chars; /* FIELD_NONE: the end was delivered */

	struct item item; /* what content is of */
	size_t shown;	  /* characters of content */
};

int history_read_item_run(const struct tool_call *call, void *result,
			  struct fail *fail);
void history_read_item_person(const void *result, const struct terminal *t,
			      struct buf *out);
void history_read_item_text(const void *result, struct buf *out);
void history_read_item_release(void *result);

#endif /* CONTEXT_HISTORY_READ_ITEM_H */

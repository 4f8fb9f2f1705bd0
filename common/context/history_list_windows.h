#ifndef CONTEXT_HISTORY_LIST_WINDOWS_H
#define CONTEXT_HISTORY_LIST_WINDOWS_H

#include "tool/declare.h"

/* history_list_windows: spec/context.md sections 4.1 and 4.4. */
struct history_list_windows_args {
	struct arg_integer limit;
	struct arg_string agent_name;
	struct arg_boolean recent_first;
};

#define HISTORY_LIST_WINDOWS 100
#define HISTORY_LIST_WINDOWS_MOST 1000

struct history_window {
	char *window_id;
	int64_t item_count;
};

struct history_list_windows_result {
	char *agent_name;
	struct field_list windows;
	bool has_more;
	int transcript_found; /* 0: there is none; else -1 */

	char *session;
	struct history_window *owned;
	size_t n;
};

int history_list_windows_run(const struct tool_call *call, void *result,
			     struct fail *fail);
void history_list_windows_person(const void *result, const struct terminal *t,
				 struct buf *out);
void history_list_windows_text(const void *result, struct buf *out);
void history_list_windows_release(void *result);

#endif /* CONTEXT_HISTORY_LIST_WINDOWS_H */

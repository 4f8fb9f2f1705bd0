#ifndef HISTORY_READ_H
#define HISTORY_READ_H

#include "history/head.h"
#include "sessions/session.h"
#include "text/window.h"
#include "tool/declare.h"

/* history_read: one event, a window at a time (spec/history.md section 6). */
struct history_read_args {
	struct arg_integer seq, offset_chars, limit_chars;
	struct arg_string session;
};

#define HISTORY_READ_CHARS 12000
#define HISTORY_READ_CHARS_MAX 50000

struct history_read_result {
	struct session session;
	struct wrapper wrapper;
	struct event event; /* whose document text borrows from */
	struct head head;
	const struct head_nested *nested_calls; /* or NULL */
	struct str text;
	int64_t total_chars;
	int64_t next_offset_chars; /* FIELD_NONE at the true end */
	struct damage damage;
};

int history_read_run(const struct tool_call *call, void *result,
		     struct fail *fail);
void history_read_text(const void *result, struct buf *out);
void history_read_person(const void *result, const struct terminal *t,
			 struct buf *out);
void history_read_release(void *result);

#endif /* HISTORY_READ_H */

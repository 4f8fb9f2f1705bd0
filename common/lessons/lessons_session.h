#ifndef LESSONS_SESSION_H
#define LESSONS_SESSION_H

#include "lessons/desk.h"

/* lessons-session: what happened to a session (spec/lessons.md section 8). */
enum lessons_session_action {
	SESSION_START,
	SESSION_PROMPT,
	SESSION_COMPACT,
	SESSION_BRANCH,
	SESSION_END,
	SESSION_SHOW
};
extern const char *const lessons_session_actions[];

struct lessons_session_args {
	struct arg_enum action;
	struct arg_string fork_of;
	struct arg_boolean ephemeral;
};

struct lessons_session_result {
	struct keep keep;
	struct str session, root;
	bool ephemeral, barrier;
	int64_t epoch;
	struct str dropped; /* s NULL: none */
};

int lessons_session_run(const struct tool_call *call, void *result,
			struct fail *fail);
void lessons_session_text(const void *result, struct buf *out);

#endif /* LESSONS_SESSION_H */

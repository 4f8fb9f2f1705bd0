#ifndef LESSONS_MOVE_H
#define LESSONS_MOVE_H

#include "lessons/memory.h"

/*
 * lessons-move: a lesson with its chain, or a whole scope (spec/lessons.md
 * section 9.2).
 */
struct lessons_move_args {
	struct arg_integer id;
	struct arg_string from, to, reason;
	struct arg_boolean anywhere;
};

struct lessons_move_result {
	struct keep keep;
	int64_t id; /* FIELD_NONE: a scope was moved */
	struct str status, from, to;
	int64_t records;
};

int lessons_move_run(const struct tool_call *call, void *result,
		     struct fail *fail);
void lessons_move_text(const void *result, struct buf *out);

#endif /* LESSONS_MOVE_H */

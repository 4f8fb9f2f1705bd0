#ifndef LESSONS_LIST_H
#define LESSONS_LIST_H

#include "lessons/desk.h"
#include "lessons/lesson.h"

/* lessons-list (spec/lessons.md section 9.1). */
enum list_state { LIST_ACTIVE, LIST_ARCHIVED };
extern const char *const list_states[];
enum list_scope { LIST_HERE, LIST_PROJECT, LIST_GLOBAL, LIST_ALL };
extern const char *const list_scopes[];

struct lessons_list_args {
	struct arg_string query;
	struct arg_enum state, scope;
	struct arg_integer offset, limit;
};

struct lessons_list_result {
	struct keep keep;
	struct field_list lessons; /* struct lesson */
	struct lesson *owned;
	int64_t offset, total, next;
	bool scoped; /* rows tell their scope */
};

int lessons_list_run(const struct tool_call *call, void *result,
		     struct fail *fail);
void lessons_list_text(const void *result, struct buf *out);
void lessons_list_release(void *result);

#endif /* LESSONS_LIST_H */

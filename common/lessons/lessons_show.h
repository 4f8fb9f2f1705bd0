#ifndef LESSONS_SHOW_H
#define LESSONS_SHOW_H

#include "lessons/memory.h"

/*
 * lessons-show and lessons-history: one lesson, and what happened to it
 * (spec/lessons.md section 9.1).
 */
struct lessons_show_args {
	struct arg_integer id;
	struct arg_boolean anywhere;
};

struct lessons_show_result {
	struct keep keep;
	struct lesson lesson;
	int64_t successor; /* FIELD_NONE: none */
};

int lessons_show_run(const struct tool_call *call, void *result,
		     struct fail *fail);
void lessons_show_text(const void *result, struct buf *out);
void lessons_show_release(void *result);

struct lessons_history_args {
	struct arg_integer id;
	struct arg_boolean anywhere;
	struct arg_integer offset, limit;
};

struct lessons_event {
	int64_t id, lesson;
	struct str action;
	int64_t at; /* FIELD_NONE: unknown */
	struct str actor, provider, model, harness, session, reason, details;
	bool historical;
};

struct lessons_history_result {
	struct keep keep;
	struct field_list events; /* struct lessons_event */
	int64_t offset, total, next;
};

int lessons_history_run(const struct tool_call *call, void *result,
			struct fail *fail);
void lessons_history_text(const void *result, struct buf *out);
void lessons_history_release(void *result);

#endif /* LESSONS_SHOW_H */

#ifndef LESSONS_ADD_H
#define LESSONS_ADD_H

#include "lessons/memory.h"

/*
 * lessons-add and lessons-archive: what a person does is done at once
 * (spec/lessons.md section 9.2).  Their results are memory's.
 */
struct lessons_add_args {
	struct arg_string text, evidence;
	struct arg_boolean global;
	struct arg_integer supersedes;
};

struct lessons_archive_args {
	struct arg_integer id;
	struct arg_string reason;
	struct arg_boolean anywhere;
};

int lessons_add_run(const struct tool_call *call, void *result,
		    struct fail *fail);
int lessons_archive_run(const struct tool_call *call, void *result,
			struct fail *fail);

#endif /* LESSONS_ADD_H */

#ifndef MEMORY_EVALUATE_H
#define MEMORY_EVALUATE_H

#include "lessons/channel.h"
#include "lessons/outcome.h"

/* memory_evaluate: a grouping (spec/lessons.md section 7.3). */
enum group_scope { GROUP_PROJECT, GROUP_GLOBAL };
extern const char *const group_scopes[];

struct memory_evaluate_group {
	struct arg_objects candidates; /* struct arg_integer */
	struct arg_string text, evidence, reason;
	struct arg_enum scope;
	struct arg_boolean recommend;
};

struct memory_evaluate_args {
	struct arg_string evaluation_id;
	struct arg_objects groups; /* struct memory_evaluate_group */
	struct channel_args channel;
};

int memory_evaluate_run(const struct tool_call *call, void *result,
			struct fail *fail);

#endif /* MEMORY_EVALUATE_H */

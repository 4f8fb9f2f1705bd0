#ifndef LESSONS_REVIEW_H
#define LESSONS_REVIEW_H

#include "lessons/channel.h"
#include "lessons/decision.h"

/* lessons-review: a person decides (spec/lessons.md section 6.1). */
struct lessons_review_args {
	struct arg_string id;
	struct arg_boolean show;
	struct decision_args decision;
	struct arg_string decide;
	struct channel_args channel;
};

int lessons_review_run(const struct tool_call *call, void *result,
		       struct fail *fail);

#endif /* LESSONS_REVIEW_H */

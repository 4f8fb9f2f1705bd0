#ifndef LESSONS_EVALUATE_H
#define LESSONS_EVALUATE_H

#include "lessons/stage.h"

/* lessons-evaluate: discloses the pool (spec/lessons.md section 7.3). */
struct lessons_evaluate_args {
	struct arg_enum action;
	struct arg_integer max_bytes;
};

struct lessons_evaluate_result {
	int shape; /* enum stage_action */
	struct keep keep;
	struct stage_cancelled cancelled;
	struct str id; /* s NULL: nothing was started */
	int64_t candidates, exposed, bytes;
	struct buf document;
};

int lessons_evaluate_run(const struct tool_call *call, void *result,
			 struct fail *fail);
void lessons_evaluate_text(const void *result, struct buf *out);
void lessons_evaluate_release(void *result);

#endif /* LESSONS_EVALUATE_H */

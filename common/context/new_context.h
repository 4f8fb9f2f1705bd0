#ifndef CONTEXT_NEW_CONTEXT_H
#define CONTEXT_NEW_CONTEXT_H

#include "tool/declare.h"

/* new_context: spec/context.md section 5. */
struct new_context_result {
	int status; /* always 0, `requested` */
	char *window_id;
	bool checkpoint_saved;

	struct buf receipt;
};

int new_context_run(const struct tool_call *call, void *result,
		    struct fail *fail);
void new_context_text(const void *result, struct buf *out);
void new_context_release(void *result);

#endif /* CONTEXT_NEW_CONTEXT_H */

#ifndef CONTEXT_CONTEXT_GUIDANCE_H
#define CONTEXT_CONTEXT_GUIDANCE_H

#include "tool/declare.h"

/* context-guidance: spec/context.md sections 6.1 and 7.7. */
struct context_guidance_args {
	struct arg_enum action; /* of context_guidance_actions */
	struct arg_string existing_prompt;
};
extern const char *const context_guidance_actions[]; /* guidance, migration */

struct context_guidance_result {
	int action;
	struct str text;
	bool already_present;

	struct buf owned;
};

int context_guidance_run(const struct tool_call *call, void *result,
			 struct fail *fail);
void context_guidance_text(const void *result, struct buf *out);
void context_guidance_release(void *result);

#endif /* CONTEXT_CONTEXT_GUIDANCE_H */

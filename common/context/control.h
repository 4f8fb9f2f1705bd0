#ifndef CONTEXT_CONTROL_H
#define CONTEXT_CONTROL_H

#include "context/context.h"
#include "context/items.h"
#include "context/prompts.h"

/*
 * What is said to the model about its window (spec/context.md section 6):
 * control messages, the bootstrap of the next window, and the guidance that
 * stands in the system prompt.
 */

/* Adds <context_window>...</context_window>; previous 0: the first window. */
void control_identity(struct buf *out, struct str agent, int64_t window,
		      int64_t previous);

/*
 * Composes the messages of the outbox that have no text yet; items is the
 * agent's transcript, as far as there is one.
 */
int control_compose(struct context *c, struct items *items, struct fail *fail);

/* Adds the bootstrap of the window that is pending. */
int control_bootstrap(struct context *c, struct buf *out, struct fail *fail);

/* Adds the block for the system prompt, tags and all. */
void control_guidance(const struct context *c, struct buf *out);
#define CONTROL_GUIDANCE_TAG "<pi_token_budget_guidance>"

/* Adds another text of the prompts, for the current window. */
void control_prompt(const struct context *c, enum prompt prompt,
		    struct buf *out);

/* ctxtools:reminder, and the like. */
#define CONTROL_TYPE "ctxtools:"

#endif /* CONTEXT_CONTROL_H */

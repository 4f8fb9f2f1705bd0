#ifndef CONTEXT_FENCE_H
#define CONTEXT_FENCE_H

#include "context/context.h"
#include "context/items.h"

/*
 * Who may pass while a checkpoint is due (spec/context.md section 7.6), and
 * what the branch proves before that is decided (7.3).
 */

/*
 * 0 when the answer forbids nothing; else -1 with fenced, rollover_pending or
 * disabled, for the tool of that name.
 */
int fence_answer(const struct context *c, enum answer answer, const char *tool,
		 struct fail *fail);

/*
 * Takes in what the branch proves, in a context open for reading, and records
 * it if there is a state to record it in.  infer: without a valid state, ask
 * the transcript which window this is.
 */
int fence_look(struct context *c, bool infer, struct fail *fail);

/*
 * The same for a tool that only reads: 0, or -1 with fenced or
 * rollover_pending.
 */
int fence_admit(struct context *c, const char *tool, bool infer,
		struct fail *fail);

/*
 * An event of a tool, in a context open for changes: the evidence that it
 * needs, the decision, and texts for what is to be sent.  Not yet stored.
 */
int fence_decide(struct context *c, const struct life_event *event,
		 struct decision *decision, struct fail *fail);

#endif /* CONTEXT_FENCE_H */

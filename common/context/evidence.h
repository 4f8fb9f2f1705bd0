#ifndef CONTEXT_EVIDENCE_H
#define CONTEXT_EVIDENCE_H

#include "context/context.h"
#include "context/items.h"

/*
 * What the transcript of the current agent proves about its window
 * (spec/context.md section 7.3).  items comes closed, and is open for reading
 * afterwards; items_close() in any case.  -1 with a refusal of items_open().
 */
int evidence_gather(struct context *c, struct items *items,
		    struct evidence *evidence, struct fail *fail);

/*
 * What can be said without it: a claim of a process that is gone (8.3), since
 * whoever asks holds the lock.
 */
struct evidence evidence_local(struct context *c);

#endif /* CONTEXT_EVIDENCE_H */

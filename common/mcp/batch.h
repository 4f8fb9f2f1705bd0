#ifndef BATCH_H
#define BATCH_H

#include "mcp/outbox.h"

/*
 * Where the answer to a message goes: out, or to its place in a batch
 * (spec/hosts.md section 4), which goes out as one array when all are there.
 */
struct batch;
struct reply {
	struct batch *batch; /* NULL: it stands alone */
	size_t slot;
};

/* The open batches, and where everything ends up. */
struct replies {
	struct outbox *outbox;
	struct batch *first;
};

/* A batch of n messages; it does not go out before batch_seal(). */
struct batch *batch_new(struct replies *r, size_t n);
void batch_seal(struct replies *r, struct batch *b);

/* The answer: text is taken, and the key is what it can be withdrawn by. */
void batch_reply(struct replies *r, struct reply to, struct buf *text,
		 struct str key);

/* There will be none. */
void batch_no_reply(struct replies *r, struct reply to);

/* Takes back what was answered and has not begun to go out. */
void batch_withdraw(struct replies *r, struct str key);

void batch_release(struct replies *r);

#endif /* BATCH_H */

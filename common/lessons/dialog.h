#ifndef DIALOG_H
#define DIALOG_H

#include "lessons/channel.h"
#include "lessons/review.h"

/*
 * Asks a person about a review.  *decision is what was said; its lists live in
 * keep.  Whatever is not a clear answer is a cancellation.
 */
void dialog_run(struct channel *c, const struct review *r, struct desk *d,
		struct keep *keep, struct decision *decision);

/* What the dialog shows of a review, for lessons-review --show. */
void dialog_body(const struct review *r, struct buf *out);

#endif /* DIALOG_H */

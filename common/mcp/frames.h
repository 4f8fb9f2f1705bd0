#ifndef FRAMES_H
#define FRAMES_H

#include <stdbool.h>

#include "base/buf.h"

/*
 * Lines out of a stream of bytes (spec/hosts.md section 2.2).  One that is
 * longer than max is let go but for its head.
 */
struct frames {
	size_t max;
	struct buf line; /* what is there of the current one */
	bool too_long, done;
};
#define FRAMES_HEAD 4096

struct frame {
	struct str line; /* without its LF; borrowed until the next call */
	bool too_long;	 /* line is the head of one over max */
};

void frames_init(struct frames *f, size_t max);
void frames_release(struct frames *f);

/*
 * Takes bytes from the front of *input, up to the end of a line: true with
 * that line.  False when the input is used up.
 */
bool frames_next(struct frames *f, struct str *input, struct frame *frame);

/* At the end of input: the last line, when it has no LF. */
bool frames_last(struct frames *f, struct frame *frame);

#endif /* FRAMES_H */

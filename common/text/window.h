#ifndef WINDOW_H
#define WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/*
 * The read window over a text, in code points: what both read operations
 * return (text, total_chars, next_offset_chars).
 */
struct window {
	size_t offset; /* resolved, <= total */
	size_t length; /* of the range asked for: offset + length <= total */
	size_t total;
	struct str range; /* those bytes, borrowed from the text */
};

/*
 * Resolves an offset (negative: from the end, below the start is 0) and a
 * limit over text.  False when the offset is past the end; w->total is set
 * all the same.
 */
bool window_open(struct window *w, struct str text, int64_t offset,
		 int64_t limit);

/* The first k code points of the range. */
struct str window_prefix(const struct window *w, size_t k);

/* Where to go on after k delivered ones: the offset, or -1 at the true end. */
int64_t window_next(const struct window *w, size_t k);

#endif /* WINDOW_H */

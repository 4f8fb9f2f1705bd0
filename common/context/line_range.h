#ifndef CONTEXT_LINE_RANGE_H
#define CONTEXT_LINE_RANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/*
 * Lines of a text by number (spec/context.md section 3.6).  Lines end at LF
 * only, and the last one need not.
 */
struct line_range {
	int64_t start, stop; /* resolved, from 1, inclusive */
	int64_t count;	     /* lines of the text */
	struct str text;     /* those lines, without the LF of the last */
};

/* A bound that may be absent; a negative one counts back from the last line. */
struct line_bound {
	int64_t v;
	bool given;
};

/*
 * Selects; no bound given: all of the text, its last LF included, and start
 * and stop are 0.  False when no line lies between the bounds, which are
 * resolved all the same.
 */
bool line_range_select(struct line_range *r, struct str text,
		       struct line_bound start, struct line_bound stop);

#endif /* CONTEXT_LINE_RANGE_H */

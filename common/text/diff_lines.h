#ifndef DIFF_LINES_H
#define DIFF_LINES_H

#include <stdint.h>

#include "base/str.h"

/*
 * A text by lines.  A line has its LF; the last one may have none, and then
 * differs from the same bytes with one.
 */
struct diff_lines {
	struct str text; /* borrowed */
	size_t *start;	 /* of each line, and start[n] == text.n */
	size_t n;
};

void diff_lines_init(struct diff_lines *l, struct str text);
void diff_lines_release(struct diff_lines *l);

static inline struct str
diff_lines_at(const struct diff_lines *l, size_t i)
{
	return (struct str){ l->text.s + l->start[i],
			     l->start[i + 1] - l->start[i] };
}

/*
 * Numbers for lines: equal numbers mean equal lines.  (Nearly always the
 * other way round too, but a text made to collide gets more numbers than it
 * needs rather than more time.)
 */
struct diff_numbers {
	struct diff_numbered {
		struct str line;
		uint32_t hash;
	} * known; /* by number */
	size_t n, cap;
	uint32_t *slot; /* number + 1, or 0 */
	size_t slots;	/* a power of two, more than twice n */
};

void diff_numbers_init(struct diff_numbers *d);
void diff_numbers_release(struct diff_numbers *d);

/* line must live as long as d. */
uint32_t diff_numbers_get(struct diff_numbers *d, struct str line);

#endif /* DIFF_LINES_H */

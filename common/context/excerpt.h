#ifndef CONTEXT_EXCERPT_H
#define CONTEXT_EXCERPT_H

#include "tool/declare.h"

/*
 * The part of a text that a read delivers (spec/context.md section 3.6, step
 * 3): from an offset on, as much as was asked for and fits.
 */
struct excerpt {
	struct str text; /* what is delivered; borrowed */
	size_t shown;	 /* in characters */
	int64_t offset, total;
	int64_t next; /* where to go on; FIELD_NONE: the end was delivered */
};

/* Puts an excerpt into a result, whose surfaces are then measured. */
typedef void excerpt_show(void *result, const struct excerpt *excerpt);

/*
 * Finds the longest that fits, and leaves it in the result.  An offset past
 * the end is the end.  chars: the most that the text surface may have.  -1
 * with output_too_large when text is left and none of it fits.
 */
int excerpt_fit(const struct tool *tool, void *result, excerpt_show *show,
		struct str text, int64_t offset, int64_t limit, int64_t chars,
		struct fail *fail);

/* Adds `, showing <from>..<to>` where not all is shown. */
void excerpt_add_range(struct buf *out, int64_t offset, size_t shown,
		       int64_t total);

#endif /* CONTEXT_EXCERPT_H */

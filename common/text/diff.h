#ifndef DIFF_H
#define DIFF_H

#include "base/buf.h"

/*
 * Adds the unified diff (3 lines of context) of two texts to out: the header
 * lines `--- <label>` and `+++ <label>`, hunks, and
 * `\ No newline at end of file` where it applies.  Nothing when the texts are
 * equal.  patch(1) applied to the old text gives the new one.
 *
 * Time and memory are bounded: beyond a work limit, what is left between the
 * common prefix and suffix becomes one replaced block, which is longer but
 * still correct.
 */
void diff_unified(struct buf *out, struct str old_text, struct str new_text,
		  struct str label);

#endif /* DIFF_H */

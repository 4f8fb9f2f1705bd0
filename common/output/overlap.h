#ifndef OUTPUT_OVERLAP_H
#define OUTPUT_OVERLAP_H

#include "base/str.h"

/*
 * The length of the longest suffix of `old` that is a prefix of `new`, in
 * bytes (spec/output.md section 3).  Exact, and linear in both also for
 * repetitive text.  Of two valid UTF-8 strings it lies on a character's
 * boundary.
 */
size_t overlap(struct str old, struct str new);

#endif /* OUTPUT_OVERLAP_H */

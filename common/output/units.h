#ifndef OUTPUT_UNITS_H
#define OUTPUT_UNITS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/*
 * UTF-16 code units of UTF-8 text: what `t` counts in (spec/output.md section
 * 2).  A character is one unit, or two when it takes four bytes.  All take
 * valid UTF-8 and run at memory speed.
 */
size_t units_count(struct str s);

/*
 * The byte offset after the first n units; s.n when there are fewer.  *split:
 * the offset would lie between the halves of a surrogate pair; then the
 * character is not counted in.
 */
size_t units_offset(struct str s, size_t n, bool *split);

/* The suffix of at most n units: whole characters only. */
struct str units_tail(struct str s, size_t n);

#endif /* OUTPUT_UNITS_H */

#ifndef GLOB_H
#define GLOB_H

#include <stdbool.h>

#include "base/str.h"

/*
 * The anchored, case-sensitive pattern of spec/notes.md section 2.2: a
 * segment-leading double star with a slash is zero or more whole segments,
 * any other double star is anything, one star is a run without a slash, `?`
 * one code point that is not a slash, everything else itself.  Time at most
 * proportional to pattern length times subject length, no recursion.
 * Pattern and subject are valid UTF-8.
 */
bool glob_match(struct str pattern, struct str subject);

/* Whether the pattern has a wildcard at all. */
bool glob_is_literal(struct str pattern);

#endif /* GLOB_H */

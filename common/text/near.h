#ifndef NEAR_H
#define NEAR_H

#include "base/str.h"

/* Names that may have been meant by another one. */
#define NEAR_EDITS 2
#define NEAR_NAME_MAX 255 /* characters of a name that count */

/*
 * How many characters have to be put in, taken out or replaced to make one of
 * two valid UTF-8 names the other; NEAR_EDITS + 1 for all that are more.
 */
unsigned near_edits(struct str a, struct str b);

#endif /* NEAR_H */

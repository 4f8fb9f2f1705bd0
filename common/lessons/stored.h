#ifndef STORED_H
#define STORED_H

#include <stdint.h>

#include "lessons/keep.h"
#include "tool/fail.h"

struct cJSON;

/*
 * Reviews and their outcomes as the sidecar stores them: JSON that these
 * programs wrote, taken apart.
 */

/* Members of an object; "" and 0 where there is none of the type. */
struct str stored_text(struct keep *keep, const struct cJSON *object,
		       const char *name);
int64_t stored_integer(const struct cJSON *object, const char *name);

/* An element as a number: ours are at most 2^53 - 1, a double holds them. */
int64_t stored_number(const struct cJSON *item);

/* Says that a review is not what was written; -1. */
int stored_damaged(struct fail *fail);

#endif /* STORED_H */

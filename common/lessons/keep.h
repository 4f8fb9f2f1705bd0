#ifndef LESSONS_KEEP_H
#define LESSONS_KEEP_H

#include <stddef.h>

#include "base/str.h"

/*
 * What a result points to: memory that is released all at once.  Zeroed, it
 * is empty.
 */
struct keep_block;
struct keep {
	struct keep_block *last;
	size_t used, size; /* of the last block */
};

/* Zeroed bytes, aligned for anything. */
void *keep_bytes(struct keep *k, size_t n, size_t size);

/* A terminated copy; s NULL stays NULL. */
struct str keep_str(struct keep *k, struct str s);

void keep_release(struct keep *k);

/* The same of a result whose first member is its keep. */
void keep_release_result(void *result);

#endif /* LESSONS_KEEP_H */

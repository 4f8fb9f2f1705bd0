#ifndef TRANSCRIPT_BLOCKS_H
#define TRANSCRIPT_BLOCKS_H

#include "base/json_span.h"

/*
 * Message content as the hosts record it: a string, or an array of blocks.
 * types are those of its text blocks, NULL last (spec/history.md section 3.4).
 */

/* Adds the block text. */
void blocks_text(struct str content, const char *const types[],
		 struct buf *out);

/* The string, raw, that the block text begins with; s is NULL: it is empty. */
struct str blocks_first(struct str content, const char *const types[]);

/* Whether the block text is empty, without decoding it. */
bool blocks_empty(struct str content, const char *const types[]);

/* The next block of a type in an array; false at the end. */
bool blocks_next(struct json_iter *it, const char *type, struct str *block);

#endif /* TRANSCRIPT_BLOCKS_H */

#ifndef HISTORY_RECIPE_H
#define HISTORY_RECIPE_H

#include <stdint.h>

#include "base/buf.h"

/*
 * Parameters for the next call, as JSON objects: what pages and reads offer
 * to go on with, in the JSON and in the text alike.  session is the canonical
 * identity when the call named one, else empty.
 */
void recipe_older(struct buf *out, uint32_t before, struct str session);
void recipe_newer(struct buf *out, uint32_t after, struct str session);
/* The folded events first to last. */
void recipe_expand(struct buf *out, uint32_t first, uint32_t last,
		   struct str session);
/* The events around one. */
void recipe_neighborhood(struct buf *out, uint32_t seq, struct str session);

#endif /* HISTORY_RECIPE_H */

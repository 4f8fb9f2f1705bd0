#ifndef CONTEXT_ITEM_H
#define CONTEXT_ITEM_H

#include "context/item_blocks.h"
#include "transcript/transcript.h"

/*
 * One record of a host's transcript as the model sees it (spec/context.md
 * sections 4.2 and 4.3).
 */
extern const char *const item_roles[];

void item_init(struct item *item);
void item_release(struct item *item);

/*
 * Loads a record, whose slots are on the branch.  1; 0 when it is not an item:
 * of a kind that history does not show, or blank; -1 when it is not readable
 * any more: the file was rewritten since it was indexed.  The names of results
 * are their own, which that of their call may replace.
 */
int item_load(struct transcript *t, uint32_t record, struct item *item);

/*
 * Whether the record is an item, as far as that can be told without reading
 * it: then *known is true.
 */
bool item_is_there(const struct transcript *t, uint32_t record, bool *known);

/* Whether a text begins as our own control messages do (4.5). */
bool item_is_control(struct str text);

/* What contents have besides what is recorded, for a prefilter. */
extern const char *const item_words[];

#endif /* CONTEXT_ITEM_H */

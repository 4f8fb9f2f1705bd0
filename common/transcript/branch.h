#ifndef TRANSCRIPT_BRANCH_H
#define TRANSCRIPT_BRANCH_H

#include "transcript/index.h"

/*
 * Which slots are on the branch (spec/history.md section 3.3): a decoder
 * marks records, and then their slots, or slots one by one.
 */

/* The last record that is no header, or RECORD_NONE. */
uint32_t branch_last(const struct transcript *t);

/*
 * Marks the records from leaf through the parents, stopping at one without a
 * parent or already marked.  leaf may be RECORD_NONE: nothing is marked.
 */
void branch_follow(struct transcript *t, uint32_t leaf);

/* Whether a record is on the branch, by its mark or that of its first slot. */
bool branch_has(const struct transcript *t, uint32_t record);

/* Marks every slot of the records marked. */
void branch_slots(struct transcript *t);

#endif /* TRANSCRIPT_BRANCH_H */

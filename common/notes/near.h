#ifndef NOTES_NEAR_H
#define NOTES_NEAR_H

#include "notes/address.h"

/*
 * The refusal not_found for the note at a, whose home is open (or -1: there is
 * none).  The message has up to NEAR_MOST addresses of that home that may have
 * been meant: of the same name in another folder, or with a name at most
 * NEAR_EDITS characters away; the nearest first (spec/notes.md section 6).
 * Walks the home.  Always -1.
 */
#define NEAR_MOST 3
#define NEAR_EDITS 2
int near_fail_not_found(int home, const struct address *a, struct fail *fail);

/*
 * How many characters have to be put in, taken out or replaced to make one of
 * two valid UTF-8 names the other; NEAR_EDITS + 1 for all that are more.
 */
unsigned near_edits(struct str a, struct str b);

#endif /* NOTES_NEAR_H */

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
int near_fail_not_found(int home, const struct address *a, struct fail *fail);

#endif /* NOTES_NEAR_H */

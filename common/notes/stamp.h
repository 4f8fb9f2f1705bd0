#ifndef NOTES_STAMP_H
#define NOTES_STAMP_H

#include <stdint.h>

/*
 * Stamps: the updatedAt of every change in a home, strictly increasing over
 * all processes (spec/notes.md section 4.3).  The caller holds the lock of
 * the home whose descriptor it passes.
 */

/* The stamp that a change made at `now` gets. */
int64_t stamp_next(int home, int64_t now);

/* Takes it; to be done before the note is stored.  0, or -1 with errno. */
int stamp_record(int home, int64_t stamp);

#endif /* NOTES_STAMP_H */

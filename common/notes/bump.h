#ifndef NOTES_BUMP_H
#define NOTES_BUMP_H

#include "notes/store.h"

/*
 * Counts one successful read of a note that store->home holds and `note` has
 * (spec/notes.md section 4.6).  Bookkeeping, and best effort: it says nothing
 * when it cannot be done, and never changes another byte or the file's time.
 */
void bump_access(const struct store *store, const struct note *note,
		 int64_t now);

#endif /* NOTES_BUMP_H */

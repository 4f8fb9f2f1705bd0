#ifndef NOTES_STORE_H
#define NOTES_STORE_H

#include <stdint.h>

#include "notes/address.h"
#include "notes/note.h"

/*
 * One home, opened for an operation on the note `at` (spec/notes.md section
 * 4): the lock that spans every change, and storing under it.
 */
struct store {
	const struct address *at; /* borrowed */
	int root, home;		  /* descriptors, or -1 */
};

#define STORE_INIT           \
	{                    \
		NULL, -1, -1 \
	}
#define STORE_LOCK_MS 5000

/*
 * Opens the home of `at`.  0, and store->home is -1 when there is no such
 * home yet; -1 with unsafe_path or io_error.  store_close() in every case.
 */
int store_open(struct store *store, const struct address *at,
	       const struct identity *who, struct fail *fail);
void store_close(struct store *store);

/* Creates what store_open() did not find, durably. */
int store_make(struct store *store, const struct identity *who,
	       struct fail *fail);

/*
 * Locks the home until store_close(), or is refused with busy at deadline
 * (of clock_monotonic_ms()).
 */
int store_lock(const struct store *store, int64_t deadline, struct fail *fail);

/*
 * What is done to a note under the lock, from reading it to storing it.
 * STORE_AGAIN: somebody who does not take the lock (a person's editor) has
 * changed the note since it was read, and nothing is done.
 */
#define STORE_AGAIN 1
typedef int store_step(void *ctx, struct fail *fail);

/* Does step, again on STORE_AGAIN, a few times at most: what it said last. */
int store_retry(store_step *step, void *ctx, struct fail *fail);

/* Locks the home and does the same, refused with busy when that was in vain. */
int store_change(const struct store *store, store_step *step, void *ctx,
		 struct fail *fail);
int store_fail_changed(const struct address *at, struct fail *fail);

/*
 * Stamps: the updatedAt of every change in a home, strictly increasing over
 * all processes (spec/notes.md section 4.3).  The caller holds the lock of
 * the home whose descriptor it passes.
 */

/* The stamp that a change made at `now` gets. */
int64_t store_stamp_next(int home, int64_t now);

/* Takes it; to be done before the note is stored.  0, or -1 with errno. */
int store_stamp_record(int home, int64_t stamp);

/* How a note is stored; see struct tree_file. */
struct store_how {
	const struct stat *like;
	const struct timespec *mtime; /* NULL: the present */
	bool fresh; /* there must be none; else `like` is the one replaced */
};

/*
 * Stores bytes as the note, under the lock; directories are made for a fresh
 * one.  0 when that is durable.  -1 with errno, nothing changed unless
 * *landed: then only the last sync failed.  ESTALE is STORE_AGAIN.  *fault
 * says what else stood in the way.
 */
int store_replace(const struct store *store, struct str bytes,
		  const struct store_how *how, bool *landed,
		  struct beneath_fault *fault);

/*
 * The same with a stamp, which is taken first; NULL when the note does not
 * count as changed, or has no block to tell it.  old is the note that is
 * replaced, or NULL for a new one.  0; STORE_AGAIN; -1 with io_error or
 * unsafe_path.
 */
int store_put(const struct store *store, struct str bytes, const int64_t *stamp,
	      const struct note *old, struct fail *fail);

/*
 * Moves the note of `from`, whose bytes are in `note`, to the address of `to`,
 * both locked; across file systems it is copied.  0 when it has moved,
 * durably; STORE_AGAIN as well when a note is there now; -1 with io_error
 * or unsafe_path.
 */
int store_move(const struct store *from, const struct store *to,
	       const struct note *note, struct fail *fail);

/*
 * Counts one successful read of a note that store->home holds and `note` has
 * (spec/notes.md section 4.6).  Bookkeeping, and best effort: it says nothing
 * when it cannot be done, and never changes another byte or the file's time.
 */
void store_bump(const struct store *store, const struct note *note,
		int64_t now);

#endif /* NOTES_STORE_H */

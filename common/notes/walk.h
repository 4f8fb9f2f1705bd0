#ifndef NOTES_WALK_H
#define NOTES_WALK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * All notes of a home (spec/notes.md section 5.4): every directory, hidden
 * ones too, never through a link, without recursion.
 */
struct walk_entry {
	int dir;	  /* the directory that holds the file */
	const char *name; /* in it; ends in .md */
	const char *path; /* inside the home */
};

/* What was found besides notes. */
struct walk_tally {
	size_t skipped; /* entries that no address can reach, also for length */
	bool incomplete; /* something could not be read */
};

/*
 * Called with each regular file that an address can name, in no order; it may
 * be gone, or something else, by the time it is opened.
 */
typedef void walk_visit(void *ctx, const struct walk_entry *entry,
			struct walk_tally *tally);

/* home is an open directory, which stays open.  Adds to *tally. */
void walk_home(int home, walk_visit *visit, void *ctx,
	       struct walk_tally *tally);

#endif /* NOTES_WALK_H */

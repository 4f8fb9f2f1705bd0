#ifndef SESSIONS_LISTING_H
#define SESSIONS_LISTING_H

#include <stdbool.h>

/* The entries of a directory, by what they are.  Links are not followed. */
enum listing_kind {
	LISTING_FILE, /* regular */
	LISTING_DIRECTORY,
	LISTING_LINK,
	LISTING_OTHER
};

typedef void listing_entry(void *ctx, const char *name, enum listing_kind kind);

/*
 * Calls entry() for each, in no order, without "." and "..".  Takes the
 * descriptor over.  What cannot be read has no entries.
 */
void listing_read(int dir, listing_entry *entry, void *ctx);

#endif /* SESSIONS_LISTING_H */

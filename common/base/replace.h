#ifndef REPLACE_H
#define REPLACE_H

#include <sys/types.h>
#include <time.h>

#include "base/str.h"

/* A file to be stored whole. */
struct replacement {
	const char *name;
	const char *temporary; /* beside it, while it is written */
	struct str bytes;
	mode_t mode;
	const struct timespec *mtime; /* NULL: the present */
	bool exclusive;		      /* EEXIST when name is there already */
};

/*
 * Stores r in the directory dir, so that a kill at any instant leaves the old
 * file or the new one: written to the temporary name (a leftover there is
 * removed; the caller holds a lock that makes it the only user), synced,
 * renamed, and dir synced.  0 when all that is durable; else -1 with errno and
 * the temporary file removed.  *landed (may be NULL) tells whether the name
 * has the new bytes: on success, and where only the last sync failed.
 */
int replace_file(int dir, const struct replacement *r, bool *landed);

/*
 * Renames a file without ever replacing one: -1 with EEXIST when the new name
 * is taken, EXDEV across file systems.  Nothing is synced.
 */
int replace_move(int from, const char *old_name, int to, const char *new_name);

/*
 * The same for a file system that cannot do that in one call.  It does not
 * replace a file either, but a kill in the middle leaves both names.
 */
int replace_move_linked(int from, const char *old_name, int to,
			const char *new_name);

/*
 * Syncs a directory; one of a file system that knows no such thing is as
 * durable as it gets.
 */
int replace_sync_directory(int dir);

#endif /* REPLACE_H */

#ifndef NOTES_PEEK_H
#define NOTES_PEEK_H

#include <sys/stat.h>

#include "base/buf.h"

/*
 * Looking at a file that a walk has found, which may have become something
 * else since (spec/notes.md sections 2.1 and 5.4).
 */
enum peek {
	PEEK_FINE,	 /* *fd is open, *st is its fstat */
	PEEK_UNREADABLE, /* a regular file that cannot be opened; *st is good */
	PEEK_GONE,
	PEEK_SPECIAL, /* no regular file any more */
	PEEK_UNKNOWN  /* it cannot even be said what is there */
};

enum peek peek_open(int dir, const char *name, int *fd, struct stat *st);

/*
 * Fills head with so much of the file's start as front_matter_parse() needs:
 * for the usual note one read of at most 4 KiB.  -1 with errno.
 */
int peek_head(int fd, struct buf *head);

#endif /* NOTES_PEEK_H */

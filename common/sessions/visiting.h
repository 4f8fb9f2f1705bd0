#ifndef SESSIONS_VISITING_H
#define SESSIONS_VISITING_H

#include "sessions/recency.h"

/* The sessions of a corpus in the order in which they are visited. */
struct visiting {
	struct recency *v; /* readable ones, newest first */
	size_t n;
	uint64_t unreadable; /* all others */
	uint64_t bytes;	     /* of the files of the readable ones */
};

/*
 * Looks at the first record and the end of every file, with several threads
 * where there are many files.  The files stay the corpus's.
 */
void visiting_init(struct visiting *visiting, const struct corpus *c);
void visiting_release(struct visiting *visiting);

#endif /* SESSIONS_VISITING_H */

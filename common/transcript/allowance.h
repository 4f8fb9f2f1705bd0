#ifndef TRANSCRIPT_ALLOWANCE_H
#define TRANSCRIPT_ALLOWANCE_H

#include <pthread.h>
#include <stdbool.h>

/*
 * What threads share that read transcripts beside each other: only one at a
 * time holds a line that is large, and what is made of it (spec/history.md
 * section 10).  Whoever holds the allowance waits for no other thread.
 */
#define ALLOWANCE_FREE ((size_t)1 << 20) /* this much each may have anyhow */

struct allowance {
	pthread_mutex_t lock;
};

#define ALLOWANCE_INIT                    \
	{                                 \
		PTHREAD_MUTEX_INITIALIZER \
	}

/* a may be NULL: there is one thread.  *holds: it is held already. */
static inline void
allowance_take(struct allowance *a, bool *holds)
{
	if (a != NULL && !*holds) {
		pthread_mutex_lock(&a->lock);
		*holds = true;
	}
}

static inline void
allowance_give(struct allowance *a, bool *holds)
{
	if (*holds) {
		pthread_mutex_unlock(&a->lock);
		*holds = false;
	}
}

#endif /* TRANSCRIPT_ALLOWANCE_H */

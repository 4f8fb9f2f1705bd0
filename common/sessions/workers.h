#ifndef SESSIONS_WORKERS_H
#define SESSIONS_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Numbered pieces of work, done by several threads, whose results are taken
 * in the order of their numbers.
 */
#define WORKERS_MOST 8
#define WORKERS_AHEAD 64 /* pieces begun and not taken, at most */

struct workers_job {
	void *ctx;
	size_t n;
	/*
	 * Does piece i.  Any piece may run beside any other; pieces of one
	 * worker (0 .. threads - 1) run one after the other.
	 */
	void (*work)(void *ctx, unsigned worker, size_t i);
	/*
	 * Takes the result of piece i: in order, and never two at a time.
	 * False: enough, nothing more is begun or taken.  NULL: nothing to take.
	 */
	bool (*take)(void *ctx, size_t i);
};

/* The processors that this process may run on, WORKERS_MOST at most. */
unsigned workers_available(void);

/*
 * Does the job with the calling thread and up to threads - 1 (<= WORKERS_MOST)
 * of its own; fewer where the system gives no more.  All are gone when it
 * returns.
 */
void workers_run(const struct workers_job *job, unsigned threads);

#endif /* SESSIONS_WORKERS_H */

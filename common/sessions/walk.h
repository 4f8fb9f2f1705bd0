#ifndef SESSIONS_WALK_H
#define SESSIONS_WALK_H

#include "sessions/recency.h"
#include "sessions/workers.h"
#include "transcript/transcript.h"

/*
 * A walk over the sessions of a corpus, the one recorded to last first
 * (spec/history.md section 5.4).
 */
struct walk {
	const struct corpus *corpus;
	struct recency *v; /* readable ones, newest first */
	size_t n;
	size_t n_spared;     /* behind them, in no order: those before since */
	uint64_t unreadable; /* all others */
	uint64_t bytes;	     /* of the files of the readable ones */
};

/* Which sessions of the corpus are meant. */
struct walk_scope {
	bool agents;	/* also those of sub-agents */
	struct str cwd; /* those in this directory (2.4): absolute and without
			   "." and ".."; s NULL: all */
	/*
	 * Those that were recorded to last before this are left out, as far
	 * as their records tell; NULL: none.
	 */
	const struct instant *since;
};

/*
 * Looks at the first record and the end of every file, with several threads
 * where there are many files.  The files stay the corpus's.
 */
void walk_init(struct walk *walk, const struct corpus *c,
	       const struct walk_scope *scope);
/* Whether a session is in the scope, spared or not. */
bool walk_has(const struct walk *walk, const struct corpus_file *file);

void walk_release(struct walk *walk);

enum walk_outcome {
	WALK_DONE,	/* visited, or nothing of it is asked for */
	WALK_UNREADABLE /* fails further in */
};

/* What is asked of each session, and what is done with it. */
struct walk_job {
	const struct time_range *times;
	const struct prefilter *prefilter; /* NULL: none */
	/*
	 * The host's current session (or NULL) and CTX_LEAF, which is its and
	 * is known to be good.
	 */
	const struct corpus_file *current;
	struct str leaf;

	void *ctx;
	/*
	 * walk->v[i] is open and its branch marked.  Any visit may run beside
	 * any other; those of one worker (0 .. threads - 1) run one after the
	 * other.  Not called for a session without a candidate.
	 */
	void (*visit)(void *ctx, unsigned worker, size_t i,
		      struct transcript *t);
	/*
	 * Takes what visit i left, in order and never two at a time; at most
	 * WORKERS_AHEAD wait for it.  False: enough.  Visits that have begun
	 * behind it end early, and are not taken.
	 */
	bool (*take)(void *ctx, size_t i, enum walk_outcome outcome);
};

/* threads: WORKERS_MOST at most. */
void walk_run(const struct walk *walk, const struct walk_job *job,
	      unsigned threads);

#endif /* SESSIONS_WALK_H */

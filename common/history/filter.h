#ifndef HISTORY_FILTER_H
#define HISTORY_FILTER_H

#include "text/fold.h"
#include "tool/declare.h"
#include "transcript/event.h"

/* Which events a list is about (spec/history.md section 5.1). */
struct filter {
	int64_t after, before; /* exclusive; -1 and INT64_MAX: no bound */
	uint64_t roles;	       /* bits of enum role; 0: any */
	/* Neither roles nor a query: messages that say something, only. */
	bool conversation;
	const struct fold_query *query; /* NULL: none */
	bool match_all;			/* of its entries; else any */
};

/* The seqs that the bounds leave: first > last when none is left. */
void filter_bounds(const struct filter *f, const struct transcript *t,
		   uint32_t *first, uint32_t *last);

/* The three below take seqs within these bounds. */

/*
 * Whether a slot is an event that passes all but the query, which may be in
 * it as far as the prefilter can tell.
 */
bool filter_passes(const struct filter *f, const struct transcript *t,
		   uint32_t seq);

/* Whether it is an event that the conversation view folds. */
bool filter_folds(const struct transcript *t, uint32_t seq);

/*
 * Whether a loaded event passes the query; *hit is the byte in its document
 * where the first match begins, 0 without a query.
 */
bool filter_matches(const struct filter *f, const struct event *e, size_t *hit);

/*
 * Runs of tool and context events that a page of the conversation view shows
 * as one row each (spec/history.md section 5.3).
 */
#define FOLDS_TOOLS 20

struct fold {
	int64_t first, last, count;
	struct field_count tools[FOLDS_TOOLS]; /* in order of appearance; names
						  borrowed of the transcript */
	uint32_t n_tools;
	int64_t omitted; /* distinct names left out */

	/* Set when it is shown. */
	struct str session;	       /* to be named, or none */
	bool folded;		       /* true */
	struct field_list tools_shown; /* those above */
};

struct folds {
	struct fold *v;
	size_t n, cap;
	/* By tool name: which fold saw it last, and its place there. */
	struct fold_seen {
		uint32_t fold, place;
	} * seen;
};

void folds_release(struct folds *f);

/* Empty again. */
void folds_reset(struct folds *f);

/*
 * Adds one event of a run, in ascending order; starts_run: no neighbour of
 * the one before.
 */
void folds_add(struct folds *f, struct transcript *t, uint32_t seq,
	       bool starts_run);

#endif /* HISTORY_FILTER_H */

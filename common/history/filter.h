#ifndef HISTORY_FILTER_H
#define HISTORY_FILTER_H

#include "text/fold.h"
#include "transcript/event.h"

/* Which events a list is about (spec/history.md section 5.1). */
struct filter {
	int64_t after, before; /* exclusive; -1 and INT64_MAX: no bound */
	uint64_t roles;	       /* bits of enum role; 0: any */
	/* Neither roles nor a query: messages that say something, only. */
	bool conversation;
	const struct fold_query *query; /* NULL: none */
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

#endif /* HISTORY_FILTER_H */

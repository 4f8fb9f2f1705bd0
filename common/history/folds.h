#ifndef HISTORY_FOLDS_H
#define HISTORY_FOLDS_H

#include "transcript/transcript.h"

/*
 * Runs of tool and context events that a page of the conversation view shows
 * as one row each (spec/history.md section 5.3).
 */
#define FOLDS_TOOLS 20

struct fold {
	uint32_t first, last, count;
	struct fold_tool {
		struct str name; /* borrowed from the transcript */
		uint32_t count;
	} tools[FOLDS_TOOLS]; /* in order of first appearance */
	uint32_t n_tools;
	uint32_t omitted; /* distinct names left out */
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

#endif /* HISTORY_FOLDS_H */

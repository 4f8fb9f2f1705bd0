#ifndef BUDGET_H
#define BUDGET_H

#include <stdbool.h>
#include <stddef.h>

#include "tool/declare.h"

/*
 * The bound on what a caller is handed: the JSON line and the text, each
 * complete and without its final newline, are at most BUDGET_BYTES.  An
 * operation fits its result by rendering it, so that what is measured is what
 * is printed.
 */
#define BUDGET_BYTES 32768

/*
 * Whether both surfaces of a result, as the tool prints it, are within the
 * budget.
 */
bool budget_holds(const struct tool *tool, const void *result);

/* The same, and the text has at most `chars` code points. */
bool budget_holds_chars(const struct tool *tool, const void *result,
			int64_t chars);

#define BUDGET_NONE ((size_t)-1)

/*
 * How many of n items to deliver when they are added in order and the first
 * that does not fit ends it.  fits(ctx, k) tells whether the first k do; it
 * must not become true again with growing k below n (the last item may: a
 * trailer vanishes with it).  BUDGET_NONE when not even `least` items fit.
 * Asks O(log n) times, small k first, so no call renders much more than what
 * fits.
 */
size_t budget_items(size_t least, size_t n, bool (*fits)(void *ctx, size_t k),
		    void *ctx);

/*
 * The length of a window over n characters: n when the whole range fits (at
 * the true end the continuation line is absent, so it may where a prefix does
 * not), else the largest k that does, where a k that does not may be followed
 * by one that does (a CR is shown in less with its LF).  BUDGET_NONE when not
 * even 0 fits.
 */
size_t budget_window(size_t n, bool (*fits)(void *ctx, size_t k), void *ctx);

/* A list of a result, of whose rows as many are shown as fit. */
struct budget_list {
	const struct tool *tool;
	void *result;
	int64_t chars;		 /* as for budget_holds_chars(), or 0 */
	struct field_list *rows; /* in the result: all that may be shown */
	bool whole_first;	 /* mostly all of them fit */

	/* What the result says of the rest, where it does. */
	int64_t total;	/* how many rows there are */
	int64_t *left;	/* how many of them are not shown, */
	bool *has_more; /* or whether any is not, */
	int64_t *next;	/* or where the next page begins, or FIELD_NONE */
	int64_t offset; /* where this one does */
};

/* Leaves out what does not fit.  False, with no rows: nothing fits. */
bool budget_list(struct budget_list *list);

#endif /* BUDGET_H */

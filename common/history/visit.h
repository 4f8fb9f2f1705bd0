#ifndef HISTORY_VISIT_H
#define HISTORY_VISIT_H

#include <stdatomic.h>

#include "history/page.h"

/*
 * One session of many: what it gives to a page (spec/history.md section 5.4).
 */
struct visit_plan {
	const struct page_selection *selection;
	const struct time_range *times;
	const struct prefilter *prefilter; /* NULL: none */
	/* The host's current session (or NULL) and CTX_LEAF, which is its. */
	const struct corpus_file *current;
	struct str leaf;
	const atomic_bool *stop; /* true: nobody wants the result any more */
};

/* What one thread keeps from visit to visit. */
struct visitor {
	struct corpus_opener opener;
	struct event event;
	char *space; /* PREFILTER_SPACE */
};
void visitor_init(struct visitor *v);
void visitor_release(struct visitor *v);

enum visit_outcome {
	VISIT_DONE,
	VISIT_UNREADABLE,
	VISIT_BAD_LEAF /* CTX_LEAF names no record of the current session */
};

struct visit {
	enum visit_outcome outcome;
	struct row *rows; /* in the order in which they stand on a page */
	size_t n, cap;
};

/*
 * Sets *visit, which visit_release() frees.  No more rows are made than the
 * limit, or than a page can hold and one.
 */
void visit_session(const struct visit_plan *plan, struct visitor *v,
		   const struct corpus_file *file, struct visit *visit);
void visit_release(struct visit *visit);

/* Bytes that a row takes on a page at least. */
size_t visit_row_bytes(const struct row *row);

#endif /* HISTORY_VISIT_H */

#ifndef HISTORY_WILDCARD_H
#define HISTORY_WILDCARD_H

#include "history/page.h"

/*
 * A page over many sessions: history_list with a wildcard (spec/history.md
 * section 5.4).  Fills the corpus of the page's session, too.
 */
struct wildcard {
	const struct facts *facts;
	const struct selector *selector;
	struct str cwd; /* as resolve_directory() gives it; s NULL: any */
	bool agents;
	const struct page_selection *selection; /* of one session */
	const struct time_range *times;
	const struct prefilter *prefilter; /* NULL: none */
};

/* -1 with a refusal. */
int wildcard_select(struct page *page, const struct wildcard *call,
		    struct fail *fail);

#endif /* HISTORY_WILDCARD_H */

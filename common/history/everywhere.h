#ifndef HISTORY_EVERYWHERE_H
#define HISTORY_EVERYWHERE_H

#include "history/history_list.h"

/*
 * A page over many sessions: history_list with a wildcard (spec/history.md
 * section 5.4).
 */
struct everywhere_call {
	const struct facts *facts;
	const struct history_list_args *args;
	const struct page_selection *selection; /* of one session */
	const struct time_range *times;
	const struct prefilter *prefilter; /* NULL: none */
	struct str wildcard;		   /* as given */
	const struct selector *selector;   /* the same, parsed */
};

/* -1 with a refusal. */
int everywhere_select(struct page *page, const struct everywhere_call *call,
		      struct fail *fail);

#endif /* HISTORY_EVERYWHERE_H */

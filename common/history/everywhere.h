#ifndef HISTORY_EVERYWHERE_H
#define HISTORY_EVERYWHERE_H

#include "history/history_list.h"

/*
 * A page over many sessions: history_list with a wildcard (spec/history.md
 * section 5.4).  -1 with a refusal.
 */
int everywhere_select(struct page *page, const struct history_list_args *args,
		      const struct page_selection *selection,
		      struct str wildcard, struct fail *fail);

#endif /* HISTORY_EVERYWHERE_H */

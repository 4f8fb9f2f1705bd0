#include "history/everywhere.h"

/* Bounds in seqs mean nothing where every session has its own. */
static const char *
bound_given(const struct history_list_args *args)
{
	if (args->before_seq.given)
		return "before_seq";
	if (args->after_seq.given)
		return "after_seq";
	if (args->from.given && args->from.v == HISTORY_LIST_OLDEST)
		return "from \"oldest\"";
	return NULL;
}

int
everywhere_select(struct page *page, const struct history_list_args *args,
		  const struct page_selection *selection, struct str wildcard,
		  struct fail *fail)
{
	const char *bound = bound_given(args);
	struct buf quoted = BUF_INIT;

	(void)page;
	(void)selection;
	fail_quote(&quoted, wildcard);
	if (bound != NULL)
		fail_refuse(fail, "wildcard_bounds",
			    "%s cannot be given with session %s: narrow it by "
			    "since, until, roles, query or limit, or name one "
			    "session",
			    bound, quoted.data);
	else
		fail_refuse(fail, "invalid_session",
			    "session %s: this version lists one session at a "
			    "time; give %s",
			    quoted.data, selector_forms);
	buf_release(&quoted);
	return -1;
}

#include "history/history_list.h"

#include <stdlib.h>

#include "history/times.h"
#include "history/wildcard.h"

/* The entry of a query that has one; s is NULL otherwise. */
static struct str
only_entry(const struct arg_list *query)
{
	struct str only = { NULL, 0 };

	for (size_t i = 0; i < query->n; i++) {
		if (query->v[i].n == 0)
			continue;
		if (only.s != NULL)
			return (struct str){ NULL, 0 };
		only = query->v[i];
	}
	return only;
}

static void
select_by(const struct history_list_args *args, const struct fold_query *query,
	  struct page_selection *s)
{
	struct filter *f = &s->filter;

	f->after = args->after_seq.given ? args->after_seq.v : -1;
	f->before = args->before_seq.given ? args->before_seq.v : INT64_MAX;
	f->roles = args->roles.bits;
	f->query = fold_query_empty(query) ? NULL : query;
	f->match_all = args->match_all.v;
	f->conversation = f->roles == 0 && f->query == NULL;
	s->limit = (size_t)args->limit.v;
	s->max_chars = (size_t)args->max_chars_per_item.v;
	s->newest = args->from.given ? args->from.v == HISTORY_LIST_NEWEST
				     : !args->after_seq.given;
}

/* CTX_NO_PREFILTER is for tests: the result must be the same. */
static struct prefilter *
prefilter_for(const struct history_list_args *args,
	      const struct fold_query *query)
{
	const char *off = getenv("CTX_NO_PREFILTER");

	if (fold_query_empty(query) || (off != NULL && *off != '\0'))
		return NULL;
	return hosts_prefilter(args->query.v, args->query.n, args->match_all.v);
}

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

/* The same as an option. */
static const char *
bound_option(const struct history_list_args *args)
{
	return args->before_seq.given  ? "--before-seq"
	       : args->after_seq.given ? "--after-seq"
				       : "--from oldest";
}

static int
refuse_bound(const struct history_list_args *args, struct str wildcard,
	     struct fail *fail)
{
	struct buf quoted = BUF_INIT;

	fail_quote(&quoted, wildcard);
	fail_refuse(fail, "wildcard_bounds",
		    "%s cannot be given with session %s: narrow it by since, "
		    "until, cwd, roles, query or limit, or name one session",
		    bound_given(args), quoted.data);
	fail_for_person(fail,
			"%s cannot be given with --session %s: narrow it by "
			"--since, --until, --cwd, --roles, --query or "
			"--limit, or name one session",
			bound_option(args), quoted.data);
	buf_release(&quoted);
	return -1;
}

int
history_list_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct history_list_args *args = call->args;
	struct str session = resolve_parameter(call, &args->session);
	struct page *page = result;
	struct page_selection selection = { 0 };
	struct selector selector = { 0 };
	struct buf directory = BUF_INIT;
	bool legal = selector_parse(session, &selector);
	struct fold_query *query = NULL;
	struct prefilter *prefilter = NULL;
	struct time_range times;
	int rc = -1;

	page_init(page, call->tool);
	if ((!(legal && selector.wildcard) &&
	     resolve_check_one(&args->cwd, args->agents.v, fail) != 0) ||
	    times_parse(call, &args->since, &args->until, &times, fail) != 0 ||
	    head_wrapper(&page->wrapper, call->facts, fail) != 0 ||
	    resolve_check(call->facts, fail) != 0)
		return -1;
	if (session.n > 0 && resolve_parse(session, &selector, fail) != 0)
		return -1;
	if (selector.wildcard && bound_given(args) != NULL)
		return refuse_bound(args, session, fail);

	query = fold_query_new(args->query.v, args->query.n);
	prefilter = prefilter_for(args, query);
	select_by(args, query, &selection);
	page->query = only_entry(&args->query);
	page->wildcard = selector.wildcard;
	if (selector.wildcard) {
		struct wildcard wildcard = { .facts = call->facts,
					     .selector = &selector,
					     .agents = args->agents.v,
					     .selection = &selection,
					     .times = &times,
					     .prefilter = prefilter };

		if (args->cwd.n > 0 &&
		    resolve_directory(call->facts, arg_str(args->cwd),
				      &directory, fail) != 0)
			goto out;
		if (args->cwd.n > 0)
			wildcard.cwd = buf_str(&directory);
		rc = wildcard_select(page, &wildcard, fail);
		goto out;
	}
	page->session.prefilter = prefilter;
	if (session_open(&page->session, call->facts, session, &times, fail) !=
	    0)
		goto out;
	page->label = buf_str(&page->session.label);
	rc = page_select(page, &selection, fail);
out:
	buf_release(&directory);
	page->hits = query;
	prefilter_free(prefilter);
	page->session.prefilter = NULL;
	return rc;
}

#include "history/everywhere.h"

#include "history/visit.h"
#include "sessions/visiting.h"
#include "sessions/workers.h"
#include "tool/budget.h"

/* Less is read and searched faster by one thread. */
#define WORTH_THREADS (UINT64_C(2) << 20)

struct everywhere {
	struct page *page;
	struct visit_plan plan;
	struct visiting visiting;
	struct visitor visitors[WORKERS_MOST];
	struct visit visits[WORKERS_AHEAD]; /* of i: [i % WORKERS_AHEAD] */
	atomic_bool stop;
	size_t bytes; /* that the rows taken need at least */
	bool bad_leaf;
};

/* ---- visits ------------------------------------------------------------ */

static void
work(void *ctx, unsigned worker, size_t i)
{
	struct everywhere *e = ctx;

	visit_session(&e->plan, &e->visitors[worker], e->visiting.v[i].file,
		      &e->visits[i % WORKERS_AHEAD]);
}

/* Whether there can be more rows on the page than are taken. */
static bool
has_room(const struct everywhere *e)
{
	return e->page->n_rows < e->plan.selection->limit &&
	       e->bytes <= BUDGET_BYTES;
}

static bool
take(void *ctx, size_t i)
{
	struct everywhere *e = ctx;
	struct visit *visit = &e->visits[i % WORKERS_AHEAD];

	e->bad_leaf = visit->outcome == VISIT_BAD_LEAF;
	if (visit->outcome == VISIT_UNREADABLE)
		e->page->sessions_skipped++;
	for (size_t k = 0; k < visit->n && has_room(e); k++) {
		e->bytes += visit_row_bytes(&visit->rows[k]);
		page_take_row(e->page, &visit->rows[k]);
	}
	visit_release(visit);
	if (has_room(e) && !e->bad_leaf)
		return true;
	atomic_store(&e->stop, true);
	return false;
}

/* Without a query a session gives a row, and most pages are soon full. */
static unsigned
threads(const struct everywhere *e)
{
	const struct visiting *v = &e->visiting;
	uint64_t bytes = v->bytes;

	if (e->plan.selection->filter.query == NULL && v->n > 0)
		bytes = bytes / v->n * e->plan.selection->limit;
	return bytes < WORTH_THREADS ? 1 : workers_available();
}

static void
visit_all(struct everywhere *e)
{
	struct workers_job job = {
		.ctx = e, .n = e->visiting.n, .work = work, .take = take
	};

	for (size_t i = 0; i < WORKERS_MOST; i++)
		visitor_init(&e->visitors[i]);
	workers_run(&job, threads(e));
	for (size_t i = 0; i < WORKERS_MOST; i++)
		visitor_release(&e->visitors[i]);
	for (size_t i = 0; i < WORKERS_AHEAD; i++)
		visit_release(&e->visits[i]);
}

/* ---- the page ---------------------------------------------------------- */

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

static int
check_bounds(const struct everywhere_call *call, struct fail *fail)
{
	const char *bound = bound_given(call->args);
	struct buf quoted = BUF_INIT;

	if (bound == NULL)
		return 0;
	fail_quote(&quoted, call->wildcard);
	fail_refuse(fail, "wildcard_bounds",
		    "%s cannot be given with session %s: narrow it by since, "
		    "until, roles, query or limit, or name one session",
		    bound, quoted.data);
	buf_release(&quoted);
	return -1;
}

int
everywhere_select(struct page *page, const struct everywhere_call *call,
		  struct fail *fail)
{
	struct page_selection selection = *call->selection;
	struct corpus *corpus = &page->session.corpus;
	struct everywhere e = { .page = page };
	int rc;

	if (check_bounds(call, fail) != 0)
		return -1;
	selection.filter.conversation = false;
	e.plan = (struct visit_plan){ .selection = &selection,
				      .times = call->times,
				      .prefilter = call->prefilter,
				      .leaf = str_of(
					      fact(call->facts, FACT_LEAF)),
				      .stop = &e.stop };
	corpus_init(corpus, call->facts);
	resolve_wildcard(corpus, call->selector, &e.plan.current);
	visiting_init(&e.visiting, corpus);
	page->sessions_skipped = e.visiting.unreadable;
	visit_all(&e);
	if (e.bad_leaf)
		rc = session_refuse_leaf(call->facts, fail);
	else
		rc = page_fit(page, e.bytes > BUDGET_BYTES, fail);
	visiting_release(&e.visiting);
	return rc;
}

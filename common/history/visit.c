#include "history/visit.h"

#include <errno.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "tool/budget.h"

/* The members that every row of a page over sessions has, without values. */
#define ROW_BYTES 100

void
visitor_init(struct visitor *v)
{
	*v = (struct visitor){ .opener = CORPUS_OPENER_INIT };
	event_init(&v->event);
}

void
visitor_release(struct visitor *v)
{
	corpus_opener_release(&v->opener);
	event_release(&v->event);
	free(v->space);
}

void
visit_release(struct visit *visit)
{
	for (size_t i = 0; i < visit->n; i++)
		page_release_row(&visit->rows[i]);
	free(visit->rows);
	*visit = (struct visit){ 0 };
}

size_t
visit_row_bytes(const struct row *row)
{
	return ROW_BYTES + row->head.session.n + row->shown;
}

/* ---- a source that ends when nobody wants it any more ------------------ */

struct guard {
	struct source base;
	struct source *source;
	const atomic_bool *stop;
};

static long
guard_read(struct source *s, void *p, size_t n)
{
	struct guard *g = (struct guard *)s;

	if (atomic_load_explicit(g->stop, memory_order_relaxed)) {
		errno = ECANCELED;
		return -1;
	}
	return source_read(g->source, p, n);
}

static void
guard_rewind(struct source *s, uint64_t offset)
{
	source_rewind(((struct guard *)s)->source, offset);
}

static bool
guard_read_at(struct source *s, uint64_t offset, void *p, size_t n)
{
	return source_read_at(((struct guard *)s)->source, offset, p, n);
}

static void
guard_close(struct source *s)
{
	source_close(((struct guard *)s)->source);
	free(s);
}

static struct source *
guard(struct source *source, const atomic_bool *stop)
{
	static const struct source_ops ops = { guard_read, guard_rewind,
					       guard_read_at, guard_close };
	struct guard *g = xcalloc(1, sizeof(*g));

	g->base.ops = &ops;
	g->base.size_hint = source->size_hint;
	g->source = source;
	g->stop = stop;
	return &g->base;
}

/* ---- rows -------------------------------------------------------------- */

static void
add_row(const struct visit_plan *plan, struct str label, const struct event *e,
	size_t hit, struct visit *visit)
{
	const struct page_selection *s = plan->selection;

	XGROW(visit->rows, visit->n + 1, visit->cap);
	page_make_row(&visit->rows[visit->n++], label, e,
		      s->filter.query != NULL, hit, s->max_chars);
}

/* A session's hits, newest first. */
static void
add_hits(const struct visit_plan *plan, struct visitor *v, struct transcript *t,
	 struct str label, struct visit *visit)
{
	const struct filter *filter = &plan->selection->filter;
	size_t bytes = 0, hit;

	for (uint32_t seq = transcript_highest(t); seq > 0; seq--) {
		if (!filter_passes(filter, t, seq) ||
		    !event_load(t, seq, &v->event) ||
		    !filter_matches(filter, &v->event, &hit))
			continue;
		add_row(plan, label, &v->event, hit, visit);
		bytes += visit_row_bytes(&visit->rows[visit->n - 1]);
		if (visit->n == plan->selection->limit || bytes > BUDGET_BYTES)
			return;
	}
}

/* How good an event is as the one that stands for its session. */
enum standing {
	STANDING_NONE,
	STANDING_ANY,
	STANDING_ASSISTANT,
	STANDING_USER
};

static enum standing
standing(const struct slot *slot)
{
	if (slot->kind != SLOT_TEXT || (slot->flags & SLOT_EMPTY) != 0)
		return STANDING_ANY;
	return slot->role == ROLE_USER	      ? STANDING_USER
	       : slot->role == ROLE_ASSISTANT ? STANDING_ASSISTANT
					      : STANDING_ANY;
}

/*
 * The newest message of the user, else of the assistant, else the newest event.
 */
static void
add_representative(const struct visit_plan *plan, struct visitor *v,
		   struct transcript *t, struct str label, struct visit *visit)
{
	uint32_t found[STANDING_USER + 1] = { 0 };

	for (uint32_t seq = transcript_highest(t);
	     seq > 0 && found[STANDING_USER] == 0; seq--) {
		enum standing how = standing(transcript_slot(t, seq));

		if (found[how] == 0 &&
		    filter_passes(&plan->selection->filter, t, seq))
			found[how] = seq;
	}
	for (unsigned how = STANDING_USER; how > STANDING_NONE; how--)
		if (found[how] != 0 && event_load(t, found[how], &v->event)) {
			add_row(plan, label, &v->event, 0, visit);
			return;
		}
}

/* ---- a visit ----------------------------------------------------------- */

static void
add_rows(const struct visit_plan *plan, struct visitor *v,
	 const struct corpus_file *file, struct transcript *t,
	 struct visit *visit)
{
	struct buf label = BUF_INIT;

	if (!transcript_select(t,
			       file == plan->current ? plan->leaf : STR(""))) {
		visit->outcome = VISIT_BAD_LEAF;
		return;
	}
	buf_addf(&label, "%s:%s", hosts_name(file->host), file->id);
	if (plan->selection->filter.query != NULL)
		add_hits(plan, v, t, buf_str(&label), visit);
	else
		add_representative(plan, v, t, buf_str(&label), visit);
	buf_release(&label);
}

/*
 * Whether the file has to be indexed: 1, 0, -1 with errno.  The current
 * session is, where CTX_LEAF has to be looked for.
 */
static int
is_candidate(const struct visit_plan *plan, struct visitor *v,
	     const struct corpus_file *file, struct source *source)
{
	int found;

	if (plan->prefilter == NULL ||
	    (file == plan->current && plan->leaf.n > 0))
		return 1;
	if (v->space == NULL)
		v->space = xmalloc(PREFILTER_SPACE);
	found = prefilter_scan(plan->prefilter, source, v->space, plan->stop);
	source_rewind(source, 0);
	return found;
}

void
visit_session(const struct visit_plan *plan, struct visitor *v,
	      const struct corpus_file *file, struct visit *visit)
{
	struct source *source = corpus_open_by(&v->opener, file);
	struct transcript t;
	int candidate;

	*visit = (struct visit){ 0 };
	if (source == NULL) {
		/* One that has gone since it was listed is no session. */
		if (errno != ENOENT)
			visit->outcome = VISIT_UNREADABLE;
		return;
	}
	candidate = is_candidate(plan, v, file, source);
	if (candidate <= 0) {
		if (candidate < 0)
			visit->outcome = VISIT_UNREADABLE;
		source_close(source);
		return;
	}
	if (transcript_open_search(&t, guard(source, plan->stop),
				   hosts_decoder(file->host), plan->times,
				   plan->prefilter) == TRANSCRIPT_OK)
		add_rows(plan, v, file, &t, visit);
	else
		visit->outcome = VISIT_UNREADABLE;
	transcript_close(&t);
}

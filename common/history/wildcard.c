#include "history/wildcard.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/xalloc.h"
#include "sessions/walk.h"
#include "tool/budget.h"

/* Less is read and searched faster by one thread. */
#define WORTH_THREADS (UINT64_C(2) << 20)

/* The members that every row of a page over sessions has, without values. */
#define ROW_BYTES 100

/* What a session gives to the page, in the order in which its rows stand. */
struct visit {
	struct row *rows;
	size_t n, cap;
	uint64_t *ids; /* of their events; of hits only */
	size_t cap_ids;
	bool has_more; /* hits beyond them */
};

struct search {
	struct page *page;
	const struct page_selection *selection;
	struct walk walk;
	struct event events[WORKERS_MOST];  /* one a thread */
	struct visit visits[WORKERS_AHEAD]; /* of i: [i % WORKERS_AHEAD] */
	size_t bytes; /* that the rows taken need at least */
	struct hash_key key;
	struct hash_set taken; /* ids of the events of the rows taken */
};

static void
release_visit(struct visit *visit)
{
	for (size_t i = 0; i < visit->n; i++)
		page_release_row(&visit->rows[i]);
	free(visit->rows);
	free(visit->ids);
	*visit = (struct visit){ 0 };
}

/* Bytes that a row takes on a page at least. */
static size_t
row_bytes(const struct row *row)
{
	return ROW_BYTES + row->head.session.n + row->content.n;
}

/* ---- what one session gives -------------------------------------------- */

static void
add_row(const struct page_selection *s, struct str label, const struct event *e,
	size_t hit, struct visit *visit)
{
	XGROW(visit->rows, visit->n + 1, visit->cap);
	page_make_row(&visit->rows[visit->n++], label, e,
		      s->filter.query != NULL, hit, s->max_chars);
}

static uint64_t
identify(const struct search *s, struct transcript *t, const struct event *e,
	 const struct corpus_file *file)
{
	struct buf identity = BUF_INIT;
	uint64_t id;

	buf_addf(&identity, "%s:", file->host->name);
	event_identity(t, e, (uint64_t)(uintptr_t)file, &identity);
	id = hash_bytes(&s->key, buf_str(&identity));
	buf_release(&identity);
	return id;
}

/* Whether an event is a hit; it is loaded then. */
static bool
is_hit(const struct search *s, struct transcript *t, uint32_t seq,
       struct event *e, size_t *hit)
{
	const struct filter *filter = &s->selection->filter;

	return filter_passes(filter, t, seq) && event_load(t, seq, e) &&
	       filter_matches(filter, e, hit);
}

/* A row and its event's id, as the next ones of the visit. */
static struct row *
add_hit(struct visit *visit, uint64_t id)
{
	XGROW(visit->ids, visit->n + 1, visit->cap_ids);
	XGROW(visit->rows, visit->n + 1, visit->cap);
	visit->ids[visit->n] = id;
	return &visit->rows[visit->n++];
}

/*
 * Its hits, newest first: as many as a page can hold, and as many again, since
 * sessions before it may have had some of them.
 */
static void
add_hits(const struct search *search, const struct corpus_file *file,
	 struct transcript *t, struct str label, struct event *e,
	 struct visit *visit)
{
	const struct page_selection *s = search->selection;
	size_t bytes = 0, hit;

	for (uint32_t seq = transcript_highest(t); seq > 0; seq--) {
		struct row *row;

		if (!is_hit(search, t, seq, e, &hit))
			continue;
		visit->has_more = visit->n == 2 * s->limit ||
				  bytes > 2 * BUDGET_BYTES;
		if (visit->has_more)
			return;
		row = add_hit(visit, identify(search, t, e, file));
		page_make_row(row, label, e, true, hit, s->max_chars);
		bytes += row->content.n;
	}
}

/* The same of what is read one way, the other way round. */
static void
add_hits_one_way(const struct search *search, const struct corpus_file *file,
		 struct transcript *t, struct str label, struct event *e,
		 struct visit *visit)
{
	const struct page_selection *s = search->selection;
	struct newest newest;
	struct row row;
	size_t hit;

	newest_init(&newest, 2 * s->limit, 2 * BUDGET_BYTES);
	for (uint32_t seq = 1; seq <= transcript_highest(t); seq++) {
		if (!is_hit(search, t, seq, e, &hit))
			continue;
		page_make_row(&row, label, e, true, hit, s->max_chars);
		newest_add(&newest, &row, identify(search, t, e, file));
	}
	for (size_t i = 0; i < newest.n; i++) {
		struct newest_row *held = newest_at(&newest, i);

		*add_hit(visit, held->id) = held->row;
		held->row = (struct row){ 0 };
	}
	visit->has_more = newest.dropped;
	newest_release(&newest);
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
add_representative(const struct page_selection *s, struct transcript *t,
		   struct str label, struct event *e, struct visit *visit)
{
	uint32_t found[STANDING_USER + 1] = { 0 };

	for (uint32_t seq = transcript_highest(t);
	     seq > 0 && found[STANDING_USER] == 0; seq--) {
		enum standing how = standing(transcript_slot(t, seq));

		if (found[how] == 0 && filter_passes(&s->filter, t, seq))
			found[how] = seq;
	}
	for (unsigned how = STANDING_USER; how > STANDING_NONE; how--)
		if (found[how] != 0 && event_load(t, found[how], e)) {
			add_row(s, label, e, 0, visit);
			return;
		}
}

static void
visit(void *ctx, unsigned worker, size_t i, struct transcript *t)
{
	struct search *s = ctx;
	const struct corpus_file *file = s->walk.v[i].file;
	struct visit *visit = &s->visits[i % WORKERS_AHEAD];
	struct buf label = BUF_INIT;

	buf_addf(&label, "%s:%s", file->host->name, file->id);
	if (s->selection->filter.query != NULL)
		(t->source->one_way ? add_hits_one_way : add_hits)(
			s, file, t, buf_str(&label), &s->events[worker], visit);
	else
		add_representative(s->selection, t, buf_str(&label),
				   &s->events[worker], visit);
	event_let_go(t, &s->events[worker]);
	buf_release(&label);
}

/* ---- the page ---------------------------------------------------------- */

/* Whether there can be more rows on the page than are taken. */
static bool
has_room(const struct search *s)
{
	return s->page->n_rows < s->selection->limit &&
	       s->bytes <= BUDGET_BYTES;
}

static bool
take(void *ctx, size_t i, enum walk_outcome outcome)
{
	struct search *s = ctx;
	struct visit *visit = &s->visits[i % WORKERS_AHEAD];
	size_t k;

	if (outcome == WALK_UNREADABLE)
		s->page->sessions_skipped++;
	for (k = 0; k < visit->n; k++) {
		if (visit->ids != NULL &&
		    hash_set_has(&s->taken, visit->ids[k]))
			continue;
		if (!has_room(s))
			break;
		if (visit->ids != NULL)
			hash_set_add(&s->taken, visit->ids[k]);
		s->bytes += row_bytes(&visit->rows[k]);
		page_take_row(s->page, &visit->rows[k]);
	}
	s->page->last_has_more = k < visit->n || visit->has_more;
	s->page->not_visited = (int64_t)(s->walk.n - i - 1);
	release_visit(visit);
	return has_room(s);
}

/* Without a query a session gives a row, and most pages are soon full. */
static unsigned
threads(const struct search *s)
{
	uint64_t bytes = s->walk.bytes;

	if (s->selection->filter.query == NULL && s->walk.n > 0)
		bytes = bytes / s->walk.n * s->selection->limit;
	return bytes < WORTH_THREADS ? 1 : workers_available();
}

int
wildcard_select(struct page *page, const struct wildcard *call,
		struct fail *fail)
{
	struct page_selection selection = *call->selection;
	struct corpus *corpus = &page->session.corpus;
	struct search s = { .page = page, .selection = &selection };
	struct walk_job job = { .times = call->times,
				.prefilter = call->prefilter,
				.leaf = str_of(fact(call->facts, FACT_LEAF)),
				.ctx = &s,
				.visit = visit,
				.take = take };
	struct walk_scope scope = { .agents = call->agents, .cwd = call->cwd };
	int rc = -1;

	selection.filter.conversation = false;
	hash_key_random(&s.key);
	corpus_init(corpus, call->facts);
	corpus->agents = call->agents;
	if (call->times->has_since)
		scope.since = &call->times->since;
	resolve_wildcard(corpus, call->selector, &job.current);
	walk_init(&s.walk, corpus, &scope);
	page->sessions_skipped = (int64_t)s.walk.unreadable;
	page->hosts_unavailable = corpus->unavailable;
	page->not_visited = (int64_t)s.walk.n;
	for (size_t i = 0; i < WORKERS_MOST; i++)
		event_init(&s.events[i]);
	if (walk_has(&s.walk, job.current) &&
	    session_check_leaf(corpus, job.current, fail) != 0)
		goto out;
	walk_run(&s.walk, &job, threads(&s));
	rc = page_fit(page, fail);
out:
	for (size_t i = 0; i < WORKERS_MOST; i++)
		event_release(&s.events[i]);
	for (size_t i = 0; i < WORKERS_AHEAD; i++)
		release_visit(&s.visits[i]);
	hash_set_release(&s.taken);
	walk_release(&s.walk);
	return rc;
}

/*
 * Properties of lists over generated sessions: pages that follow one another
 * hold every event of the selection once, and both surfaces stay in bounds,
 * whatever the parameters.
 */
#include "history/history_list.h"
#include "history_round.h"
#include "tool/budget.h"

static const struct tool *declared(void);

/* The parameters of a walk, and what the model says they select. */
struct walk {
	struct history_list_args args;
	struct str query;
	size_t *expected; /* numbers in gen.events */
	size_t n;
};

/* The words that queries are made of have no other case in the texts. */
static bool
contains(const struct buf *document, struct str word)
{
	return memmem(document->data, document->len, word.s, word.n) != NULL;
}

static bool
is_selected(const struct walk *w, const struct gen_event *e)
{
	const struct history_list_args *a = &w->args;

	if (a->after_seq.given && e->seq <= a->after_seq.v)
		return false;
	if (a->before_seq.given && e->seq >= a->before_seq.v)
		return false;
	if (a->roles.bits != 0 && (a->roles.bits >> e->role & 1) == 0)
		return false;
	if (a->query.n > 0)
		return contains(&e->document, w->query);
	return a->roles.bits != 0 || (e->role < 2 && e->document.len > 0);
}

static void
choose(struct round *r, struct walk *w)
{
	static const char *const words[] = { "retry", "Straße", "zero", "😀",
					     "nowhere" };
	struct history_list_args *a = &w->args;

	*w = (struct walk){ 0 };
	a->session.s = a->since.s = a->until.s = "";
	a->from.v = -1;
	a->limit.v = 1 + pick(r, pick(r, 3) == 0 ? 500 : 12);
	a->max_chars_per_item.v = 1 + pick(r, pick(r, 4) == 0 ? 50000 : 300);
	if (pick(r, 3) == 0)
		a->roles.bits = 1 + pick(r, 15);
	if (pick(r, 3) == 0) {
		w->query = str_of(words[pick(r, 5)]);
		a->query = (struct arg_list){ &w->query, 1, true };
	}
	if (pick(r, 3) == 0)
		a->after_seq = (struct arg_integer){ pick(r, r->gen.seq + 3),
						     true };
	if (pick(r, 3) == 0)
		a->before_seq = (struct arg_integer){ pick(r, r->gen.seq + 3),
						      true };
	w->expected = xcalloc(r->gen.n + 1, sizeof(*w->expected));
	for (size_t i = 0; i < r->gen.n; i++)
		if (is_selected(w, &r->gen.events[i]))
			w->expected[w->n++] = i;
}

static bool
list(struct round *r, const struct history_list_args *args, struct page *page)
{
	struct tool_call call = { .tool = declared(),
				  .args = args,
				  .facts = &r->facts };
	struct fail fail = FAIL_INIT;
	bool done = history_list_run(&call, page, &fail) == 0;

	if (!done)
		printf("# %s %u: %s: %s\n", r->host, r->seed, fail.code,
		       fail.message.data);
	fail_release(&fail);
	return done && budget_holds(declared(), page);
}

/* Whether a row says of its event what the model does. */
static bool
row_is(const struct row *row, const struct gen_event *e, struct str query,
       int64_t max_chars)
{
	size_t from = 0, chars, total;

	if (row->head.seq != e->seq || row->head.role != e->role ||
	    row->head.tool_status != e->status)
		return false;
	if (query.n > 0)
		from = (size_t)((const char *)memmem(e->document.data,
						     e->document.len, query.s,
						     query.n) -
				e->document.data);
	total = utf8_count(buf_str(&e->document));
	chars = utf8_count(row->content);
	return row->total_chars == (int64_t)total &&
	       row->start_chars ==
		       utf8_count((struct str){ e->document.data, from }) &&
	       row->offset_chars ==
		       (query.n > 0 ? (int64_t)row->start_chars : FIELD_NONE) &&
	       (int64_t)chars <= max_chars &&
	       memcmp(row->content.s, e->document.data + from,
		      row->content.n) == 0;
}

/* Folded events of the page, added up. */
static int64_t
count_folded(const struct page *p)
{
	int64_t n = 0;

	for (size_t i = 0; i < p->folds.n; i++)
		n += p->folds.v[i].count;
	return n;
}

static int64_t
foldable(const struct round *r, const struct walk *w)
{
	const struct history_list_args *a = &w->args;
	int64_t n = 0;

	if (a->roles.bits != 0 || a->query.n > 0)
		return 0;
	for (size_t i = 0; i < r->gen.n; i++) {
		const struct gen_event *e = &r->gen.events[i];

		n += e->role >= 2 &&
		     (!a->after_seq.given || e->seq > a->after_seq.v) &&
		     (!a->before_seq.given || e->seq < a->before_seq.v);
	}
	return n;
}

/*
 * Follows page_older from the newest end, or page_newer from the oldest.  The
 * rows must be the expected ones, none twice and none left out.
 */
static bool
follow(struct round *r, const struct walk *w, bool newest)
{
	struct history_list_args args = w->args;
	size_t left = w->n, done = 0, pages = 0;
	int64_t folds = 0;
	bool good = true, more = true;

	args.from = (struct arg_enum){ newest ? HISTORY_LIST_NEWEST
					      : HISTORY_LIST_OLDEST,
				       true };
	while (good && more) {
		struct page page = { 0 };

		good = list(r, &args, &page) && page.n_shown <= left &&
		       (int64_t)page.n_shown <= args.limit.v &&
		       page.damage.lines_skipped == (int64_t)r->gen.skipped &&
		       page.damage.records_repeated == (int64_t)r->gen.repeated;
		more = newest ? page.has_older : page.has_newer;
		good = good && !(newest ? page.has_newer : page.has_older) &&
		       (page.n_shown > 0 || !more);
		for (size_t i = 0; good && i < page.n_shown; i++) {
			size_t k = newest ? left - page.n_shown + i : done + i;

			good = row_is(page_row(&page, i),
				      &r->gen.events[w->expected[k]], w->query,
				      args.max_chars_per_item.v);
		}
		if (good) {
			left -= newest ? page.n_shown : 0;
			done += page.n_shown;
			folds += count_folded(&page);
			more = more && ++pages < 100000;
		}
		if (good && more && newest)
			args.before_seq = (struct arg_integer){
				page_row(&page, 0)->head.seq, true
			};
		else if (good && more)
			args.after_seq = (struct arg_integer){
				page_row(&page, page.n_shown - 1)->head.seq,
				true
			};
		page_release(&page);
	}
	return good && done == w->n && folds == foldable(r, w);
}

static void
check_lists(struct round *r)
{
	bool newest = true, oldest = true;

	for (unsigned i = 0; i < 8; i++) {
		struct walk w;

		choose(r, &w);
		newest = newest && follow(r, &w, true);
		oldest = oldest && follow(r, &w, false);
		free(w.expected);
	}
	ok(newest, "%s %u: pages from the newest end join", r->host, r->seed);
	ok(oldest, "%s %u: pages from the oldest end join", r->host, r->seed);
}

int
main(void)
{
	rounds(check_lists);
	return done();
}

/* The declaration says what is printed, and so what has to fit. */
int program(int argc, char *argv[]);
#define main program
#include "../../cmd/history-list.c"
#undef main

static const struct tool *
declared(void)
{
	return &tool;
}

/*
 * Properties of lists and reads over generated sessions: pages that follow one
 * another hold every event of the selection once, windows join to the
 * document, and both surfaces stay in bounds, whatever the parameters.
 */
#include <unistd.h>
#include <zstd.h>

#include "claude_gen.h"
#include "codex_gen.h"
#include "history/history_list.h"
#include "history/history_read.h"
#include "pi_gen.h"
#include "tool/budget.h"

#define ROUNDS 16

static const struct host_gen {
	const char *host;
	void (*make)(struct gen *g, uint64_t seed, unsigned entries);
	bool packed;
} host_gens[] = { { "pi", gen_pi, false },
		  { "claude", gen_claude, false },
		  { "codex", gen_codex, false },
		  { "packed codex", gen_codex, true } };

/* What a round is about. */
struct round {
	const char *host;
	struct gen gen;
	char path[64];
	struct facts facts;
	char *prefix, *suffix;
	uint64_t state;
	unsigned seed;
};

static unsigned
pick(struct round *r, unsigned n)
{
	return (unsigned)(test_random(&r->state) >> 33) % n;
}

/* What zstd makes of the file, in two frames. */
static void
pack(struct buf *file)
{
	size_t half = file->len / 2, size = ZSTD_compressBound(file->len) + 64;
	struct buf packed = BUF_INIT;

	for (unsigned i = 0; i < 2; i++) {
		size_t n = i == 0 ? half : file->len - half;

		packed.len += ZSTD_compress(buf_reserve(&packed, size), size,
					    file->data + (i == 0 ? 0 : half), n,
					    1);
	}
	buf_reset(file);
	buf_add_str(file, buf_str(&packed));
	buf_release(&packed);
}

static void
write_file(struct round *r, bool packed)
{
	const char *end = packed ? ".zst" : "";
	int fd;

	snprintf(r->path, sizeof(r->path), "/tmp/history-pages-XXXXXX%s", end);
	fd = mkstemps(r->path, (int)strlen(end));
	if (packed)
		pack(&r->gen.file);
	if (fd < 0 || write(fd, r->gen.file.data, r->gen.file.len) !=
			      (ssize_t)r->gen.file.len)
		abort();
	close(fd);
	r->facts.value[FACT_SESSION_FILE] = r->path;
}

static char *
filling(unsigned n)
{
	char *s = xmalloc(n + 1);

	memset(s, '.', n);
	s[n] = '\0';
	return s;
}

/* ---- lists ------------------------------------------------------------- */

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
	struct tool_call call = { .args = args, .facts = &r->facts };
	struct fail fail = FAIL_INIT;
	bool done = history_list_run(&call, page, &fail) == 0;

	if (!done)
		printf("# %s %u: %s: %s\n", r->host, r->seed, fail.code,
		       fail.message.data);
	fail_release(&fail);
	return done && budget_fits(page_json, page_text, page);
}

/* Whether a row says of its event what the model does. */
static bool
row_is(const struct row *row, const struct gen_event *e, struct str query,
       int64_t max_chars)
{
	size_t from = 0, chars, total;

	if (row->head.seq != e->seq || (int)row->head.role != e->role)
		return false;
	if (query.n > 0)
		from = (size_t)((const char *)memmem(e->document.data,
						     e->document.len, query.s,
						     query.n) -
				e->document.data);
	total = utf8_count(buf_str(&e->document));
	chars = utf8_count((struct str){ row->content.data, row->shown });
	return row->total_chars == total &&
	       row->offset_chars ==
		       utf8_count((struct str){ e->document.data, from }) &&
	       (int64_t)chars <= max_chars &&
	       memcmp(row->content.data, e->document.data + from, row->shown) ==
		       0;
}

/* Folded events of the page, added up. */
static uint32_t
folded(const struct page *p)
{
	uint32_t n = 0;

	for (size_t i = 0; i < p->folds.n; i++)
		n += p->folds.v[i].count;
	return n;
}

static uint32_t
foldable(const struct round *r, const struct walk *w)
{
	const struct history_list_args *a = &w->args;
	uint32_t n = 0;

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
	uint32_t folds = 0;
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
			folds += folded(&page);
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

/* ---- reads ------------------------------------------------------------- */

static bool
read_all(struct round *r, const struct gen_event *e, struct buf *text)
{
	struct history_read_args args = { .seq = { e->seq, true },
					  .session = { .s = "" } };
	struct tool_call call = { .args = &args, .facts = &r->facts };
	bool good = true;

	do {
		struct history_read_result result = { 0 };
		struct fail fail = FAIL_INIT;

		args.limit_chars.v = 1 + pick(r, pick(r, 2) ? 50000 : 400);
		good = history_read_run(&call, &result, &fail) == 0 &&
		       budget_fits(history_read_json, history_read_text,
				   &result) &&
		       result.total_chars ==
			       utf8_count(buf_str(&e->document)) &&
		       (result.text.n > 0 || result.next_offset_chars < 0);
		if (good)
			buf_add_str(text, result.text);
		args.offset_chars.v = result.next_offset_chars;
		fail_release(&fail);
		history_read_release(&result);
	} while (good && args.offset_chars.v > 0);
	return good;
}

static void
check_reads(struct round *r)
{
	struct buf text = BUF_INIT;
	bool good = true;

	for (unsigned i = 0; good && i < 12; i++) {
		const struct gen_event *e =
			&r->gen.events[pick(r, (unsigned)r->gen.n)];

		buf_reset(&text);
		good = read_all(r, e, &text) &&
		       str_eq(buf_str(&text), buf_str(&e->document));
	}
	ok(good, "%s %u: windows join to the document", r->host, r->seed);
	buf_release(&text);
}

/* Neither a consumed result nor what was rewound away can be read. */
static void
check_hidden(struct round *r)
{
	bool good = true;

	for (size_t i = 0; i < r->gen.n_hidden && i < 40; i++) {
		struct history_read_args args = { .seq = { r->gen.hidden[i],
							   true },
						  .limit_chars = { 10, true },
						  .session = { .s = "" } };
		struct tool_call call = { .args = &args, .facts = &r->facts };
		struct history_read_result result = { 0 };
		struct fail fail = FAIL_INIT;

		good = good && history_read_run(&call, &result, &fail) != 0 &&
		       (strcmp(fail.code, "not_an_event") == 0 ||
			strcmp(fail.code, "not_on_branch") == 0);
		fail_release(&fail);
		history_read_release(&result);
	}
	ok(good, "%s %u: what is no event is refused", r->host, r->seed);
}

static void
check_round(const struct host_gen *made, unsigned seed)
{
	struct round r = { .host = made->host,
			   .seed = seed,
			   .state = seed * 7919u + 17 };

	made->make(&r.gen, seed, 3 + pick(&r, 150));
	r.prefix = filling(pick(&r, 3) ? 0 : pick(&r, 4096));
	r.suffix = filling(pick(&r, 3) ? 0 : pick(&r, 4096));
	if (*r.prefix != '\0')
		r.facts.value[FACT_TEXT_PREFIX] = r.prefix;
	if (*r.suffix != '\0')
		r.facts.value[FACT_TEXT_SUFFIX] = r.suffix;
	write_file(&r, made->packed);
	check_lists(&r);
	check_reads(&r);
	check_hidden(&r);
	unlink(r.path);
	free(r.prefix);
	free(r.suffix);
	gen_release(&r.gen);
}

int
main(void)
{
	for (size_t i = 0; i < sizeof(host_gens) / sizeof(*host_gens); i++)
		for (unsigned seed = 1; seed <= ROUNDS; seed++)
			check_round(&host_gens[i], seed);
	return done();
}

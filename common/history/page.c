#include "history/page.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/json_write.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "tool/budget.h"

/* Of a query, for which looking for any of its words is offered. */
#define WORDS_LEAST 2
#define WORDS_MOST 8

void
page_init(struct page *p)
{
	*p = (struct page){ .session = SESSION_INIT };
}

void
page_release_row(struct row *row)
{
	free(row->label);
	head_release(&row->head);
	buf_release(&row->content);
}

void
page_release(void *page)
{
	struct page *p = page;

	for (size_t i = 0; i < p->n_rows; i++)
		page_release_row(&p->rows[i]);
	free(p->rows);
	folds_release(&p->folds);
	session_release(&p->session);
}

const struct row *
page_row(const struct page *p, size_t i)
{
	return &p->rows[p->newest_first ? p->n_shown - 1 - i : i];
}

/*
 * A content that alone goes over the budget is kept only so far that it still
 * does: no page shows more of it.
 */
static struct str
showable(struct str content)
{
	size_t whole;

	if (content.n <= BUDGET_BYTES)
		return content;
	whole = content.n;
	content.n = BUDGET_BYTES + 1;
	while (content.n < whole &&
	       ((unsigned char)content.s[content.n] & 0xc0) == 0x80)
		content.n++;
	return content;
}

static struct row *
new_row(struct page *p)
{
	XGROW(p->rows, p->n_rows + 1, p->cap_rows);
	return &p->rows[p->n_rows++];
}

static void
set_row(struct row *row, struct str label, const struct event *e, bool is_hit,
	size_t hit, size_t max_chars)
{
	struct str document = buf_str(&e->document), content;

	*row = (struct row){ .head = HEAD_INIT, .content = BUF_INIT };
	head_set(&row->head, label, e);
	row->is_hit = is_hit;
	row->total_chars = utf8_count(document);
	row->offset_chars = utf8_count((struct str){ document.s, hit });
	content = showable(utf8_prefix(str_from(document, hit), max_chars));
	buf_add_str(&row->content, content);
	row->length_chars = utf8_count(content);
	row->shown = content.n;
}

void
page_add_row(struct page *p, const struct event *e, bool is_hit, size_t hit,
	     size_t max_chars)
{
	set_row(new_row(p), p->label, e, is_hit, hit, max_chars);
}

void
page_make_row(struct row *row, struct str label, const struct event *e,
	      bool is_hit, size_t hit, size_t max_chars)
{
	char *copy = xmemdup(label.s, label.n);

	set_row(row, (struct str){ copy, label.n }, e, is_hit, hit, max_chars);
	row->label = copy;
}

void
page_take_row(struct page *p, struct row *row)
{
	*new_row(p) = *row;
	*row = (struct row){ .head = HEAD_INIT, .content = BUF_INIT };
}

int
page_refuse(struct fail *fail)
{
	return fail_refuse(fail, "page_too_large",
			   "not one event fits the page: narrow it by roles, "
			   "by a range of seqs or times, or read one event "
			   "with history_read");
}

/* ---- the row that is too large alone ----------------------------------- */

static bool
fits_shortened(void *ctx, size_t chars)
{
	struct page *p = ctx;
	struct row *row = &p->rows[0];

	row->shown = utf8_offset(buf_str(&row->content), chars);
	return budget_fits(page_json, page_text, p);
}

static bool
shorten_content(struct page *p)
{
	size_t chars = budget_window(p->rows[0].length_chars, fits_shortened,
				     p);

	return chars != BUDGET_NONE && fits_shortened(p, chars);
}

bool
page_shorten(struct page *p)
{
	if (shorten_content(p))
		return true;
	if (p->rows[0].head.role != ROLE_TOOL)
		return false;
	p->rows[0].head.name_omitted = true;
	return shorten_content(p);
}

/* ---- a page of one session --------------------------------------------- */

/* What page_select() knows while it works. */
struct selecting {
	struct page *page;
	const struct page_selection *selection;
	uint32_t first, last; /* bounds */
	bool more;	      /* candidates beyond the rows taken */
};

/*
 * The seqs in the order of admission: the i-th (from 0) of the range.
 */
static uint32_t
seq_at(const struct selecting *s, uint32_t i)
{
	return s->selection->newest ? s->last - i : s->first + i;
}

/*
 * Takes rows until there are enough, or until what they hold goes over the
 * budget, so that not all of them can be shown; then only looks whether there
 * is another.
 */
static void
collect(struct selecting *s)
{
	const struct filter *filter = &s->selection->filter;
	struct transcript *t = &s->page->session.transcript;
	uint32_t n = s->first > s->last ? 0 : s->last - s->first + 1;
	struct event e;
	size_t hit, bytes = 0;
	bool full = false;

	event_init(&e);
	for (uint32_t i = 0; i < n && !s->more; i++) {
		uint32_t seq = seq_at(s, i);

		if (!filter_passes(filter, t, seq) || !event_load(t, seq, &e) ||
		    !filter_matches(filter, &e, &hit))
			continue;
		s->more = full;
		if (full)
			break;
		page_add_row(s->page, &e, filter->query != NULL, hit,
			     s->selection->max_chars);
		bytes += s->page->rows[s->page->n_rows - 1].shown;
		full = s->page->n_rows == s->selection->limit ||
		       bytes > BUDGET_BYTES;
	}
	event_release(&e);
}

/* The folds between, before and after the rows shown. */
static void
build_folds(struct selecting *s)
{
	struct page *p = s->page;
	struct transcript *t = &p->session.transcript;
	uint32_t first = s->first, last = s->last, seq;
	bool starts_run = true;
	size_t next = 0; /* row */

	folds_reset(&p->folds);
	if (!s->selection->filter.conversation)
		return;
	if (p->has_older)
		first = page_row(p, 0)->head.seq;
	if (p->has_newer)
		last = page_row(p, p->n_shown - 1)->head.seq;
	for (seq = first; seq <= last; seq++) {
		if (next < p->n_shown && seq == page_row(p, next)->head.seq) {
			next++;
			starts_run = true;
		} else if (filter_folds(t, seq)) {
			folds_add(&p->folds, t, seq, starts_run);
			starts_run = false;
		}
	}
}

/* Makes the page of the first k rows taken. */
static void
show(struct selecting *s, size_t k)
{
	struct page *p = s->page;
	bool left = k > 0 && (s->more || k < p->n_rows);

	p->n_shown = k;
	p->has_older = left && s->selection->newest;
	p->has_newer = left && !s->selection->newest;
	build_folds(s);
}

static bool
fits_shown(void *ctx, size_t k)
{
	struct selecting *s = ctx;

	show(s, k);
	return budget_fits(page_json, page_text, s->page);
}

int
page_select(struct page *p, const struct page_selection *selection,
	    struct fail *fail)
{
	struct selecting s = { .page = p, .selection = selection };
	size_t least, k;

	p->damage = head_damage(&p->session.transcript);
	p->newest_first = selection->newest;
	filter_bounds(&selection->filter, &p->session.transcript, &s.first,
		      &s.last);
	collect(&s);

	least = p->n_rows > 0 ? 1 : 0;
	k = budget_items(least, p->n_rows, fits_shown, &s);
	if (k != BUDGET_NONE) {
		show(&s, k);
		return 0;
	}
	show(&s, least);
	if (least == 0 || !page_shorten(p))
		return page_refuse(fail);
	return 0;
}

/* ---- a page of many ---------------------------------------------------- */

/*
 * The sessions that rows beyond the first k are of, that which the last row
 * taken is of where it has more, and those not visited.
 */
static int64_t
count_left(const struct page *p, size_t k)
{
	int64_t left = p->not_visited;
	bool has_last = k < p->n_rows;

	for (size_t i = k; i < p->n_rows; i++)
		if (i == k || !str_eq(p->rows[i].head.session,
				      p->rows[i - 1].head.session))
			left++;
	return left + (p->last_has_more && !has_last);
}

static bool
fits_many(void *ctx, size_t k)
{
	struct page *p = ctx;

	p->n_shown = k;
	p->sessions_left = count_left(p, k);
	return budget_fits(page_json, page_text, p);
}

/*
 * What the flag says takes room too: rows may have to go for it that would
 * fit without it.
 */
int
page_fit(struct page *p, struct fail *fail)
{
	size_t least = p->n_rows > 0 ? 1 : 0;
	size_t k = budget_items(least, p->n_rows, fits_many, p);

	if (k == p->n_rows && fits_many(p, k))
		return 0;
	p->cut_by_size = true;
	if (k == BUDGET_NONE)
		k = least;
	while (k > least && !fits_many(p, k))
		k--;
	if (fits_many(p, k) || (k == 1 && page_shorten(p)))
		return 0;
	return page_refuse(fail);
}

/* ---- in which order ---------------------------------------------------- */

/*
 * Rows and folds of a page in the order of their seqs.  A page of several
 * sessions has no folds, and its rows stand as they are.
 */
struct order {
	const struct page *page;
	size_t row, fold;
};

/* The next one: a row, or a fold; false at the end. */
static bool
next(struct order *o, const struct row **row, const struct fold **fold)
{
	const struct page *p = o->page;

	*row = o->row < p->n_shown ? page_row(p, o->row) : NULL;
	*fold = o->fold < p->folds.n ? &p->folds.v[o->fold] : NULL;
	if (*row != NULL && *fold != NULL) {
		if ((*row)->head.seq < (*fold)->first)
			*fold = NULL;
		else
			*row = NULL;
	}
	o->row += *row != NULL;
	o->fold += *fold != NULL;
	return *row != NULL || *fold != NULL;
}

static bool
is_truncated(const struct row *row)
{
	return row->offset_chars > 0 || row->shown < row->content.len ||
	       row->length_chars < row->total_chars;
}

static struct str
shown(const struct row *row)
{
	return (struct str){ row->content.data, row->shown };
}

/*
 * Where to go on: parameters to merge into the next call, as a JSON object,
 * the same in the JSON and in the text.
 */
static void
add_recipe(struct buf *out, const char *bound, uint32_t seq, struct str from,
	   struct str session)
{
	struct json_writer w;

	json_begin(&w, out);
	json_open_object(&w);
	json_member_integer(&w, bound, seq);
	json_member_string(&w, "from", from);
	if (session.n > 0)
		json_member_string(&w, "session", session);
	json_close_object(&w);
}

/* Nothing is added where there are no older events. */
static void
add_older(const struct page *p, struct buf *out)
{
	if (p->has_older)
		add_recipe(out, "before_seq", page_row(p, 0)->head.seq,
			   STR("newest"), p->label);
}

static void
add_newer(const struct page *p, struct buf *out)
{
	if (p->has_newer)
		add_recipe(out, "after_seq",
			   page_row(p, p->n_shown - 1)->head.seq, STR("oldest"),
			   p->label);
}

/* ---- JSON -------------------------------------------------------------- */

static void
row_json(struct json_writer *w, const struct row *row)
{
	json_open_object(w);
	head_json(w, &row->head, false);
	json_member_boolean(w, "truncated", is_truncated(row));
	json_member_integer(w, "total_chars", (int64_t)row->total_chars);
	json_member_string(w, "content", shown(row));
	if (row->is_hit)
		json_member_integer(w, "offset_chars",
				    (int64_t)row->offset_chars);
	json_close_object(w);
}

static void
fold_json(struct json_writer *w, const struct fold *fold, struct str label)
{
	json_open_object(w);
	if (label.n > 0)
		json_member_string(w, "session", label);
	json_member_boolean(w, "folded", true);
	json_member_integer(w, "first_seq", fold->first);
	json_member_integer(w, "last_seq", fold->last);
	json_member_integer(w, "count", fold->count);
	json_key(w, "tools");
	json_open_object(w);
	for (uint32_t i = 0; i < fold->n_tools; i++) {
		json_key_str(w, fold->tools[i].name);
		json_integer(w, fold->tools[i].count);
	}
	json_close_object(w);
	if (fold->omitted > 0)
		json_member_integer(w, "omitted_tools", fold->omitted);
	json_close_object(w);
}

static void
recipe_json(struct json_writer *w, const char *key, const struct page *p,
	    void (*add)(const struct page *p, struct buf *out))
{
	struct buf recipe = BUF_INIT;

	add(p, &recipe);
	if (recipe.len > 0) {
		json_key(w, key);
		json_raw(w, buf_str(&recipe));
	} else {
		json_member_null(w, key);
	}
	buf_release(&recipe);
}

static void
hosts_unavailable_json(struct json_writer *w, unsigned hosts)
{
	json_key(w, "hosts_unavailable");
	json_open_array(w);
	for (const struct host *host = host_table; host->name != NULL; host++)
		if ((hosts & HOST_BIT(host)) != 0)
			json_string(w, str_of(host->name));
	json_close_array(w);
}

void
page_json(const void *page, struct buf *out)
{
	const struct page *p = page;
	struct order order = { .page = p };
	const struct row *row;
	const struct fold *fold;
	struct json_writer w;

	json_begin(&w, out);
	json_open_object(&w);
	json_key(&w, "events");
	json_open_array(&w);
	while (next(&order, &row, &fold)) {
		if (row != NULL)
			row_json(&w, row);
		else
			fold_json(&w, fold, p->label);
	}
	json_close_array(&w);
	recipe_json(&w, "page_older", p, add_older);
	recipe_json(&w, "page_newer", p, add_newer);
	if (p->sessions_skipped > 0)
		json_member_integer(&w, "sessions_skipped",
				    p->sessions_skipped);
	if (p->hosts_unavailable != 0)
		hosts_unavailable_json(&w, p->hosts_unavailable);
	if (p->sessions_left > 0)
		json_member_integer(&w, "sessions_left", p->sessions_left);
	if (p->cut_by_size)
		json_member_boolean(&w, "cut_by_size", true);
	head_damage_json(&w, &p->damage);
	json_close_object(&w);
}

/* ---- text -------------------------------------------------------------- */

static void
row_text(struct buf *out, const struct row *row)
{
	head_text(out, &row->head, false);
	if (is_truncated(row))
		buf_addf(out,
			 "\n[chars %zu-%zu of %zu; read this seq for the rest]",
			 row->offset_chars,
			 row->offset_chars + utf8_count(shown(row)),
			 row->total_chars);
	if (row->shown > 0) {
		buf_addc(out, '\n');
		visible_text(out, shown(row));
	}
}

static void
fold_text(struct buf *out, const struct fold *fold, struct str label)
{
	struct json_writer w;

	head_session_text(out, label);
	buf_addf(out,
		 "seqs %" PRIu32 "-%" PRIu32 " | folded %" PRIu32 " event%s",
		 fold->first, fold->last, fold->count,
		 fold->count == 1 ? "" : "s");
	for (uint32_t i = 0; i < fold->n_tools; i++) {
		buf_adds(out, i == 0 ? " | " : ", ");
		visible_field(out, fold->tools[i].name);
		buf_addf(out, " %" PRIu32, fold->tools[i].count);
	}
	if (fold->omitted > 0)
		buf_addf(out, " | %" PRIu32 " distinct tool names omitted",
			 fold->omitted);
	buf_adds(out, "\n\t→ expand: ");
	json_begin(&w, out);
	json_open_object(&w);
	json_member_integer(&w, "after_seq", (int64_t)fold->first - 1);
	json_member_integer(&w, "before_seq", (int64_t)fold->last + 1);
	json_key(&w, "roles");
	json_raw(&w, STR("[\"tool\",\"context\"]"));
	if (label.n > 0)
		json_member_string(&w, "session", label);
	json_close_object(&w);
}

static void
pages_text(struct buf *out, const struct page *p)
{
	if (!p->has_older && !p->has_newer)
		return;
	buf_adds(out, "\n\n");
	if (p->has_older) {
		buf_adds(out, "→ older: ");
		add_older(p, out);
	}
	if (p->has_older && p->has_newer)
		buf_adds(out, " | ");
	if (p->has_newer) {
		buf_adds(out, "→ newer: ");
		add_newer(p, out);
	}
}

static void
notices_text(struct buf *out, const struct page *p)
{
	size_t start = out->len;

	buf_adds(out, "\n\n");
	head_damage_text(out, &p->damage);
	if (p->sessions_skipped > 0)
		buf_addf(out, "%" PRId64 " unreadable session%s skipped\n",
			 p->sessions_skipped,
			 p->sessions_skipped == 1 ? "" : "s");
	for (const struct host *host = host_table; host->name != NULL; host++)
		if ((p->hosts_unavailable & HOST_BIT(host)) != 0)
			buf_addf(out,
				 "%s transcripts could not be listed "
				 "completely\n",
				 host->name);
	if (p->sessions_left > 0)
		buf_addf(out,
			 "%" PRId64 " session%s not searched to the end: "
			 "narrow by cwd, since, until or query, or raise "
			 "limit\n",
			 p->sessions_left, p->sessions_left == 1 ? "" : "s");
	if (p->cut_by_size)
		buf_adds(out, "page cut at the size limit; narrow it to see "
			      "more\n");
	/* The last line feed, or both where there is nothing to say. */
	buf_truncate(out, out->len == start + 2 ? start : out->len - 1);
}

/* Cuts the next word off, between white space; empty at the end. */
static struct str
next_word(struct str *text)
{
	static const char space[] = " \t\n\v\f\r";
	size_t start = 0, end;

	while (start < text->n && strchr(space, text->s[start]) != NULL)
		start++;
	for (end = start; end < text->n; end++)
		if (strchr(space, text->s[end]) != NULL)
			break;
	*text = str_from(*text, end);
	return (struct str){ text->s - (end - start), end - start };
}

/* A query of a few words was taken as one text: how to look for any of them. */
static void
words_text(struct buf *out, struct str query)
{
	struct str word, rest = query;
	struct buf recipe = BUF_INIT;
	struct json_writer w;
	size_t n = 0;

	while (next_word(&rest).n > 0)
		n++;
	if (n < WORDS_LEAST || n > WORDS_MOST)
		return;
	buf_adds(out, "\nno event holds it as one text; to find any of its "
		      "words: ");
	json_begin(&w, &recipe);
	json_open_object(&w);
	json_key(&w, "query");
	json_open_array(&w);
	while ((word = next_word(&query)).n > 0)
		json_string(&w, word);
	json_close_array(&w);
	json_close_object(&w);
	visible_text(out, buf_str(&recipe));
	buf_release(&recipe);
}

void
page_text(const void *page, struct buf *out)
{
	const struct page *p = page;
	struct order order = { .page = p };
	const struct row *row;
	const struct fold *fold;
	bool any = false;

	buf_add_str(out, p->wrapper.prefix);
	while (next(&order, &row, &fold)) {
		if (any)
			buf_adds(out, "\n\n");
		any = true;
		if (row != NULL)
			row_text(out, row);
		else
			fold_text(out, fold, p->label);
	}
	if (!any) {
		buf_adds(out, "no events match this selection");
		words_text(out, p->query);
	}
	pages_text(out, p);
	notices_text(out, p);
	buf_add_str(out, p->wrapper.suffix);
}

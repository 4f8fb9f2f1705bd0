#include "history/page.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "tool/budget.h"

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

	p->lines_skipped = p->session.transcript.lines_skipped;
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

static bool
fits_many(void *ctx, size_t k)
{
	struct page *p = ctx;

	p->n_shown = k;
	return budget_fits(page_json, page_text, p);
}

/*
 * What the flag says takes room too: rows may have to go for it that would
 * fit without it.
 */
int
page_fit(struct page *p, bool more, struct fail *fail)
{
	size_t least = p->n_rows > 0 ? 1 : 0;
	size_t k = budget_items(least, p->n_rows, fits_many, p);

	if (k == p->n_rows && !more) {
		p->n_shown = k;
		return 0;
	}
	p->cut_by_size = true;
	if (k == BUDGET_NONE)
		k = least;
	while (k > least && !fits_many(p, k))
		k--;
	if (fits_many(p, k) || (k == 1 && page_shorten(p)))
		return 0;
	return page_refuse(fail);
}

#include "history/page.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/json_write.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "tool/budget.h"
#include "tool/result.h"

void
page_init(struct page *p, const struct tool *tool)
{
	*p = (struct page){ .tool = tool, .session = SESSION_INIT };
}

void
page_release_row(struct row *row)
{
	free(row->label);
	head_release(&row->head);
	buf_release(&row->held);
}

void
page_release(void *page)
{
	struct page *p = page;

	for (size_t i = 0; i < p->n_rows; i++)
		page_release_row(&p->rows[i]);
	free(p->rows);
	free(p->order);
	free(p->host_names);
	fold_query_free(p->hits);
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

/* Shows the first bytes of what is held. */
static void
show_content(struct row *row, size_t bytes)
{
	row->content = (struct str){ row->held.data, bytes };
	row->truncated = row->start_chars > 0 || bytes < row->held.len ||
			 (int64_t)row->length_chars < row->total_chars;
}

static void
set_row(struct row *row, struct str label, const struct event *e, bool is_hit,
	size_t hit, size_t max_chars)
{
	struct str document = buf_str(&e->document), content;

	*row = (struct row){ .head = HEAD_INIT, .held = BUF_INIT };
	head_set(&row->head, label, e);
	row->total_chars = (int64_t)utf8_count(document);
	row->start_chars = utf8_count((struct str){ document.s, hit });
	row->offset_chars = is_hit ? (int64_t)row->start_chars : FIELD_NONE;
	content = showable(utf8_prefix(str_from(document, hit), max_chars));
	buf_add_str(&row->held, content);
	row->length_chars = utf8_count(content);
	show_content(row, content.n);
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
	*row = (struct row){ .head = HEAD_INIT, .held = BUF_INIT };
}

/* ---- rows that are met oldest first ------------------------------------ */

void
newest_init(struct newest *ring, size_t most, size_t most_bytes)
{
	*ring = (struct newest){ .v = xcalloc(most, sizeof(*ring->v)),
				 .most = most,
				 .most_bytes = most_bytes };
}

struct newest_row *
newest_at(struct newest *ring, size_t i)
{
	size_t at = ring->start + ring->n - 1 - i;

	return &ring->v[at % ring->most];
}

static void
drop_oldest(struct newest *ring)
{
	struct row *row = &ring->v[ring->start].row;

	ring->bytes -= row->content.n;
	page_release_row(row);
	ring->start = (ring->start + 1) % ring->most;
	ring->n--;
	ring->dropped = true;
}

void
newest_release(struct newest *ring)
{
	while (ring->n > 0)
		drop_oldest(ring);
	free(ring->v);
}

void
newest_add(struct newest *ring, struct row *row, uint64_t id)
{
	if (ring->n == ring->most)
		drop_oldest(ring);
	ring->bytes += row->content.n;
	ring->n++;
	*newest_at(ring, 0) = (struct newest_row){ *row, id };
	while (ring->n > 1 && ring->bytes - ring->v[ring->start].row.content.n >
				      ring->most_bytes)
		drop_oldest(ring);
}

int
page_refuse(struct fail *fail)
{
	return fail_refuse(fail, "page_too_large",
			   "not one event fits the page: narrow it by roles, "
			   "by a range of seqs or times, or read one event "
			   "with history_read");
}

/* ---- what is shown ----------------------------------------------------- */

/* Kinds of rows, as the table of events has them. */
enum { EVENT_ROW, FOLD_ROW };

/*
 * Rows and folds in the order of their seqs.  A page of several sessions has
 * no folds, and its rows stand as they are.
 */
static void
order_events(struct page *p)
{
	size_t n = 0, row = 0, fold = 0;

	while (row < p->n_shown || fold < p->folds.n) {
		const struct row *r = row < p->n_shown ? page_row(p, row)
						       : NULL;
		struct fold *f = fold < p->folds.n ? &p->folds.v[fold] : NULL;
		bool is_row = f == NULL ||
			      (r != NULL && r->head.seq < f->first);

		XGROW(p->order, n + 1, p->cap_order);
		if (is_row) {
			p->order[n++] = (struct field_kind){ EVENT_ROW, r };
			row++;
			continue;
		}
		f->folded = true;
		f->tools_shown = (struct field_list){ f->tools, f->n_tools };
		if (p->label.n > 0)
			f->session = p->label;
		p->order[n++] = (struct field_kind){ FOLD_ROW, f };
		fold++;
	}
	p->events = (struct field_list){ p->order, n };
}

static const struct page_recipe *
make_recipe(struct page_recipe *recipe, const struct page *p, size_t row)
{
	*recipe = (struct page_recipe){ .seq = page_row(p, row)->head.seq };
	if (p->label.n > 0)
		recipe->session = p->label;
	return recipe;
}

/* Makes the members that are printed, and tells whether both surfaces fit. */
static bool
holds(struct page *p)
{
	order_events(p);
	free(p->host_names);
	p->hosts = head_hosts(p->hosts_unavailable, &p->host_names);
	p->page_older = p->has_older ? make_recipe(&p->recipe_older, p, 0)
				     : NULL;
	p->page_newer = p->has_newer ? make_recipe(&p->recipe_newer, p,
						   p->n_shown - 1)
				     : NULL;
	return budget_holds(p->tool, p);
}

static const char *const newest[] = { "newest", NULL };
static const char *const oldest[] = { "oldest", NULL };

#define RECIPE(member) .offset = offsetof(struct page_recipe, member)

const struct field page_older_fields[] = {
	{ .name = "before_seq", .type = FIELD_INTEGER, RECIPE(seq) },
	{ .name = "from", .type = FIELD_ENUM, RECIPE(from), .values = newest },
	{ .name = "session",
	  .type = FIELD_STRING,
	  RECIPE(session),
	  .optional = true },
	FIELD_END
};

const struct field page_newer_fields[] = {
	{ .name = "after_seq", .type = FIELD_INTEGER, RECIPE(seq) },
	{ .name = "from", .type = FIELD_ENUM, RECIPE(from), .values = oldest },
	{ .name = "session",
	  .type = FIELD_STRING,
	  RECIPE(session),
	  .optional = true },
	FIELD_END
};

/* ---- the row that is too large alone ----------------------------------- */

static bool
fits_shortened(void *ctx, size_t chars)
{
	struct page *p = ctx;
	struct row *row = &p->rows[0];

	show_content(row, utf8_offset(buf_str(&row->held), chars));
	return holds(p);
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
	head_omit_name(&p->rows[0].head);
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

/* Whether an event is a candidate; it is loaded then. */
static bool
is_row(const struct selecting *s, uint32_t seq, struct event *e, size_t *hit)
{
	const struct filter *filter = &s->selection->filter;
	struct transcript *t = &s->page->session.transcript;

	return filter_passes(filter, t, seq) && event_load(t, seq, e) &&
	       filter_matches(filter, e, hit);
}

/*
 * Takes rows until there are enough, or until what they hold goes over the
 * budget, so that not all of them can be shown; then only checks whether there
 * is another.
 */
static void
collect(struct selecting *s, struct event *e)
{
	uint32_t n = s->first > s->last ? 0 : s->last - s->first + 1;
	size_t hit, bytes = 0;
	bool full = false;

	for (uint32_t i = 0; i < n && !s->more; i++) {
		if (!is_row(s, seq_at(s, i), e, &hit))
			continue;
		s->more = full;
		if (full)
			break;
		page_add_row(s->page, e, s->selection->filter.query != NULL,
			     hit, s->selection->max_chars);
		bytes += s->page->rows[s->page->n_rows - 1].content.n;
		full = s->page->n_rows == s->selection->limit ||
		       bytes > BUDGET_BYTES;
	}
}

/* The same from the newest end of what is read one way, from the other. */
static void
collect_one_way(struct selecting *s, struct event *e)
{
	const struct page_selection *selection = s->selection;
	const struct transcript *t = &s->page->session.transcript;
	uint32_t seq = s->last + 1;
	struct newest ring;
	struct row row;
	size_t hit, n = 0;

	/* Without a query the documents of the others need no look. */
	while (seq > s->first && n <= selection->limit)
		n += filter_passes(&selection->filter, t, --seq) &&
		     selection->filter.query == NULL;
	newest_init(&ring, selection->limit, BUDGET_BYTES);
	for (; seq <= s->last; seq++) {
		if (!is_row(s, seq, e, &hit))
			continue;
		set_row(&row, s->page->label, e,
			selection->filter.query != NULL, hit,
			selection->max_chars);
		newest_add(&ring, &row, 0);
	}
	for (size_t i = 0; i < ring.n; i++)
		page_take_row(s->page, &newest_at(&ring, i)->row);
	s->more = ring.dropped;
	newest_release(&ring);
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
		first = (uint32_t)page_row(p, 0)->head.seq;
	if (p->has_newer)
		last = (uint32_t)page_row(p, p->n_shown - 1)->head.seq;
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
	return holds(s->page);
}

int
page_select(struct page *p, const struct page_selection *selection,
	    struct fail *fail)
{
	struct selecting s = { .page = p, .selection = selection };
	struct event e;
	size_t least, k;

	p->damage = head_damage(&p->session.transcript);
	p->newest_first = selection->newest;
	filter_bounds(&selection->filter, &p->session.transcript, &s.first,
		      &s.last);
	event_init(&e);
	if (selection->newest && p->session.transcript.source->one_way)
		collect_one_way(&s, &e);
	else
		collect(&s, &e);
	event_release(&e);

	least = p->n_rows > 0 ? 1 : 0;
	k = budget_items(least, p->n_rows, fits_shown, &s);
	if (k != BUDGET_NONE) {
		(void)fits_shown(&s, k);
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
	return holds(p);
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

/* ---- text -------------------------------------------------------------- */

static void
row_text(struct buf *out, const struct terminal *t, const struct page *p,
	 const struct row *row)
{
	struct head head = row->head;

	/* It stands above the rows of its session. */
	if (t != NULL && p->wildcard)
		head.session = (struct str){ NULL, 0 };
	head_text(out, t, &head, false);
	if (row->truncated)
		buf_addf(out,
			 "\n[chars %zu-%zu of %" PRId64
			 "; read this seq for the rest]",
			 row->start_chars,
			 row->start_chars + utf8_count(row->content),
			 row->total_chars);
	if (row->content.n > 0) {
		buf_addc(out, '\n');
		terminal_hits(out, t, p->hits, row->content);
	}
}

/* Of a page of many sessions: the one whose rows begin. */
static void
session_text(struct buf *out, const struct terminal *t, const struct row *row,
	     const struct row *before)
{
	if (before != NULL && str_eq(row->head.session, before->head.session))
		return;
	buf_adds(out, "session ");
	terminal_field(out, t, TERMINAL_ADDRESS, row->head.session);
	buf_addc(out, '\n');
}

static void
fold_text(struct buf *out, const struct terminal *t, const struct fold *fold)
{
	struct json_writer w;

	head_session_text(out, t, fold->session);
	buf_addf(out, "seqs %" PRId64 "-%" PRId64 " | folded ", fold->first,
		 fold->last);
	buf_add_count(out, (uint64_t)fold->count, "event");
	for (uint32_t i = 0; i < fold->n_tools; i++) {
		buf_adds(out, i == 0 ? " | " : ", ");
		visible_field(out, fold->tools[i].name);
		buf_addf(out, " %" PRId64, fold->tools[i].n);
	}
	if (fold->omitted > 0)
		buf_addf(out, " | %" PRId64 " distinct tool names omitted",
			 fold->omitted);
	buf_adds(out, "\n\t→ expand: ");
	if (t != NULL) {
		buf_addf(out,
			 "--after-seq %" PRId64 " --before-seq %" PRId64
			 " --roles tool --roles context",
			 fold->first - 1, fold->last + 1);
		head_session_option(out, fold->session);
		return;
	}
	json_begin(&w, out);
	json_open_object(&w);
	json_member_integer(&w, "after_seq", fold->first - 1);
	json_member_integer(&w, "before_seq", fold->last + 1);
	json_key(&w, "roles");
	json_raw(&w, STR("[\"tool\",\"context\"]"));
	if (fold->session.n > 0)
		json_member_string(&w, "session", fold->session);
	json_close_object(&w);
}

static void
recipe_text(struct buf *out, const struct terminal *t, const char *label,
	    const struct field *fields, const struct page_recipe *recipe)
{
	struct json_writer w;

	buf_adds(out, label);
	if (t != NULL) {
		buf_addf(out,
			 fields == page_older_fields
				 ? "--before-seq %" PRId64 " --from newest"
				 : "--after-seq %" PRId64 " --from oldest",
			 recipe->seq);
		head_session_option(out, recipe->session);
		return;
	}
	json_begin(&w, out);
	result_object(&w, fields, recipe);
}

static void
pages_text(struct buf *out, const struct terminal *t, const struct page *p)
{
	if (p->page_older == NULL && p->page_newer == NULL)
		return;
	buf_adds(out, "\n\n");
	if (p->page_older != NULL)
		recipe_text(out, t, "→ older: ", page_older_fields,
			    p->page_older);
	if (p->page_older != NULL && p->page_newer != NULL)
		buf_adds(out, " | ");
	if (p->page_newer != NULL)
		recipe_text(out, t, "→ newer: ", page_newer_fields,
			    p->page_newer);
}

static void
notices_text(struct buf *out, const struct terminal *t, const struct page *p)
{
	size_t start = out->len;

	buf_adds(out, "\n\n");
	head_damage_text(out, &p->damage);
	if (p->sessions_skipped > 0) {
		buf_add_count(out, (uint64_t)p->sessions_skipped,
			      "unreadable session");
		buf_adds(out, " skipped\n");
	}
	head_hosts_text(out, &p->hosts);
	head_left_text(out, t, p->sessions_left);
	if (p->cut_by_size)
		buf_adds(out, "page cut at the size limit; narrow it to see "
			      "more\n");
	/* The last line feed, or both where there is nothing to say. */
	buf_truncate(out, out->len == start + 2 ? start : out->len - 1);
}

void
page_person(const void *page, const struct terminal *t, struct buf *out)
{
	const struct page *p = page;
	const struct field_kind *events = p->order;
	const struct row *before = NULL;

	buf_add_str(out, p->wrapper.prefix);
	for (size_t i = 0; i < p->events.n; i++) {
		if (i > 0)
			buf_adds(out, "\n\n");
		if (events[i].kind == FOLD_ROW) {
			fold_text(out, t, events[i].v);
			continue;
		}
		if (t != NULL && p->wildcard)
			session_text(out, t, events[i].v, before);
		row_text(out, t, p, events[i].v);
		before = events[i].v;
	}
	if (p->events.n == 0) {
		buf_adds(out, "no events match this selection");
		head_offer_words(out, t, p->query);
	}
	pages_text(out, t, p);
	notices_text(out, t, p);
	buf_add_str(out, p->wrapper.suffix);
}

void
page_text(const void *page, struct buf *out)
{
	page_person(page, NULL, out);
}

#include <inttypes.h>

#include "base/json_write.h"
#include "base/visible.h"
#include "history/page.h"
#include "history/recipe.h"

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

/* The two recipes; nothing is added for one that there is not. */
static void
add_older(const struct page *p, struct buf *out)
{
	if (p->has_older)
		recipe_older(out, page_row(p, 0)->head.seq, p->label);
}

static void
add_newer(const struct page *p, struct buf *out)
{
	if (p->has_newer)
		recipe_newer(out, page_row(p, p->n_shown - 1)->head.seq,
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
				    (int64_t)p->sessions_skipped);
	if (p->cut_by_size)
		json_member_boolean(&w, "cut_by_size", true);
	if (p->lines_skipped > 0)
		json_member_integer(&w, "lines_skipped",
				    (int64_t)p->lines_skipped);
	json_close_object(&w);
}

/* ---- text -------------------------------------------------------------- */

static void
row_text(struct buf *out, const struct row *row)
{
	head_text(out, &row->head, false);
	if (is_truncated(row))
		buf_addf(out,
			 "\n[preview of %zu chars from offset %zu; "
			 "read this seq for the rest]",
			 row->total_chars, row->offset_chars);
	if (row->shown > 0) {
		buf_addc(out, '\n');
		visible_text(out, shown(row));
	}
}

static void
fold_text(struct buf *out, const struct fold *fold, struct str label)
{
	head_session_text(out, label);
	buf_addf(out,
		 "seqs %" PRIu32 "-%" PRIu32 " | folded %" PRIu32 " events",
		 fold->first, fold->last, fold->count);
	for (uint32_t i = 0; i < fold->n_tools; i++) {
		buf_adds(out, i == 0 ? " | " : ", ");
		visible_field(out, fold->tools[i].name);
		buf_addf(out, " %" PRIu32, fold->tools[i].count);
	}
	if (fold->omitted > 0)
		buf_addf(out, " | %" PRIu32 " distinct tool names omitted",
			 fold->omitted);
	buf_adds(out, "\n\t→ expand: ");
	recipe_expand(out, fold->first, fold->last, label);
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
	const char *before = "\n\n";

	if (p->lines_skipped > 0) {
		buf_addf(out, "%s%" PRIu64 " malformed line%s skipped", before,
			 p->lines_skipped, p->lines_skipped == 1 ? "" : "s");
		before = "\n";
	}
	if (p->sessions_skipped > 0) {
		buf_addf(out, "%s%" PRIu64 " unreadable session%s skipped",
			 before, p->sessions_skipped,
			 p->sessions_skipped == 1 ? "" : "s");
		before = "\n";
	}
	if (p->cut_by_size)
		buf_addf(out,
			 "%spage cut at the size limit; "
			 "narrow it to see more",
			 before);
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
	if (!any)
		buf_adds(out, "no events match this selection");
	pages_text(out, p);
	notices_text(out, p);
	buf_add_str(out, p->wrapper.suffix);
}

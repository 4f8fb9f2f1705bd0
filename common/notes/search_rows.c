/* The rows of a search: what is held of them, and what is shown. */

#include "base/utf8.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "notes/search.h"
#include "tool/budget.h"

/*
 * A hit's least size in the JSON without its text:
 * {"line":1,"text":"","truncated":false,"offset_chars":0}
 */
#define HIT_COST 55

/* Beyond this many bytes of hits, rows that cannot be shown lose theirs. */
#define HELD_MAX ((size_t)1 << 20)

#define TRUNCATED " [truncated]"

static struct str
cut(struct str text, size_t max)
{
	if (text.n <= max)
		return text;
	while (max > 0 && ((unsigned char)text.s[max] & 0xc0) == 0x80)
		max--;
	return (struct str){ text.s, max };
}

/*
 * Once the hits of one row cost as much as a surface holds, it cannot be
 * shown whole, and no more of them will be shown than are held already.
 */
void
search_add_hit(const struct search *search, struct search_row *row, size_t line,
	       size_t offset, struct str text)
{
	row->total++;
	if (row->total > search->most_hits)
		return;
	if (row->cost >= BUDGET_BYTES) {
		row->partial = true;
		return;
	}
	text = cut(text, BUDGET_BYTES);
	XGROW(row->hits, row->n + 1, row->cap);
	row->hits[row->n++] =
		(struct search_hit){ .line = line,
				     .offset = offset,
				     .text = xmemdup(text.s, text.n),
				     .length = text.n };
	row->cost += text.n + HIT_COST;
}

static void
drop_hits(struct search_row *row)
{
	size_t i;

	for (i = 0; i < row->n; i++)
		free(row->hits[i].text);
	free(row->hits);
	row->hits = NULL;
	row->n = row->cap = 0;
}

static int
row_cmp(const void *a, const void *b)
{
	const struct search_row *x = a, *y = b;

	return list_cmp(x->note.updated_at, x->note.address, y->note.updated_at,
			y->note.address);
}

void
search_sort(struct search *search)
{
	if (search->n > 1)
		qsort(search->rows, search->n, sizeof(*search->rows), row_cmp);
}

/*
 * Rows that come after a surface full of hits will not be shown; rows found
 * later can only push them further down.
 */
static void
drop_hidden(struct search *search)
{
	size_t i, before = 0;

	search_sort(search);
	search->held = 0;
	for (i = 0; i < search->n; i++) {
		struct search_row *row = &search->rows[i];

		if (before > BUDGET_BYTES) {
			row->partial |= row->n > 0;
			drop_hits(row);
		} else {
			search->held += row->cost;
		}
		before += row->cost;
	}
}

void
search_add_row(struct search *search, struct search_row *row)
{
	XGROW(search->rows, search->n + 1, search->cap);
	search->rows[search->n++] = *row;
	search->held += row->cost;
	if (search->held > HELD_MAX)
		drop_hidden(search);
}

void
search_release(void *result)
{
	struct search *search = result;
	size_t i;

	for (i = 0; i < search->n; i++) {
		free(search->rows[i].note.address);
		drop_hits(&search->rows[i]);
	}
	free(search->rows);
	survey_release(&search->survey);
	*search = (struct search){ 0 };
}

/* ---- fitting ----------------------------------------------------------- */

static bool
fits_rows(void *ctx, size_t k)
{
	struct search *search = ctx;
	size_t i;

	for (i = 0; i < k; i++) {
		if (search->rows[i].partial)
			return false;
		search->rows[i].shown = search->rows[i].n;
	}
	search->delivered = k;
	return budget_fits(search_json, search_text, search);
}

/* The first row with its first k hits. */
static bool
fits_hits(void *ctx, size_t k)
{
	struct search *search = ctx;

	search->delivered = 1;
	search->rows[0].shown = k;
	return budget_fits(search_json, search_text, search);
}

/* A prefix of the first hit, in characters of the whole. */
struct prefix {
	struct search *search;
	struct str whole;
};

static bool
fits_prefix(void *ctx, size_t k)
{
	const struct prefix *p = ctx;

	p->search->rows[0].hits[0].length = utf8_prefix(p->whole, k).n;
	return budget_fits(search_json, search_text, p->search);
}

/* The first row does not fit whole: its first hits, or the start of one. */
static int
fit_first(struct search *search, struct fail *fail)
{
	struct search_row *row = &search->rows[0];
	struct prefix prefix = { search, { NULL, 0 } };
	size_t k;

	k = budget_items(1, row->n, fits_hits, search);
	if (k != BUDGET_NONE) {
		row->shown = k;
		return 0;
	}
	row->shown = 1;
	row->hits[0].truncated = true;
	prefix.whole = (struct str){ row->hits[0].text, row->hits[0].length };
	k = budget_items(1, utf8_count(prefix.whole), fits_prefix, &prefix);
	if (k == BUDGET_NONE)
		return fail_refuse(fail, "output_too_large",
				   "not one character of the first match "
				   "fits; narrow with glob");
	row->hits[0].length = utf8_prefix(prefix.whole, k).n;
	return 0;
}

int
search_fit(struct search *search, size_t most, struct fail *fail)
{
	size_t k = budget_items(0, most, fits_rows, search);

	if (k == BUDGET_NONE)
		return list_fail_envelope(fail);
	search->delivered = k;
	if (k == 0 && most > 0 && search->rows[0].n > 0) {
		search->delivered = 1;
		return fit_first(search, fail);
	}
	return 0;
}

/* ---- rendering --------------------------------------------------------- */

static void
hit_json(struct json_writer *w, const struct search_hit *hit)
{
	struct buf text = BUF_INIT;

	buf_add(&text, hit->text, hit->length);
	if (hit->truncated)
		buf_adds(&text, TRUNCATED);
	json_open_object(w);
	json_member_integer(w, "line", (int64_t)hit->line);
	json_member_string(w, "text", buf_str(&text));
	json_member_boolean(w, "truncated", hit->truncated);
	json_member_integer(w, "offset_chars", (int64_t)hit->offset);
	json_close_object(w);
	buf_release(&text);
}

static void
row_json(struct json_writer *w, const struct survey *survey,
	 const struct search_row *row)
{
	size_t i;

	json_open_object(w);
	survey_json_identity(w, survey, row->note.address);
	list_json_times(w, &row->note);
	json_member_integer(w, "matches_total", (int64_t)row->total);
	json_key(w, "matches");
	json_open_array(w);
	for (i = 0; i < row->shown; i++)
		hit_json(w, &row->hits[i]);
	json_close_array(w);
	json_close_object(w);
}

void
search_json(const void *result, struct buf *out)
{
	const struct search *search = result;
	struct json_writer w;
	size_t i;

	json_begin(&w, out);
	json_open_object(&w);
	json_key(&w, "files");
	json_open_array(&w);
	for (i = 0; i < search->delivered; i++)
		row_json(&w, &search->survey, &search->rows[i]);
	json_close_array(&w);
	json_member_integer(&w, "more",
			    (int64_t)(search->n - search->delivered));
	json_member_integer(&w, "crumpled_excluded",
			    (int64_t)search->crumpled_excluded);
	survey_json(&search->survey, &w);
	json_close_object(&w);
}

static void
row_text(struct buf *out, const struct survey *survey,
	 const struct search_row *row)
{
	size_t i;

	buf_adds(out, "\n- ");
	survey_text_identity(out, survey, row->note.address);
	list_text_times(out, &row->note);
	buf_addf(out, " | %zu %s", row->total,
		 row->total == 1 ? "match" : "matches");
	if (row->shown < row->total)
		buf_addf(out, " (%zu shown)", row->shown);
	for (i = 0; i < row->shown; i++) {
		const struct search_hit *hit = &row->hits[i];

		buf_addf(out, "\n  line %zu at offset_chars %zu: ", hit->line,
			 hit->offset);
		visible_text(out, (struct str){ hit->text, hit->length });
		if (hit->truncated)
			buf_adds(out, TRUNCATED);
	}
}

void
search_text(const void *result, struct buf *out)
{
	const struct search *search = result;
	size_t i;

	survey_count(out, search->delivered, "", "file");
	for (i = 0; i < search->delivered; i++)
		row_text(out, &search->survey, &search->rows[i]);
	list_text_trailers(out, &search->survey, search->n - search->delivered,
			   "file", search->crumpled_excluded);
}

#include "notes/notes_search.h"

#include <inttypes.h>
#include <unistd.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "notes/note.h"
#include "text/fold.h"
#include "tool/budget.h"
#include "tool/terminal.h"

/*
 * A hit's least size in the JSON without its text:
 * {"line":1,"text":"","truncated":false,"offset_chars":0}
 */
#define HIT_COST 55

/* Beyond this many bytes of hits, rows that cannot be shown lose theirs. */
#define HELD_MAX ((size_t)1 << 20)

#define TRUNCATED " [truncated]"

/* ---- rows -------------------------------------------------------------- */

/*
 * What is shown of a line: of a long one the characters around the match,
 * which is at byte `match` of the line.
 */
static struct str
cut_excerpt(struct notes_search_hit *hit, struct str line, size_t match)
{
	size_t total, before, start;

	hit->text_offset = FIELD_NONE;
	if (line.n <= NOTES_SEARCH_EXCERPT)
		return line;
	total = utf8_count(line);
	if (total <= NOTES_SEARCH_EXCERPT)
		return line;
	before = utf8_count((struct str){ line.s, match });
	start = before < NOTES_SEARCH_BEFORE ? 0 : before - NOTES_SEARCH_BEFORE;
	if (start > total - NOTES_SEARCH_EXCERPT)
		start = total - NOTES_SEARCH_EXCERPT;
	hit->truncated = true;
	hit->text_offset = hit->offset - (int64_t)(before - start);
	hit->more_before = start > 0;
	hit->more_after = start + NOTES_SEARCH_EXCERPT < total;
	return utf8_prefix(str_from(line, utf8_offset(line, start)),
			   NOTES_SEARCH_EXCERPT);
}

/*
 * Counts a hit, and holds it when it can still be shown: once the hits of one
 * row cost as much as a surface holds, it cannot be shown whole, and no more
 * of them will be shown than are held already.
 */
static void
add_hit(const struct notes_search_result *search, struct notes_search_row *row,
	struct notes_search_hit hit, struct str line, size_t match)
{
	row->total++;
	if (row->total > search->most_hits)
		return;
	if (row->partial)
		return;
	if (row->cost >= BUDGET_BYTES) {
		row->partial = true;
		return;
	}
	hit.text = cut_excerpt(&hit, line, match);
	hit.excerpt = xmemdup(hit.text.s, hit.text.n);
	hit.text.s = hit.excerpt;
	XGROW(row->hits, row->n + 1, row->cap);
	row->hits[row->n++] = hit;
	row->cost += hit.text.n + HIT_COST;
}

static void
drop_hits(struct notes_search_row *row)
{
	for (size_t i = 0; i < row->n; i++)
		free(row->hits[i].excerpt);
	free(row->hits);
	row->hits = NULL;
	row->n = row->cap = 0;
}

static int
row_cmp(const void *a, const void *b)
{
	const struct notes_search_row *x = a, *y = b;

	return notes_list_cmp(x->note.updated_at, x->note.address,
			      y->note.updated_at, y->note.address);
}

static void
sort_rows(struct notes_search_result *search)
{
	if (search->n > 1)
		qsort(search->rows, search->n, sizeof(*search->rows), row_cmp);
}

/*
 * Rows that come after a surface full of hits will not be shown; rows found
 * later can only push them further down.
 */
static void
drop_hidden(struct notes_search_result *search)
{
	size_t i, before = 0;

	sort_rows(search);
	search->held = 0;
	search->hidden = NULL;
	for (i = 0; i < search->n; i++) {
		struct notes_search_row *row = &search->rows[i];

		if (before > BUDGET_BYTES) {
			if (search->hidden == NULL) {
				search->hidden = row->note.address;
				search->hidden_at = row->note.updated_at;
			}
			row->partial |= row->n > 0;
			drop_hits(row);
		} else {
			search->held += row->cost;
		}
		before += row->cost;
	}
}

/* Takes the row, with all it owns. */
static void
add_row(struct notes_search_result *search, struct notes_search_row *row)
{
	XGROW(search->rows, search->n + 1, search->cap);
	search->rows[search->n++] = *row;
	search->held += row->cost;
	if (search->held > HELD_MAX)
		drop_hidden(search);
}

/* ---- lines ------------------------------------------------------------- */

struct searching {
	struct notes_search_result *search;
	struct fold_query *query; /* NULL: every note is a row */
	struct buf file;
};

/* How far into the body we are. */
struct line_place {
	size_t at;    /* the start of a line */
	size_t line;  /* its number, from 1 */
	size_t chars; /* characters before `counted` */
	size_t counted;
};

static size_t
count_newlines(struct str s)
{
	size_t i, n = 0;

	for (i = 0; i < s.n; i++)
		n += s.s[i] == '\n';
	return n;
}

/* The line around a match, without its end; place moves to the next one. */
static struct str
take_line(struct line_place *place, struct str body, size_t match)
{
	struct str before = { body.s + place->at, match - place->at };
	struct str rest = str_from(body, match);
	const char *lf;
	struct str line;

	place->line += count_newlines(before);
	lf = before.n == 0 ? NULL : memrchr(before.s, '\n', before.n);
	line.s = lf == NULL ? before.s : lf + 1;
	lf = memchr(rest.s, '\n', rest.n);
	place->at = lf == NULL ? body.n : (size_t)(lf + 1 - body.s);
	line.n = (size_t)((lf == NULL ? body.s + body.n : lf) - line.s);
	if (line.n > 0 && line.s[line.n - 1] == '\r')
		line.n--;
	place->chars += utf8_count((struct str){ body.s + place->counted,
						 match - place->counted });
	place->counted = match;
	return line;
}

/* Of a row that comes too late to be shown, only that there is one. */
static void
scan_body(struct searching *s, struct notes_search_row *row, struct str body)
{
	bool late = row->partial;
	struct line_place place = { 0, 1, 0, 0 };
	struct notes_search_hit hit = { 0 };
	struct str line;
	size_t found;

	while (place.at < body.n && !(late && row->total > 0)) {
		found = fold_find(s->query, str_from(body, place.at), NULL);
		if (found == FOLD_NONE)
			break;
		found += place.at;
		line = take_line(&place, body, found);
		hit.line = (int64_t)place.line;
		hit.offset = (int64_t)place.chars;
		add_hit(s->search, row, hit, line,
			(size_t)(body.s + found - line.s));
		place.line++;
	}
}

/* ---- notes ------------------------------------------------------------- */

/* Whether the wastebasket hides it; counts it then. */
static bool
is_hidden(struct notes_search_result *search, const struct note_meta *meta)
{
	if (search->wastebasket || !meta->crumpled)
		return false;
	search->crumpled_excluded++;
	return true;
}

static void
search_body(struct searching *s, struct str address,
	    const struct note_meta *meta, struct str body)
{
	const struct notes_search_result *search = s->search;
	struct notes_search_row row = { .total = 0 };

	row.partial = search->hidden != NULL &&
		      notes_list_cmp(meta->updated_at, address.s,
				     search->hidden_at, search->hidden) >= 0;
	if (s->query != NULL)
		scan_body(s, &row, body);
	if (s->query != NULL && row.total == 0)
		return;
	row.note = notes_list_row(&s->search->survey, address, meta);
	add_row(s->search, &row);
}

/*
 * The usual note has no match and is not crumpled, which can be told without
 * parsing its block.
 */
static bool
is_of_no_interest(const struct searching *s, struct str file, bool text)
{
	if (!text || s->query == NULL ||
	    fold_find(s->query, file, NULL) != FOLD_NONE)
		return false;
	return s->search->wastebasket ||
	       !front_matter_may_have(file, FRONT_MATTER_CRUMPLED_AT);
}

static void
search_file(struct searching *s, const struct survey_note *note,
	    const struct stat *st, struct survey_tally *tally)
{
	struct str file = buf_str(&s->file);
	struct front_matter fm = FRONT_MATTER_INIT;
	struct note_meta meta;
	bool text = note_text_prefix(file) == file.n;

	if (is_of_no_interest(s, file, text))
		return;
	front_matter_parse(&fm, file, 0);
	front_matter_meta(&fm, note_mtime_ms(st), &meta);
	if (!is_hidden(s->search, &meta)) {
		if (text)
			search_body(s, note->address, &meta,
				    str_from(file, fm.body));
		else
			tally->skipped++;
	}
	front_matter_release(&fm);
}

/* One that is too large to be searched, but not to be crumpled. */
static void
skip_large(struct searching *s, int fd, const struct stat *st,
	   struct survey_tally *tally)
{
	struct front_matter fm = FRONT_MATTER_INIT;
	struct note_meta meta;

	if (note_peek_head(fd, &s->file) == 0)
		front_matter_parse(&fm, buf_str(&s->file), 0);
	front_matter_meta(&fm, note_mtime_ms(st), &meta);
	if (!is_hidden(s->search, &meta))
		tally->skipped++;
	front_matter_release(&fm);
}

static void
visit(void *ctx, const struct survey_note *note, struct survey_tally *tally)
{
	struct searching *s = ctx;
	struct stat st;
	int fd;

	if (!survey_open(note, tally, &fd, &st))
		return;
	buf_reset(&s->file);
	if (fd < 0)
		tally->skipped++;
	else if (st.st_size > NOTE_READ_MAX)
		skip_large(s, fd, &st, tally);
	else if (note_load(fd, NOTE_READ_MAX, &s->file) != 0)
		tally->skipped++;
	else
		search_file(s, note, &st, tally);
	if (fd >= 0)
		close(fd);
}

/*
 * NULL when nothing is asked for.  What holds a newline cannot be in one
 * line: without it the query may have nothing left, and then finds nothing.
 */
static struct fold_query *
make_query(const struct arg_list *entries)
{
	struct str *kept = xcalloc(entries->n, sizeof(*kept));
	struct fold_query *query = NULL;
	bool asked = false;
	size_t i, n = 0;

	for (i = 0; i < entries->n; i++) {
		struct str entry = entries->v[i];

		if (entry.n == 0)
			continue;
		asked = true;
		if (!str_has(entry, '\n'))
			kept[n++] = entry;
	}
	if (asked)
		query = fold_query_new(kept, n);
	free(kept);
	return query;
}

/* ---- fitting ----------------------------------------------------------- */

struct search_fitting {
	const struct tool *tool;
	struct notes_search_result *search;
	struct str whole; /* of the first hit, where a part is shown */
};

/* Shows the first k rows, and of each all that is held. */
static void
show_rows(struct notes_search_result *search, size_t k)
{
	for (size_t i = 0; i < k; i++) {
		struct notes_search_row *row = &search->rows[i];

		row->matches = (struct field_list){ row->hits, row->n };
	}
	search->files = (struct field_list){ search->rows, k };
	search->more = (int64_t)(search->n - k);
}

static bool
fits_rows(void *ctx, size_t k)
{
	struct search_fitting *f = ctx;

	for (size_t i = 0; i < k; i++)
		if (f->search->rows[i].partial)
			return false;
	show_rows(f->search, k);
	return budget_holds(f->tool, f->search);
}

/* The first row with its first k hits. */
static bool
fits_hits(void *ctx, size_t k)
{
	struct search_fitting *f = ctx;

	show_rows(f->search, 1);
	f->search->rows[0].matches.n = k;
	return budget_holds(f->tool, f->search);
}

/* That with the first k characters of its first hit. */
static bool
fits_prefix(void *ctx, size_t k)
{
	struct search_fitting *f = ctx;
	struct buf *part = &f->search->cut;

	buf_reset(part);
	buf_add_str(part, utf8_prefix(f->whole, k));
	buf_adds(part, TRUNCATED);
	f->search->rows[0].hits[0].text = buf_str(part);
	return fits_hits(f, 1);
}

/* The first row does not fit whole: its first hits, or the start of one. */
static int
fit_first(struct search_fitting *f, struct fail *fail)
{
	struct notes_search_row *row = &f->search->rows[0];
	size_t k;

	k = budget_items(1, row->n, fits_hits, f);
	if (k != BUDGET_NONE) {
		(void)fits_hits(f, k);
		return 0;
	}
	row->hits[0].truncated = true;
	row->hits[0].more_after = false;
	f->whole = row->hits[0].text;
	k = budget_items(1, utf8_count(f->whole), fits_prefix, f);
	if (k == BUDGET_NONE)
		return fail_refuse(fail, "output_too_large",
				   "not one character of the first match "
				   "fits; narrow with glob");
	(void)fits_prefix(f, k);
	return 0;
}

/* Chooses what is shown of at most `most` rows.  -1: output_too_large. */
static int
fit_rows(struct search_fitting *f, size_t most, struct fail *fail)
{
	size_t k = budget_items(0, most, fits_rows, f);

	if (k == BUDGET_NONE)
		return notes_list_fail_envelope(fail);
	if (k == 0 && most > 0 && f->search->rows[0].n > 0)
		return fit_first(f, fail);
	show_rows(f->search, k);
	return 0;
}

int
notes_search_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct notes_search_args *args = call->args;
	struct notes_search_result *search = result;
	struct searching s = { .search = search, .file = BUF_INIT };
	struct search_fitting f = { .tool = call->tool, .search = search };
	size_t most;
	int rc;

	search->wastebasket = args->wastebasket.v;
	search->most_hits = args->max_matches_per_file.given
				    ? args->max_matches_per_file.v
				    : INT64_MAX;
	buf_init(&search->cut, BUF_UNLIMITED);
	s.query = make_query(&args->query);
	rc = survey_run(&search->survey, call->facts, &args->cwd, &args->glob,
			visit, &s, fail);
	search->query = s.query;
	buf_release(&s.file);
	if (rc < 0)
		return -1;
	sort_rows(search);
	most = search->n;
	if (args->limit.given && (size_t)args->limit.v < most)
		most = (size_t)args->limit.v;
	return fit_rows(&f, most, fail);
}

void
notes_search_release(void *result)
{
	struct notes_search_result *search = result;

	for (size_t i = 0; i < search->n; i++) {
		free(search->rows[i].note.address);
		drop_hits(&search->rows[i]);
	}
	free(search->rows);
	buf_release(&search->cut);
	fold_query_free(search->query);
	survey_release(&search->survey);
	*search = (struct notes_search_result){ 0 };
}

/* ---- rendering --------------------------------------------------------- */

static void
row_text(struct buf *out, const struct terminal *t,
	 const struct notes_search_result *search,
	 const struct notes_search_row *row)
{
	buf_adds(out, "\n- ");
	survey_text_identity(out, t, &search->survey, row->note.address);
	notes_list_text_times(out, t, &row->note);
	buf_addf(out, " | %" PRId64 " %s", row->total,
		 row->total == 1 ? "match" : "matches");
	if ((int64_t)row->matches.n < row->total)
		buf_addf(out, " (%zu shown)", row->matches.n);
	for (size_t i = 0; i < row->matches.n; i++) {
		const struct notes_search_hit *hit = &row->hits[i];

		buf_addf(out,
			 "\n  line %" PRId64 " at offset_chars %" PRId64 ": ",
			 hit->line, hit->offset);
		buf_adds(out, hit->more_before ? "…" : "");
		terminal_hits(out, t, search->query, hit->text);
		buf_adds(out, hit->more_after ? "…" : "");
	}
}

void
notes_search_person(const void *result, const struct terminal *t,
		    struct buf *out)
{
	const struct notes_search_result *search = result;

	buf_add_count(out, search->files.n, "file");
	for (size_t i = 0; i < search->files.n; i++)
		row_text(out, t, search, &search->rows[i]);
	notes_list_text_trailers(out, &search->survey, search->more,
				 "more matching file",
				 search->crumpled_excluded);
}

void
notes_search_text(const void *result, struct buf *out)
{
	notes_search_person(result, NULL, out);
}

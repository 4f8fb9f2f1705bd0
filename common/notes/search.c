/* Going through the notes for a text (spec/notes.md section 5.5). */

#include "notes/search.h"

#include <unistd.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "notes/note.h"
#include "notes/peek.h"
#include "text/fold.h"

struct searching {
	struct search *search;
	struct fold_query *query; /* NULL: every note is a row */
	struct buf file;
};

/* ---- lines ------------------------------------------------------------- */

/* How far into the body we are. */
struct place {
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
take_line(struct place *place, struct str body, size_t match)
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

static void
scan_body(struct searching *s, struct search_row *row, struct str body)
{
	struct place place = { 0, 1, 0, 0 };
	struct str line;
	size_t found;

	while (place.at < body.n) {
		found = fold_find(s->query, str_from(body, place.at), NULL);
		if (found == FOLD_NONE)
			break;
		line = take_line(&place, body, place.at + found);
		search_add_hit(s->search, row, place.line, place.chars, line);
		place.line++;
	}
}

/* ---- notes ------------------------------------------------------------- */

/* Whether the wastebasket hides it; counts it then. */
static bool
is_hidden(struct search *search, const struct note_meta *meta)
{
	if (search->wastebasket || !meta->crumpled)
		return false;
	search->crumpled_excluded++;
	return true;
}

static void
add_row(struct searching *s, struct str address, const struct note_meta *meta,
	struct str body)
{
	struct search_row row = {
		.note = { .updated_at = meta->updated_at,
			  .crumpled = meta->crumpled,
			  .crumpled_at = meta->crumpled_at },
	};

	if (s->query != NULL)
		scan_body(s, &row, body);
	if (s->query != NULL && row.total == 0)
		return;
	row.note.address = xmemdup(address.s, address.n);
	search_add_row(s->search, &row);
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
			add_row(s, note->address, &meta,
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

	if (peek_head(fd, &s->file) == 0)
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
		if (memchr(entry.s, '\n', entry.n) == NULL)
			kept[n++] = entry;
	}
	if (asked)
		query = fold_query_new(kept, n);
	free(kept);
	return query;
}

int
search_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct search_args *args = call->args;
	struct search *search = result;
	struct searching s = { .search = search, .file = BUF_INIT };
	size_t most;
	int rc;

	search->wastebasket = args->wastebasket.v;
	search->most_hits = args->max_matches_per_file.given
				    ? (size_t)args->max_matches_per_file.v
				    : SIZE_MAX;
	s.query = make_query(&args->query);
	rc = survey_run(&search->survey, call->facts, &args->cwd, &args->glob,
			visit, &s, fail);
	fold_query_free(s.query);
	buf_release(&s.file);
	if (rc < 0)
		return -1;
	search_sort(search);
	most = search->n;
	if (args->limit.given && (size_t)args->limit.v < most)
		most = (size_t)args->limit.v;
	return search_fit(search, most, fail);
}

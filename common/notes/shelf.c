#include "notes/shelf.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "notes/note.h"
#include "notes/notes_list.h"

#define BLANKS " \t\n\v\f\r"

/* ---- text -------------------------------------------------------------- */

/* What a heading says; empty when the line is none. */
static struct str
heading(struct str line)
{
	size_t n = 0;

	while (n < line.n && line.s[n] == '#')
		n++;
	if (n == 0 || n > 6 || n == line.n ||
	    memchr(BLANKS, line.s[n], strlen(BLANKS)) == NULL)
		return STR("");
	return str_trim(str_from(line, n), BLANKS);
}

/* What opens or closes fenced code: three or more of a mark. */
struct fence {
	char mark; /* 0: none is open */
	size_t n;
};

/*
 * Whether the line opens or closes a fence, or is between the two: there `#`
 * begins a comment of a script rather than a heading.
 */
static bool
is_fenced(struct fence *open, struct str line)
{
	struct fence here = { 0 };
	struct str rest = line;

	while (rest.n > 0 && rest.s[0] == ' ')
		rest = str_from(rest, 1);
	if (line.n - rest.n <= 3 && rest.n > 0)
		here.mark = rest.s[0];
	while (here.n < rest.n && rest.s[here.n] == here.mark)
		here.n++;
	rest = str_trim(str_from(rest, here.n), BLANKS);
	if (open->mark != 0) {
		if (here.mark == open->mark && here.n >= open->n && rest.n == 0)
			open->mark = 0;
		return true;
	}
	if (here.n < 3 || (here.mark != '`' && here.mark != '~') ||
	    (here.mark == '`' && str_has(rest, '`')))
		return false;
	*open = here;
	return true;
}

/* The first heading, else the first line that is not blank. */
static struct str
find_title(struct str body)
{
	struct str first = STR(""), line, title;
	struct fence open = { 0 };

	while (body.n > 0) {
		line = str_cut(&body, '\n');
		title = is_fenced(&open, line) ? STR("") : heading(line);
		if (title.n > 0)
			return title;
		if (first.n == 0)
			first = str_trim(line, BLANKS);
	}
	return first;
}

void
shelf_title(struct buf *out, struct str body)
{
	struct str title = find_title(body), shown;
	struct buf valid = BUF_INIT;

	/* More bytes than the characters shown and one more can have. */
	if (title.n > (SHELF_TITLE_CHARS + 2) * 4)
		title.n = (SHELF_TITLE_CHARS + 2) * 4;
	utf8_mend(&valid, title);
	shown = utf8_prefix(buf_str(&valid), SHELF_TITLE_CHARS);
	buf_add_str(out, shown);
	if (shown.n < valid.len)
		buf_adds(out, "…");
	buf_release(&valid);
}

/* ---- the notes of one shelf -------------------------------------------- */

static const char *
path_in(const struct home *home, const char *address)
{
	return address + strlen(home->prefix);
}

static void
set_map(struct shelf *shelf, struct str body)
{
	struct buf valid = BUF_INIT;

	utf8_mend(&valid, body);
	shelf->map_total_chars = utf8_count(buf_str(&valid));
	buf_add_str(&shelf->map, utf8_prefix(buf_str(&valid), SHELF_MAP_CHARS));
	buf_release(&valid);
}

static void
set_title(struct shelf_note *note, struct str body)
{
	note->titled = true;
	shelf_title(&note->title, body);
}

static struct shelf_note *
add_note(struct shelf *shelf, struct str address, int64_t updated_at)
{
	struct shelf_note *note;

	XGROW(shelf->notes, shelf->n + 1, shelf->cap);
	note = &shelf->notes[shelf->n++];
	*note = (struct shelf_note){ .address = xmemdup(address.s, address.n),
				     .updated_at = updated_at,
				     .title = BUF_INIT };
	return note;
}

/* A walk over the shelf. */
struct shelf_reading {
	struct shelf *shelf;
	struct buf head;
	bool has_map_text;
};

/* Most notes are that small that their head is all of them. */
static void
take(struct shelf_reading *r, struct str address, int64_t updated_at,
     bool whole, struct str body)
{
	struct shelf *shelf = r->shelf;
	struct shelf_note *note;

	if (strcmp(path_in(&shelf->home, address.s), SHELF_MAP) == 0) {
		shelf->has_map = true;
		r->has_map_text = whole;
		if (whole)
			set_map(shelf, body);
		return;
	}
	note = add_note(shelf, address, updated_at);
	if (whole)
		set_title(note, body);
}

static void
visit(void *ctx, const struct survey_note *note, struct survey_tally *tally)
{
	struct shelf_reading *r = ctx;
	struct front_matter fm = FRONT_MATTER_INIT;
	struct note_meta meta;
	struct stat st;
	bool whole;

	buf_reset(&r->head);
	if (survey_peek(note, tally, &r->head, &fm, &meta, &st) &&
	    !meta.crumpled) {
		whole = (size_t)st.st_size == r->head.len;
		take(r, note->address, meta.updated_at, whole,
		     whole ? str_from(buf_str(&r->head), fm.body) : STR(""));
	}
	front_matter_release(&fm);
}

/* ---- the large ones ---------------------------------------------------- */

/* The body of the note at path, a part of file; empty when it cannot be had. */
static struct str
load_body(int home, const char *path, struct buf *file)
{
	struct front_matter fm = FRONT_MATTER_INIT;
	struct str body = STR("");
	struct beneath_fault fault;
	struct stat st;
	int fd = note_open(home, path, O_RDONLY, &st, &fault);

	buf_reset(file);
	if (fd < 0)
		return body;
	if (note_load(fd, NOTE_READ_MAX, file) == 0) {
		front_matter_parse(&fm, buf_str(file), 0);
		body = str_from(buf_str(file), fm.body);
	}
	close(fd);
	front_matter_release(&fm);
	return body;
}

/* What was not read whole, and is wanted. */
static void
load_rest(struct shelf_reading *r, int root, size_t most_titles)
{
	struct shelf *shelf = r->shelf;
	int home = home_open(root, &shelf->home, NULL);

	if (home < 0)
		return;
	if (shelf->has_map && !r->has_map_text)
		set_map(shelf, load_body(home, SHELF_MAP, &r->head));
	for (size_t i = 0; i < shelf->n && i < most_titles; i++) {
		struct shelf_note *note = &shelf->notes[i];
		const char *path = path_in(&shelf->home, note->address);

		if (!note->titled)
			set_title(note, load_body(home, path, &r->head));
	}
	close(home);
}

static bool
is_complete(const struct shelf_reading *r, size_t most_titles)
{
	const struct shelf *shelf = r->shelf;

	for (size_t i = 0; i < shelf->n && i < most_titles; i++)
		if (!shelf->notes[i].titled)
			return false;
	return !shelf->has_map || r->has_map_text;
}

static int
note_cmp(const void *a, const void *b)
{
	const struct shelf_note *x = a, *y = b;

	return notes_list_cmp(x->updated_at, x->address, y->updated_at,
			      y->address);
}

static void
load_notes(struct shelf *shelf, int root, size_t most_titles)
{
	struct shelf_reading r = { shelf, BUF_INIT, false };
	struct survey survey = { 0 };

	survey_home(&survey, root, &shelf->home, NULL, visit, &r);
	shelf->unavailable = survey.homes_unavailable.n > 0;
	if (shelf->n > 1)
		qsort(shelf->notes, shelf->n, sizeof(*shelf->notes), note_cmp);
	if (!is_complete(&r, most_titles))
		load_rest(&r, root, most_titles);
	survey_release(&survey);
	buf_release(&r.head);
}

/* ---- all of them ------------------------------------------------------- */

void
shelves_read(struct shelves *s, const struct identity *who, size_t most_titles)
{
	static const enum home_kind kinds[] = { HOME_SESSION, HOME_PROJECT,
						HOME_SELF, HOME_MODEL,
						HOME_HUMAN };
	int root = home_open_root(who);
	bool missing = root < 0 && errno == ENOENT;

	for (size_t i = 0; i < SHELVES_MOST; i++) {
		struct shelf *shelf = &s->v[s->n];

		if (kinds[i] == HOME_SESSION && who->session == NULL)
			continue;
		*shelf = (struct shelf){ .map = BUF_INIT };
		home_init(&shelf->home, kinds[i], STR(""), who);
		if (root >= 0)
			load_notes(shelf, root, most_titles);
		else
			shelf->unavailable = !missing;
		s->n++;
	}
	if (root >= 0)
		close(root);
}

void
shelves_release(struct shelves *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct shelf *shelf = &s->v[i];

		for (size_t k = 0; k < shelf->n; k++) {
			free(shelf->notes[k].address);
			buf_release(&shelf->notes[k].title);
		}
		free(shelf->notes);
		home_release(&shelf->home);
		buf_release(&shelf->map);
	}
	s->n = 0;
}

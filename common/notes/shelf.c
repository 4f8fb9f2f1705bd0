#include "notes/shelf.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "notes/note.h"

/* ---- text -------------------------------------------------------------- */

/* Bytes that are no UTF-8 (a note is any file) become U+FFFD, one each. */
static void
add_valid(struct buf *out, struct str s)
{
	size_t n;

	while ((n = utf8_valid_prefix(s)) < s.n) {
		buf_add(out, s.s, n);
		buf_adds(out, UTF8_REPLACEMENT);
		s = str_from(s, n + 1);
	}
	buf_add_str(out, s);
}

static bool
is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static struct str
trim(struct str s)
{
	while (s.n > 0 && is_blank(s.s[s.n - 1]))
		s.n--;
	while (s.n > 0 && is_blank(s.s[0]))
		s = str_from(s, 1);
	return s;
}

/* The line that rest begins with, which is then what follows it. */
static struct str
next_line(struct str *rest)
{
	const char *lf = memchr(rest->s, '\n', rest->n);
	struct str line = *rest;

	if (lf != NULL)
		line.n = (size_t)(lf - line.s);
	*rest = str_from(*rest, line.n + (lf != NULL));
	return line;
}

/* What a heading says; empty when the line is none. */
static struct str
heading(struct str line)
{
	size_t n = 0;

	while (n < line.n && line.s[n] == '#')
		n++;
	if (n == 0 || n > 6 || n == line.n || !is_blank(line.s[n]))
		return STR("");
	return trim(str_from(line, n));
}

/* The first heading, else the first line that is not blank. */
static struct str
find_title(struct str body)
{
	struct str first = STR(""), line, title;

	while (body.n > 0) {
		line = next_line(&body);
		title = heading(line);
		if (title.n > 0)
			return title;
		if (first.n == 0)
			first = trim(line);
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
	add_valid(&valid, title);
	shown = utf8_prefix(buf_str(&valid), SHELF_TITLE_CHARS);
	buf_add_str(out, shown);
	if (shown.n < valid.len)
		buf_adds(out, "…");
	buf_release(&valid);
}

/* ---- one note ---------------------------------------------------------- */

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

static const char *
path_of(const struct shelf *shelf, const struct list_row *row)
{
	return row->address + strlen(shelf->home.prefix);
}

/* ---- one shelf --------------------------------------------------------- */

/* Takes the map off the list; false when there is none. */
static bool
take_map(struct shelf *shelf)
{
	struct list *list = &shelf->list;

	for (size_t i = 0; i < list->n; i++) {
		if (strcmp(path_of(shelf, &list->rows[i]), SHELF_MAP) != 0)
			continue;
		free(list->rows[i].address);
		list->n--;
		memmove(&list->rows[i], &list->rows[i + 1],
			(list->n - i) * sizeof(*list->rows));
		return true;
	}
	return false;
}

static void
load_map(struct shelf *shelf, int home, struct buf *file)
{
	struct buf valid = BUF_INIT;

	shelf->has_map = true;
	add_valid(&valid, load_body(home, SHELF_MAP, file));
	shelf->map_total_chars = utf8_count(buf_str(&valid));
	buf_add_str(&shelf->map, utf8_prefix(buf_str(&valid), SHELF_MAP_CHARS));
	buf_release(&valid);
}

static void
load_titles(struct shelf *shelf, int home, size_t most, struct buf *file)
{
	size_t n = shelf->list.n < most ? shelf->list.n : most;
	const char *path;

	shelf->titles = xcalloc(n, sizeof(*shelf->titles));
	shelf->n_titles = n;
	for (size_t i = 0; i < n; i++) {
		path = path_of(shelf, &shelf->list.rows[i]);
		buf_init(&shelf->titles[i], BUF_UNLIMITED);
		shelf_title(&shelf->titles[i], load_body(home, path, file));
	}
}

static void
load_notes(struct shelf *shelf, int root, size_t most_titles)
{
	struct buf file = BUF_INIT;
	bool has_map;
	int home;

	list_add_home(&shelf->list, root, &shelf->home);
	shelf->unavailable = shelf->list.survey.n > 0;
	if (shelf->list.n == 0)
		return;
	has_map = take_map(shelf);
	home = home_open(root, &shelf->home, NULL);
	if (has_map)
		load_map(shelf, home, &file);
	load_titles(shelf, home, most_titles, &file);
	if (home >= 0)
		close(home);
	buf_release(&file);
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

		for (size_t k = 0; k < shelf->n_titles; k++)
			buf_release(&shelf->titles[k]);
		free(shelf->titles);
		list_release(&shelf->list);
		home_release(&shelf->home);
		buf_release(&shelf->map);
	}
	s->n = 0;
}

#include "sessions/recency.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_span.h"
#include "base/timestamp.h"
#include "base/xalloc.h"
#include "transcript/lines.h"

#define TAIL 65536u
#define FACTOR 4

struct newest {
	const struct recency_keys *keys;
	struct str (*changed)(struct str record); /* of the second, or NULL */
	bool found;
	struct instant at;
	struct buf scratch;
};

/* ---- whether a line can matter ----------------------------------------- */

static struct str
skip_space(struct str s)
{
	size_t i = 0;

	while (i < s.n && (s.s[i] == ' ' || s.s[i] == '\t' || s.s[i] == '\r'))
		i++;
	return str_from(s, i);
}

/* The string that follows a key, raw; false: none does. */
static bool
string_behind(struct str rest, struct str *raw)
{
	const char *end;

	rest = skip_space(rest);
	if (rest.n == 0 || rest.s[0] != ':')
		return false;
	rest = skip_space(str_from(rest, 1));
	if (rest.n == 0 || rest.s[0] != '"')
		return false;
	rest = str_from(rest, 1);
	end = rest.n == 0 ? NULL : memchr(rest.s, '"', rest.n);
	if (end == NULL)
		return false;
	*raw = (struct str){ rest.s, (size_t)(end - rest.s) };
	return true;
}

static bool
is_escaped(struct str raw)
{
	return str_has(raw, '\\');
}

/* Cuts off what stands before the next key and the key; false: there is none. */
static bool
after_key(const struct ascii_needle *key, struct str *rest)
{
	size_t at = ascii_search(key, rest->s, rest->n);

	if (at == ASCII_NONE)
		return false;
	*rest = str_from(*rest, at + key->n);
	return true;
}

/* Whether a key may be in letters that are escaped. */
static bool
may_hold_escaped_key(const struct newest *newest, struct str text)
{
	return ascii_search(&newest->keys->escaped, text.s, text.n) !=
	       ASCII_NONE;
}

/*
 * Checking a record takes many times as long as finding the key in it, and
 * nearly all lines of a tail hold times that are older than one that is known.
 */
static bool
can_raise(const struct newest *newest, struct str line)
{
	for (unsigned i = 0; i < newest->keys->n; i++) {
		struct str rest = line, raw;
		struct instant t;

		while (after_key(&newest->keys->v[i], &rest))
			if (string_behind(rest, &raw) &&
			    (is_escaped(raw) ||
			     (timestamp_rfc3339(raw, &t) &&
			      (!newest->found ||
			       instant_cmp(t, newest->at) > 0))))
				return true;
	}
	return may_hold_escaped_key(newest, line);
}

static void
raise_to(struct newest *newest, struct str at)
{
	struct instant t;

	if (json_kind(at) != JSON_STRING ||
	    !timestamp_rfc3339(json_text(at, &newest->scratch), &t))
		return;
	if (!newest->found || instant_cmp(t, newest->at) > 0)
		newest->at = t;
	newest->found = true;
}

static void
consider(struct newest *newest, struct str line)
{
	struct str record;

	if (!can_raise(newest, line) || !lines_parse(line, &record))
		return;
	raise_to(newest, json_get(record, "timestamp"));
	if (newest->changed != NULL)
		raise_to(newest, newest->changed(record));
}

/* ---- tails ------------------------------------------------------------- */

/* The line of a text that a position in it belongs to. */
static struct str
line_around(struct str text, const char *at)
{
	const char *start = memrchr(text.s, '\n', (size_t)(at - text.s));
	const char *end = memchr(at, '\n', text.n - (size_t)(at - text.s));

	start = start == NULL ? text.s : start + 1;
	end = end == NULL ? text.s + text.n : end;
	return (struct str){ start, (size_t)(end - start) };
}

/* The greatest of what looks like times. */
struct greatest {
	struct str usual; /* of those in the usual form, which sort as text */
	bool found;	  /* another one */
	struct instant at;
	const char *where; /* it stands */
};

/* YYYY-MM-DDThh:mm:ss.mmmZ; any characters for the digits. */
static bool
is_usual(struct str raw)
{
	return raw.n == 24 && raw.s[10] == 'T' && raw.s[19] == '.' &&
	       raw.s[23] == 'Z';
}

/* False: there is one that cannot be told as it stands. */
static bool
find_greatest(const struct newest *newest, struct str text, struct greatest *g)
{
	*g = (struct greatest){ .found = false };
	for (unsigned i = 0; i < newest->keys->n; i++) {
		struct str rest = text, raw;
		struct instant t;

		while (after_key(&newest->keys->v[i], &rest)) {
			if (!string_behind(rest, &raw))
				continue;
			if (is_usual(raw)) {
				if (g->usual.n == 0 ||
				    memcmp(raw.s, g->usual.s, raw.n) > 0)
					g->usual = raw;
				continue;
			}
			if (is_escaped(raw))
				return false;
			if (!timestamp_rfc3339(raw, &t) ||
			    (g->found && instant_cmp(t, g->at) <= 0))
				continue;
			g->found = true;
			g->at = t;
			g->where = raw.s;
		}
	}
	return !may_hold_escaped_key(newest, text);
}

/*
 * The short way: if what looks like the greatest time of all is one, no other
 * line needs to be looked at.  False: it did not lead to the end.
 */
static bool
consider_greatest(struct newest *newest, struct str text)
{
	struct greatest g;
	struct instant t;

	if (!find_greatest(newest, text, &g))
		return false;
	if (g.usual.n > 0) {
		/* What is escaped in it is no time, and so is told here. */
		if (!timestamp_rfc3339(g.usual, &t))
			return false;
		if (!g.found || instant_cmp(t, g.at) > 0) {
			g.found = true;
			g.at = t;
			g.where = g.usual.s;
		}
	}
	if (!g.found)
		return true;
	consider(newest, line_around(text, g.where));
	return newest->found && instant_cmp(newest->at, g.at) == 0;
}

/* From the last line on: it mostly has the greatest time. */
static void
consider_lines(struct newest *newest, struct str text)
{
	while (text.n > 0) {
		const char *lf = memrchr(text.s, '\n', text.n);
		size_t start = lf == NULL ? 0 : (size_t)(lf - text.s) + 1;

		consider(newest, str_from(text, start));
		text.n = lf == NULL ? 0 : start - 1;
	}
}

/*
 * The records in the last TAIL bytes, read in one piece, with the byte before
 * them: what stands up to the first line feed is not complete in the tail.
 */
static bool
near_end(struct newest *newest, struct source *source, uint64_t size)
{
	uint64_t from = size > TAIL ? size - TAIL - 1 : 0;
	struct str text = { NULL, (size_t)(size - from) };
	char *data = xmalloc(text.n);
	const char *lf;
	bool read = source_read_at(source, from, data, text.n);

	text.s = data;
	if (read && size > TAIL) {
		lf = memchr(data, '\n', text.n);
		text = lf == NULL ? STR("")
				  : str_from(text, (size_t)(lf - data) + 1);
	}
	if (read && !consider_greatest(newest, text))
		consider_lines(newest, text);
	free(data);
	return read;
}

/* The same of a longer tail, from `from` on, line by line. */
static void
from_offset(struct newest *newest, struct source *source, uint64_t from)
{
	bool skip = false;
	struct lines lines;
	struct line line;
	char before;

	if (from > 0 && source_read_at(source, from - 1, &before, 1))
		skip = before != '\n';
	source_rewind(source, from);
	lines_init(&lines, source, LINES_LONGEST);
	while (lines_next(&lines, &line) > 0) {
		if (!skip && !line.blank && !line.too_long)
			consider(newest, line.text);
		skip = false;
	}
	lines_release(&lines);
}

static void
in_tail(struct newest *newest, struct source *source, uint64_t size,
	uint64_t tail)
{
	if (tail > TAIL || !near_end(newest, source, size))
		from_offset(newest, source, size > tail ? size - tail : 0);
}

/* ---- what is looked for ------------------------------------------------ */

void
recency_keys_release(struct recency_keys *keys)
{
	if (keys->n > 0)
		ascii_needle_release(&keys->escaped);
	while (keys->n > 0)
		ascii_needle_release(&keys->v[--keys->n]);
	keys->host = NULL;
}

/* \u0040 to \u007f: the letters of keys are among them. */
static void
init_escaped(struct ascii_needle *escaped)
{
	static const unsigned char folded[] = { '\\', 'u', '0', '0', '7' };
	static const unsigned char mask[] = { 0, 0, 0, 0, '7' ^ '4' };

	ascii_needle_init_loose(escaped, folded, mask, sizeof(folded));
}

static void
choose_keys(struct recency_keys *keys, const struct host *host)
{
	if (keys->n > 0 && keys->host == host)
		return;
	recency_keys_release(keys);
	keys->host = host;
	init_escaped(&keys->escaped);
	ascii_needle_init(&keys->v[keys->n++], STR("\"timestamp\""));
	if (host != NULL && host->decoder->changed != NULL)
		ascii_needle_init(&keys->v[keys->n++],
				  str_of(host->decoder->changed_key));
}

int64_t
recency_in(struct source *source, const struct corpus_file *file,
	   struct recency_keys *keys, bool *recorded)
{
	struct newest newest = { .scratch = BUF_INIT };
	uint64_t size = source == NULL ? 0 : source->size_hint, tail = TAIL;

	choose_keys(keys, file->host);
	newest.keys = keys;
	if (keys->n > 1)
		newest.changed = file->host->decoder->changed;
	/* A compressed file has no end that could be looked at alone. */
	if (size > 0 && !str_ends(str_of(file->path), STR(".zst"))) {
		in_tail(&newest, source, size, tail);
		while (!newest.found && tail < size) {
			tail *= FACTOR;
			in_tail(&newest, source, size, tail);
		}
	}
	buf_release(&newest.scratch);
	if (recorded != NULL)
		*recorded = newest.found;
	if (newest.found)
		return instant_to_ms(newest.at);
	return instant_to_ms(corpus_modified(file));
}

int64_t
recency_of(const struct corpus_file *file)
{
	struct source *source = corpus_open(file);
	struct recency_keys keys = { 0 };
	int64_t ms = recency_in(source, file, &keys, NULL);

	recency_keys_release(&keys);
	source_close(source);
	return ms;
}

int
recency_cmp(const void *a, const void *b)
{
	const struct recency *x = a, *y = b;
	int c;

	if (x->ms != y->ms)
		return x->ms > y->ms ? -1 : 1;
	c = str_cmp(str_of(x->file->id), str_of(y->file->id));
	if (c != 0)
		return c;
	return str_cmp(str_of(x->file->host->name),
		       str_of(y->file->host->name));
}

#include "text/fold_entry.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "text/fold_char.h"

#define KELVIN_SIGN STR("\xe2\x84\xaa") /* folds to k */
#define LONG_S STR("\xc5\xbf")		/* folds to s */

/* As in ascii_search.c: when comparing is to give way to the border table. */
#define SHORT 32
#define PATIENCE 16

/* ---- making one ready -------------------------------------------------- */

static void
fold_all(struct fold_entry *e, struct str entry)
{
	uint32_t cp;
	size_t i;

	e->folded = xreallocarray(NULL, utf8_count(entry), sizeof(*e->folded));
	e->ascii = true;
	for (i = 0; i < entry.n;) {
		i += utf8_decode(entry.s + i, entry.n - i, &cp);
		cp = fold_char(cp);
		e->folded[e->n++] = cp;
		e->ascii = e->ascii && cp < 0x80;
	}
}

static size_t *
borders(const uint32_t *s, size_t n)
{
	size_t *border = xreallocarray(NULL, n, sizeof(*border));
	size_t i, k = 0;

	border[0] = 0;
	for (i = 1; i < n; i++) {
		border[i] = k;
		while (k > 0 && s[i] != s[k])
			k = border[k];
		if (s[i] == s[k])
			k++;
	}
	return border;
}

static void
set_ascii(struct fold_entry *e)
{
	char *bytes = xmalloc(e->n);
	bool k = false, s = false;
	size_t i;

	for (i = 0; i < e->n; i++) {
		bytes[i] = (char)e->folded[i];
		k = k || bytes[i] == 'k';
		s = s || bytes[i] == 's';
	}
	ascii_needle_init(&e->whole, (struct str){ bytes, e->n });
	free(bytes);
	if (k)
		ascii_needle_init(&e->foreign[e->foreigners++], KELVIN_SIGN);
	if (s)
		ascii_needle_init(&e->foreign[e->foreigners++], LONG_S);
}

/* Characters from i on that match nothing but themselves and ASCII. */
static size_t
run_length(const struct fold_entry *e, size_t i)
{
	size_t n = 0;
	uint32_t c;

	for (; i + n < e->n && n < SHORT; n++) {
		c = e->folded[i + n];
		if (c >= 0x80 || c == 'k' || c == 's')
			break;
	}
	return n;
}

/* The longest run near the start.  One character alone is too common. */
static void
set_run(struct fold_entry *e)
{
	size_t i, n, best = 1;
	char bytes[SHORT];

	for (i = 0; i < e->n && i < SHORT; i += n + 1) {
		n = run_length(e, i);
		if (n > best) {
			best = n;
			e->run_at = i;
		}
	}
	if (best == 1)
		return;
	for (i = 0; i < best; i++)
		bytes[i] = (char)e->folded[e->run_at + i];
	ascii_needle_init(&e->run, (struct str){ bytes, best });
}

static void
set_ends_first(struct fold_entry *e)
{
	uint32_t variants[FOLD_CHAR_VARIANTS];
	unsigned n = fold_char_variants(e->folded[0], variants), i, length;
	char bytes[4];

	for (i = 0; i < n; i++) {
		length = utf8_encode(variants[i], bytes);
		e->ends_first[(unsigned char)bytes[length - 1]] = true;
	}
}

void
fold_entry_init(struct fold_entry *e, struct str entry)
{
	*e = (struct fold_entry){ 0 };
	fold_all(e, entry);
	if (e->n > SHORT)
		e->border = borders(e->folded, e->n);
	if (e->ascii)
		set_ascii(e);
	if (e->ascii && e->foreigners == 0)
		return; /* bytes are enough */
	set_run(e);
	set_ends_first(e);
}

void
fold_entry_release(struct fold_entry *e)
{
	unsigned i;

	for (i = 0; i < e->foreigners; i++)
		ascii_needle_release(&e->foreign[i]);
	ascii_needle_release(&e->whole);
	ascii_needle_release(&e->run);
	free(e->border);
	free(e->folded);
	*e = (struct fold_entry){ 0 };
}

/* ---- searching by characters ------------------------------------------- */

struct scan {
	const struct fold_entry *e;
	struct str text;
	size_t from, limit;
	size_t work; /* characters looked at, at all candidates */
	size_t found, len;
};

static bool
is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The folded character at offset i of the text, whose length is given. */
static inline unsigned
folded_at(struct str text, size_t i, uint32_t *folded)
{
	unsigned length = utf8_decode(text.s + i, text.n - i, folded);

	*folded = fold_char(*folded);
	return length;
}

/* k characters before offset i, or FOLD_ENTRY_NONE: not behind `from`. */
static size_t
back(struct str text, size_t i, size_t k, size_t from)
{
	while (k > 0) {
		if (i == from)
			return FOLD_ENTRY_NONE;
		i--;
		if (!is_continuation(text.s[i]))
			k--;
	}
	return i;
}

/* Knuth, Morris and Pratt over folded characters, from offset i on. */
static void
search_patiently(struct scan *s, size_t i)
{
	const struct fold_entry *e = s->e;
	size_t end = least(s->text.n, s->limit + 4 * e->n), k = 0;
	uint32_t c;

	while (i < end && k < e->n) {
		i += folded_at(s->text, i, &c);
		while (k > 0 && c != e->folded[k])
			k = e->border[k];
		if (c == e->folded[k])
			k++;
	}
	if (k < e->n)
		return;
	k = back(s->text, i, e->n, 0);
	if (k >= s->limit)
		return;
	s->found = k;
	s->len = i - k;
}

/* A candidate.  True when the search is over: found tells how. */
static bool
try(struct scan *s, size_t start)
{
	const struct fold_entry *e = s->e;
	size_t i = start, k;
	uint32_t c;

	for (k = 0; k < e->n && i < s->text.n; k++) {
		unsigned length = folded_at(s->text, i, &c);

		if (c != e->folded[k])
			break;
		i += length;
	}
	if (k == e->n) {
		s->found = start;
		s->len = i - start;
		return true;
	}
	s->work += k + 1;
	if (e->border == NULL || s->work / PATIENCE <= start - s->from + 256)
		return false;
	search_patiently(s, start);
	return true;
}

/* Through the run of ASCII that every match has. */
static void
search_run(struct scan *s)
{
	const struct fold_entry *e = s->e;
	size_t end = least(s->text.n, s->limit + 4 * e->run_at + e->run.n);
	size_t i = s->from, at, start;

	for (;; i = at + 1) {
		at = ascii_search(&e->run, s->text.s + i, end - i);
		if (at == ASCII_NONE)
			return;
		at += i;
		start = back(s->text, at, e->run_at, s->from);
		if (start == FOLD_ENTRY_NONE)
			continue;
		if (start >= s->limit || try(s, start))
			return;
	}
}

/* Through the last byte of the first character: the one that tells most. */
static void
search_first(struct scan *s)
{
	const unsigned char *p = (const unsigned char *)s->text.s;
	size_t end = least(s->text.n, s->limit + 3), i, start;

	for (i = s->from; i < end; i++) {
		if (!s->e->ends_first[p[i]])
			continue;
		start = back(s->text, i + 1, 1, s->from);
		if (start == FOLD_ENTRY_NONE)
			continue;
		if (start >= s->limit || try(s, start))
			return;
	}
}

static size_t
find_folded(const struct fold_entry *e, struct str text, size_t from,
	    size_t limit, size_t *len)
{
	struct scan s = { .e = e,
			  .text = text,
			  .from = from,
			  .limit = limit,
			  .found = FOLD_ENTRY_NONE };

	if (e->run.n > 0)
		search_run(&s);
	else
		search_first(&s);
	if (s.found != FOLD_ENTRY_NONE)
		*len = s.len;
	return s.found;
}

/* ---- searching by bytes ------------------------------------------------ */

/* The first of the foreigners in [from, end), or FOLD_ENTRY_NONE. */
static size_t
find_foreigner(const struct fold_entry *e, struct str text, size_t from,
	       size_t end)
{
	size_t best = FOLD_ENTRY_NONE, at;
	unsigned i;

	for (i = 0; i < e->foreigners; i++) {
		at = ascii_search(&e->foreign[i], text.s + from, end - from);
		if (at == ASCII_NONE)
			continue;
		best = from + at;
		end = best;
	}
	return best;
}

/*
 * An ASCII entry is found by its bytes, unless characters outside ASCII that
 * fold to its letters stand near enough to an earlier start.
 */
static size_t
find_ascii(const struct fold_entry *e, struct str text, size_t from,
	   size_t limit, size_t *len)
{
	size_t end = least(text.n, limit + e->n - 1), at, near, found;

	at = ascii_search(&e->whole, text.s + from, end - from);
	if (at != ASCII_NONE) {
		at += from;
		*len = e->n;
		limit = at;
	} else {
		at = FOLD_ENTRY_NONE;
	}
	end = least(text.n, limit + 3 * e->n);
	near = find_foreigner(e, text, from, end);
	if (near == FOLD_ENTRY_NONE)
		return at;
	if (near > 3 * e->n && near - 3 * e->n > from)
		from = near - 3 * e->n;
	if (from >= limit)
		return at;
	found = find_folded(e, text, from, limit, len);
	return found == FOLD_ENTRY_NONE ? at : found;
}

size_t
fold_entry_find(const struct fold_entry *e, struct str text, size_t from,
		size_t limit, size_t *len)
{
	if (from >= limit)
		return FOLD_ENTRY_NONE;
	if (e->ascii)
		return find_ascii(e, text, from, limit, len);
	return find_folded(e, text, from, limit, len);
}

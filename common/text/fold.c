#include "text/fold.h"

#include <assert.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "text/ascii_search.h"
#include "text/fold_table.h"
#include "text/kmp.h"

/* ---- characters -------------------------------------------------------- */

#define ROWS (sizeof(fold_table) / sizeof(fold_table[0]))

static bool
in_row(const struct fold_row *row, uint32_t cp)
{
	return cp >= row->first && cp <= row->last &&
	       (cp - row->first) % row->stride == 0;
}

uint32_t
fold_char(uint32_t cp)
{
	const struct fold_row *row;

	if (cp < 0x80)
		return cp >= 'A' && cp <= 'Z' ? cp | 0x20 : cp;
	if (cp > fold_table[ROWS - 1].last)
		return cp;
	row = &fold_table[fold_page[cp >> FOLD_PAGE_BITS]];
	while (row->last < cp)
		row++;
	return in_row(row, cp) ? (uint32_t)((int64_t)cp + row->distance) : cp;
}

unsigned
fold_char_variants(uint32_t folded, uint32_t out[FOLD_CHAR_VARIANTS])
{
	unsigned n = 0;
	int64_t from;

	out[n++] = folded;
	for (size_t i = 0; i < ROWS; i++) {
		from = (int64_t)folded - fold_table[i].distance;
		if (from < 0 || !in_row(&fold_table[i], (uint32_t)from))
			continue;
		assert(n < FOLD_CHAR_VARIANTS);
		out[n++] = (uint32_t)from;
	}
	return n;
}

/* ---- entries ----------------------------------------------------------- */

/*
 * One entry of a folded query, made ready to be searched for.  ASCII entries
 * are searched as bytes; others through a run of ASCII within them, or through
 * the bytes that their first character can end with.
 */
struct fold_entry {
	uint32_t *folded; /* code points */
	size_t n;
	size_t *border; /* NULL where bytes are enough */

	bool ascii;
	struct ascii_needle whole; /* of ASCII entries */
	/*
	 * Non-ASCII characters that an ASCII entry matches: those of k and s.
	 */
	struct ascii_needle foreign[2];
	unsigned foreigners;

	struct ascii_needle run; /* empty when there is invalid one */
	size_t run_at;		 /* code points before it */
	bool ends_first[256];	 /* last bytes of what the first can be */
};

#define KELVIN_SIGN STR("\xe2\x84\xaa") /* folds to k */
#define LONG_S STR("\xc5\xbf")		/* folds to s */

/* Where a run is looked for, and its most characters. */
#define SHORT 32

/*
 * When comparing at every candidate is to give way to the border table: after
 * so many characters for one byte of the text.
 */
#define PATIENCE 1

static void
fold_all(struct fold_entry *e, struct str entry)
{
	uint32_t cp;

	e->folded = xreallocarray(NULL, utf8_count(entry), sizeof(*e->folded));
	e->ascii = true;
	for (size_t i = 0; i < entry.n;) {
		i += utf8_decode(entry.s + i, entry.n - i, &cp);
		cp = fold_char(cp);
		e->folded[e->n++] = cp;
		e->ascii = e->ascii && cp < 0x80;
	}
}

static void
set_ascii(struct fold_entry *e)
{
	char *bytes = xmalloc(e->n);
	bool k = false, s = false;

	for (size_t i = 0; i < e->n; i++) {
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

/* entry is valid UTF-8 and not empty; it is copied. */
static void
entry_init(struct fold_entry *e, struct str entry)
{
	*e = (struct fold_entry){ 0 };
	fold_all(e, entry);
	if (e->ascii)
		set_ascii(e);
	if (e->ascii && e->foreigners == 0)
		return; /* bytes are enough */
	e->border = kmp_borders(e->folded, e->n, sizeof(*e->folded));
	set_run(e);
	set_ends_first(e);
}

static void
entry_release(struct fold_entry *e)
{
	for (unsigned i = 0; i < e->foreigners; i++)
		ascii_needle_release(&e->foreign[i]);
	ascii_needle_release(&e->whole);
	ascii_needle_release(&e->run);
	free(e->border);
	free(e->folded);
	*e = (struct fold_entry){ 0 };
}

/* ---- a stretch of text ------------------------------------------------- */

/*
 * A text is searched stretch by stretch, so that what is nowhere (an entry, or
 * one in ASCII when the text has it in other letters) is not looked for up to
 * the end each time that something is found near the start.
 */
#define STRETCH_FIRST 256
#define STRETCH_MOST 32768

struct fold_stretch {
	struct str text;
	size_t from, limit; /* matches that start there are looked for */
	size_t end;	    /* of what they can be made of */

	/* The characters [from, end) folded, and where each begins; made when
	 * they are first needed, since few stretches need them. */
	uint32_t *folded, *at;
	size_t n, cap;
	uint64_t slow; /* bit i: entry i has lost its patience */
};

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool
is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* The folded character at offset i of the text, whose length is given. */
static inline unsigned
folded_at(struct str text, size_t i, uint32_t *folded)
{
	const unsigned char *p = (const unsigned char *)text.s + i;
	unsigned length = 1;

	if (p[0] < 0x80) {
		*folded = p[0] >= 'A' && p[0] <= 'Z' ? p[0] | 0x20U : p[0];
		return length;
	}
	if (p[0] < 0xe0) {
		*folded = (p[0] & 0x1fU) << 6 | (p[1] & 0x3fU);
		length = 2;
	} else if (p[0] < 0xf0) {
		*folded = (p[0] & 0xfU) << 12 | (p[1] & 0x3fU) << 6 |
			  (p[2] & 0x3fU);
		length = 3;
	} else {
		*folded = (p[0] & 7U) << 18 | (p[1] & 0x3fU) << 12 |
			  (p[2] & 0x3fU) << 6 | (p[3] & 0x3fU);
		length = 4;
	}
	*folded = fold_char(*folded);
	return length;
}

/* end is a boundary of characters, or the text goes on for three bytes. */
static void
stretch_fold(struct fold_stretch *t)
{
	size_t i, most = t->end - t->from + 1;

	if (t->n > 0)
		return;
	if (most > t->cap) {
		t->folded = xreallocarray(t->folded, most, sizeof(*t->folded));
		t->at = xreallocarray(t->at, most, sizeof(*t->at));
		t->cap = most;
	}
	i = t->from;
	while (i < t->end && is_continuation(t->text.s[i]))
		i++;
	while (i < t->end) {
		t->at[t->n] = (uint32_t)(i - t->from);
		i += folded_at(t->text, i, &t->folded[t->n++]);
	}
	t->at[t->n] = (uint32_t)(i - t->from);
}

static void
stretch_release(struct fold_stretch *t)
{
	free(t->folded);
	free(t->at);
}

/* ---- searching by characters ------------------------------------------- */

struct fold_scan {
	const struct fold_entry *e;
	struct str text;
	size_t from, limit;
	size_t work; /* characters looked at, at all candidates */
	size_t found, len;
	bool slow; /* give it up and be patient */
};

/* k characters before offset i, or FOLD_NONE: not behind `from`. */
static size_t
back(struct str text, size_t i, size_t k, size_t from)
{
	while (k > 0) {
		if (i == from)
			return FOLD_NONE;
		i--;
		if (!is_continuation(text.s[i]))
			k--;
	}
	return i;
}

/* Knuth, Morris and Pratt over the folded characters of the stretch. */
static size_t
find_patiently(const struct fold_entry *e, struct fold_stretch *t, size_t limit,
	       size_t *len)
{
	size_t i, k = 0, m = e->n, at;
	const uint32_t *p = e->folded;

	stretch_fold(t);
	for (i = 0; i < t->n; i++) {
		while (k > 0 && t->folded[i] != p[k])
			k = e->border[k];
		if (t->folded[i] == p[k])
			k++;
		if (k == m)
			break;
	}
	if (k < m)
		return FOLD_NONE;
	at = t->from + t->at[i + 1 - m];
	if (at >= limit)
		return FOLD_NONE;
	*len = t->from + t->at[i + 1] - at;
	return at;
}

/* A candidate.  True when the search is over: found tells how. */
static bool
try(struct fold_scan *s, size_t start)
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
	s->slow = s->work > PATIENCE * (start - s->from) + 64;
	return s->slow;
}

/* Through the run of ASCII that every match has. */
static void
search_run(struct fold_scan *s)
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
		if (start == FOLD_NONE)
			continue;
		if (start >= s->limit || try(s, start))
			return;
	}
}

/* Through the last byte of the first character: the one that tells most. */
static void
search_first(struct fold_scan *s)
{
	const unsigned char *p = (const unsigned char *)s->text.s;
	size_t end = least(s->text.n, s->limit + 3), i, start;

	for (i = s->from; i < end; i++) {
		if (!s->e->ends_first[p[i]])
			continue;
		start = back(s->text, i + 1, 1, s->from);
		if (start == FOLD_NONE)
			continue;
		if (start >= s->limit || try(s, start))
			return;
	}
}

static size_t
find_folded(const struct fold_entry *e, unsigned number, struct fold_stretch *t,
	    size_t from, size_t limit, size_t *len)
{
	struct fold_scan s = { .e = e,
			       .text = t->text,
			       .from = from,
			       .limit = limit,
			       .found = FOLD_NONE };
	uint64_t bit = number < 64 ? UINT64_C(1) << number : 0;

	if (t->slow & bit)
		return find_patiently(e, t, limit, len);
	if (e->run.n > 0)
		search_run(&s);
	else
		search_first(&s);
	if (s.slow) {
		t->slow |= bit;
		return find_patiently(e, t, limit, len);
	}
	if (s.found != FOLD_NONE)
		*len = s.len;
	return s.found;
}

/* ---- searching by bytes ------------------------------------------------ */

/* The first of the foreigners in [from, end), or FOLD_NONE. */
static size_t
find_foreigner(const struct fold_entry *e, struct str text, size_t from,
	       size_t end)
{
	size_t best = FOLD_NONE, at;

	for (unsigned i = 0; i < e->foreigners; i++) {
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
find_ascii(const struct fold_entry *e, unsigned number, struct fold_stretch *t,
	   size_t limit, size_t *len)
{
	size_t from = t->from, end = least(t->text.n, limit + e->n - 1), at;
	size_t near, found;

	at = ascii_search(&e->whole, t->text.s + from, end - from);
	if (at != ASCII_NONE) {
		at += from;
		*len = e->n;
		limit = at;
	} else {
		at = FOLD_NONE;
	}
	end = least(t->text.n, limit + 3 * e->n);
	near = find_foreigner(e, t->text, from, end);
	if (near == FOLD_NONE)
		return at;
	if (near > 3 * e->n && near - 3 * e->n > from)
		from = near - 3 * e->n;
	if (from >= limit)
		return at;
	found = find_folded(e, number, t, from, limit, len);
	return found == FOLD_NONE ? at : found;
}

/*
 * Byte offset of the first match of entry number `number` that starts in
 * [t->from, limit), or FOLD_NONE; it may end behind limit.  *len is its length
 * in bytes.  Linear.
 */
static size_t
entry_find(const struct fold_entry *e, unsigned number, struct fold_stretch *t,
	   size_t limit, size_t *len)
{
	if (t->from >= limit)
		return FOLD_NONE;
	if (e->ascii)
		return find_ascii(e, number, t, limit, len);
	return find_folded(e, number, t, t->from, limit, len);
}

/* ---- queries ----------------------------------------------------------- */

struct fold_query {
	struct fold_entry *entry;
	size_t n;
	size_t longest; /* of them, in characters */
};

struct fold_query *
fold_query_new(const struct str *entries, size_t n)
{
	struct fold_query *q = xcalloc(1, sizeof(*q));

	q->entry = xcalloc(n, sizeof(*q->entry));
	for (size_t i = 0; i < n; i++)
		if (entries[i].n > 0)
			entry_init(&q->entry[q->n++], entries[i]);
	for (size_t i = 0; i < q->n; i++)
		if (q->entry[i].n > q->longest)
			q->longest = q->entry[i].n;
	return q;
}

void
fold_query_free(struct fold_query *q)
{
	if (q == NULL)
		return;
	for (size_t i = 0; i < q->n; i++)
		entry_release(&q->entry[i]);
	free(q->entry);
	free(q);
}

bool
fold_query_empty(const struct fold_query *q)
{
	return q->n == 0;
}

/* The stretch behind t, which is of at most `size` bytes; false: none. */
static bool
next_stretch(const struct fold_query *q, struct fold_stretch *t, size_t size)
{
	t->from = t->limit;
	t->limit += least(size, t->text.n - t->from);
	t->end = least(t->text.n, t->limit + 4 * q->longest);
	t->n = 0;
	return t->from < t->text.n && q->n > 0;
}

/* Stretches grow up to where their folded characters would need much memory. */
static size_t
next_size(const struct fold_query *q, size_t size)
{
	size_t most = 8 * q->longest;

	return least(2 * size, most > STRETCH_MOST ? most : STRETCH_MOST);
}

/* The earliest match of any entry that starts in the stretch. */
static size_t
find_any(const struct fold_query *q, struct fold_stretch *t, size_t *len)
{
	size_t best = FOLD_NONE, limit = t->limit, at;

	for (unsigned i = 0; i < q->n; i++) {
		at = entry_find(&q->entry[i], i, t, limit, len);
		if (at == FOLD_NONE)
			continue;
		best = at;
		limit = at; /* only what is earlier counts from here */
	}
	return best;
}

size_t
fold_find(const struct fold_query *q, struct str text, size_t *len)
{
	struct fold_stretch t = { .text = text };
	size_t size = STRETCH_FIRST, at = FOLD_NONE, ignored;

	if (len == NULL)
		len = &ignored;
	while (at == FOLD_NONE && next_stretch(q, &t, size)) {
		at = find_any(q, &t, len);
		size = next_size(q, size);
	}
	stretch_release(&t);
	return at;
}

bool
fold_has_all(const struct fold_query *q, struct str text)
{
	struct fold_stretch t;
	size_t size, at, ignored;

	for (size_t i = 0; i < q->n; i++) {
		t = (struct fold_stretch){ .text = text };
		at = FOLD_NONE;
		size = STRETCH_FIRST;
		while (at == FOLD_NONE && next_stretch(q, &t, size)) {
			at = entry_find(&q->entry[i], 0, &t, t.limit, &ignored);
			size = next_size(q, size);
		}
		stretch_release(&t);
		if (at == FOLD_NONE)
			return false;
	}
	return true;
}

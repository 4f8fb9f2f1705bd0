#include "transcript/prefilter.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "text/ascii_search.h"
#include "text/fold.h"

/*
 * An entry is cut into pieces at the characters that documents put between
 * what is recorded: control characters, parentheses and what JSON is made of.
 * A blank is cut at only beside what may be part of a mark, or of an argument
 * that is not a string; records that join texts by blanks may hold every piece.
 * The other characters that documents add (in words, or `-`) stand between such
 * ones, so what holds neither them nor is a part of an added text stands
 * together in one recorded string, number or word, wherever it matches.  In the
 * file it is then as it is, but
 *
 * - in letters that fold alike: a byte of a piece fits with those bits left
 *   out in which their encodings differ, and one whose encoding has another
 *   length is a stray, which a line may hold instead;
 * - with a slash as \/, which is a stray, too;
 * - with any character as \uXXXX: a line with an escape of a character that is
 *   in a piece may hold every piece.  So may one with a control character that
 *   comes out as \b, \t, \n, \f or \r, where a piece begins with that letter.
 */
#define PIECES_AN_ENTRY 4
#define PIECE_BYTES ASCII_LOOSE_MOST
#define STRAYS_MOST 16
#define JOINED_MOST 8
#define ESCAPE_BYTES 6			/* of \uXXXX */
#define AHEAD_BYTES ((size_t)16 * 1024) /* that are looked at together */
#define ALL_MARKS ((UINT32_C(1) << PREFILTER_MARKS) - 1)

struct piece {
	struct ascii_needle needle;
	unsigned strays; /* bits: one of these stands for it as well */
	uint32_t mark;
	size_t frequency;
};

struct entry {
	struct piece pieces[PIECES_AN_ENTRY]; /* the rarest first */
	size_t n;
	uint32_t marks; /* of all of them */
};

/*
 * Strays of one length and first byte, as the old forms of Cyrillic letters
 * are: a text mostly holds none of them, which one search tells.
 */
struct group {
	struct ascii_needle any; /* bits left out in which they differ */
	unsigned strays;
};

struct prefilter {
	struct entry *entries; /* that have pieces */
	size_t n;
	bool all;

	struct ascii_needle strays[STRAYS_MOST];
	unsigned n_strays;
	struct group groups[STRAYS_MOST]; /* of all strays */
	unsigned n_groups;
	struct ascii_needle escape;	    /* \u */
	unsigned char telling[0x10000 / 8]; /* by what is escaped: a bit each */
	struct ascii_needle
		joined[JOINED_MOST]; /* where blanks are in pieces */
	unsigned n_joined;
	bool keeps_blanks, has_blanks; /* in pieces */
};

/* ---- what documents add ------------------------------------------------ */

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_part_of(struct str piece, struct str text)
{
	return memmem(text.s, text.n, piece.s, piece.n) != NULL;
}

/* A number recorded as a duration, with what is added of `ms`. */
static bool
is_duration(struct str folded)
{
	size_t n = folded.n;

	if (n > 1 && folded.s[n - 1] == 's' && folded.s[n - 2] == 'm')
		n--;
	if (n < 2 || folded.s[n - 1] != 'm')
		return false;
	for (size_t i = 0; i + 1 < n; i++)
		if (!is_digit(folded.s[i]) &&
		    strchr("+-.e", folded.s[i]) == NULL)
			return false;
	return true;
}

static bool
may_be_added(struct str folded, const char *const *const added[])
{
	size_t digits = 0;

	while (digits < folded.n && is_digit(folded.s[digits]))
		digits++;
	if (digits == folded.n || is_duration(folded))
		return true;
	for (size_t k = 0; added[k] != NULL; k++)
		for (size_t i = 0; added[k][i] != NULL; i++)
			if (is_part_of(folded, str_of(added[k][i])))
				return true;
	return false;
}

/* ---- cutting ----------------------------------------------------------- */

static void
tell(struct prefilter *p, uint32_t cp)
{
	p->telling[cp >> 3] |= (unsigned char)(1u << (cp & 7));
}

/*
 * Blanks are in pieces: a record with one of these keys, in letters that may be
 * escaped, holds every piece.
 */
static void
add_joined(struct prefilter *p, const char *const *const joined[])
{
	for (size_t k = 0; joined[k] != NULL; k++)
		for (size_t i = 0; joined[k][i] != NULL; i++) {
			assert(p->n_joined < JOINED_MOST);
			ascii_needle_init(&p->joined[p->n_joined++],
					  str_of(joined[k][i]));
			for (const char *c = joined[k][i]; *c != '\0'; c++)
				tell(p, (unsigned char)*c);
		}
}

static bool
is_between(uint32_t cp)
{
	return cp < ' ' ||
	       (cp < 0x80 && strchr("\"\\{}[](),:", (int)cp) != NULL);
}

/* A piece that grows, character by character. */
struct growing {
	unsigned char byte[PIECE_BYTES], mask[PIECE_BYTES];
	size_t n;
	unsigned strays;
	struct buf folded;
};

/* Beyond U+FFFF it is escaped by halves, which alone read as U+FFFD. */
static void
tell_character(struct prefilter *p, uint32_t cp)
{
	if (cp < 0x10000)
		tell(p, cp);
	if (cp < 0x10000 && cp != 0xfffd)
		return;
	for (uint32_t half = 0xd800; half < 0xe000; half++)
		tell(p, half);
}

/* The letters of short escapes, and what they are written for. */
static void
tell_control(struct prefilter *p, char first)
{
	static const char letters[] = "btnfr", controls[] = "\b\t\n\f\r";
	const char *found = memchr(letters, first, sizeof(letters) - 1);

	if (found != NULL)
		tell(p, (uint32_t)controls[found - letters]);
}

/* The bit of a stray, or 0: there are too many. */
static unsigned
add_stray(struct prefilter *p, struct str stray)
{
	for (unsigned i = 0; i < p->n_strays; i++)
		if (p->strays[i].n == stray.n &&
		    memcmp(p->strays[i].folded, stray.s, stray.n) == 0)
			return 1u << i;
	if (p->n_strays == STRAYS_MOST)
		return 0;
	ascii_needle_init(&p->strays[p->n_strays], stray);
	return 1u << p->n_strays++;
}

/*
 * Adds a character in the forms that fold alike.  False: there is no room for
 * it, and it belongs to no piece, or to the next one.
 */
static bool
grow(struct prefilter *p, struct growing *g, uint32_t cp)
{
	uint32_t forms[FOLD_CHAR_VARIANTS];
	unsigned n = fold_char_variants(fold_char(cp), forms), strays = 0, bit;
	char first[4], other[4];
	size_t length = utf8_encode(forms[0], first), size;

	if (g->n + length > PIECE_BYTES)
		return false;
	p->has_blanks = p->has_blanks || cp == ' ';
	for (size_t i = 0; i < length; i++) {
		g->byte[g->n + i] = (unsigned char)first[i];
		g->mask[g->n + i] = 0;
	}
	if (cp == '/') {
		strays = add_stray(p, STR("\\/"));
		if (strays == 0)
			return false;
	}
	for (unsigned k = 1; k < n; k++) {
		size = utf8_encode(forms[k], other);
		bit = 0;
		if (size != length)
			bit = add_stray(p, (struct str){ other, size });
		if (size != length && bit == 0)
			return false;
		strays |= bit;
		for (size_t i = 0; size == length && i < length; i++)
			g->mask[g->n + i] |= (unsigned char)(first[i] ^
							     other[i]);
	}
	for (size_t i = 0; i < length; i++)
		g->byte[g->n + i] |= g->mask[g->n + i];
	for (unsigned k = 0; k < n; k++)
		tell_character(p, forms[k]);
	g->n += length;
	g->strays |= strays;
	buf_add(&g->folded, first, length);
	return true;
}

static bool
is_ascii(const struct growing *g)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->byte[i] >= 0x80)
			return false;
	return true;
}

/* Puts what has grown among the rarest pieces of the entry. */
static void
finish_piece(struct growing *g, struct entry *e,
	     const char *const *const added[])
{
	struct piece piece = { .strays = g->strays };
	size_t at;

	if (g->n > 0 && !may_be_added(buf_str(&g->folded), added)) {
		if (is_ascii(g))
			ascii_needle_init(&piece.needle, buf_str(&g->folded));
		else
			ascii_needle_init_loose(&piece.needle, g->byte, g->mask,
						g->n);
		piece.frequency = ascii_needle_frequency(&piece.needle);
		if (e->n == PIECES_AN_ENTRY &&
		    e->pieces[e->n - 1].frequency > piece.frequency)
			ascii_needle_release(&e->pieces[--e->n].needle);
		for (at = e->n;
		     at > 0 && e->pieces[at - 1].frequency > piece.frequency;
		     at--)
			if (at < PIECES_AN_ENTRY)
				e->pieces[at] = e->pieces[at - 1];
		if (e->n < PIECES_AN_ENTRY) {
			e->pieces[at] = piece;
			e->n++;
		} else {
			ascii_needle_release(&piece.needle);
		}
	}
	g->n = 0;
	g->strays = 0;
	buf_reset(&g->folded);
}

/* Adds a text, folded. */
static void
add_folded(struct buf *out, struct str text)
{
	char bytes[4];
	uint32_t cp;

	for (size_t i = 0; i < text.n;) {
		i += utf8_decode(text.s + i, text.n - i, &cp);
		buf_add(out, bytes, utf8_encode(fold_char(cp), bytes));
	}
}

/* Whether it is the end of the name of a mark, as in `[image a/b]`. */
static bool
ends_mark(struct str folded)
{
	return str_ends(STR("image"), folded) ||
	       str_ends(STR("document"), folded);
}

/* Whether arguments that are neither a string nor a container may begin so. */
static bool
begins_scalar(struct str folded)
{
	char first = folded.s[0];

	return first == '-' || is_digit(first) ||
	       str_starts(STR("true"), folded) ||
	       str_starts(STR("false"), folded) ||
	       str_starts(STR("null"), folded);
}

/*
 * Whether the blank at i may be one that a document adds: one beside another,
 * one behind a mark, or one in front of arguments.
 */
static bool
is_seam(struct str text, size_t i)
{
	struct buf word = BUF_INIT;
	size_t start = i, end = i + 1;
	bool seam;

	while (start > 0 && !is_between((unsigned char)text.s[start - 1]) &&
	       text.s[start - 1] != ' ')
		start--;
	while (end < text.n && !is_between((unsigned char)text.s[end]) &&
	       text.s[end] != ' ')
		end++;
	if (start == i || end == i + 1)
		return true;
	add_folded(&word, (struct str){ text.s + start, i - start });
	seam = ends_mark(buf_str(&word));
	buf_reset(&word);
	add_folded(&word, (struct str){ text.s + i + 1, end - i - 1 });
	seam = seam || begins_scalar(buf_str(&word));
	buf_release(&word);
	return seam;
}

static void
cut(struct prefilter *p, struct str text, struct entry *e,
    const char *const *const added[])
{
	struct growing g = { .folded = BUF_INIT };
	uint32_t cp;

	*e = (struct entry){ .n = 0 };
	for (size_t i = 0; i < text.n;) {
		unsigned n = utf8_decode(text.s + i, text.n - i, &cp);

		bool seam = n > 0 && cp == ' ' &&
			    (!p->keeps_blanks || is_seam(text, i));

		i += n > 0 ? n : 1;
		if (n > 0 && !is_between(cp) && !seam) {
			if (g.n == 0)
				tell_control(p, (char)fold_char(cp));
			if (grow(p, &g, cp))
				continue;
			finish_piece(&g, e, added);
			if (grow(p, &g, cp))
				continue;
		}
		finish_piece(&g, e, added);
	}
	finish_piece(&g, e, added);
	buf_release(&g.folded);
}

/* ---- making ------------------------------------------------------------ */

/* So many marks an entry as there are for each; many entries share them. */
static void
assign_marks(struct prefilter *p)
{
	size_t each = p->n < PREFILTER_MARKS ? PREFILTER_MARKS / p->n : 1;
	unsigned next = 0;

	for (size_t i = 0; i < p->n; i++) {
		struct entry *e = &p->entries[i];

		while (e->n > each)
			ascii_needle_release(&e->pieces[--e->n].needle);
		for (size_t k = 0; k < e->n; k++) {
			e->pieces[k].mark = UINT32_C(1)
					    << next++ % PREFILTER_MARKS;
			e->marks |= e->pieces[k].mark;
		}
	}
}

static void
add_group(struct prefilter *p, unsigned strays)
{
	unsigned char byte[PIECE_BYTES], mask[PIECE_BYTES] = { 0 };
	const struct ascii_needle *first = &p->strays[__builtin_ctz(strays)];
	size_t n = first->n;

	for (unsigned i = 0; i < p->n_strays; i++)
		for (size_t k = 0; (strays >> i & 1) != 0 && k < n; k++)
			mask[k] |= p->strays[i].mask[k] |
				   (p->strays[i].folded[k] ^ first->folded[k]);
	for (size_t k = 0; k < n; k++)
		byte[k] = first->folded[k] | mask[k];
	p->groups[p->n_groups].strays = strays;
	ascii_needle_init_loose(&p->groups[p->n_groups++].any, byte, mask, n);
}

static void
group_strays(struct prefilter *p)
{
	unsigned left = (1u << p->n_strays) - 1;

	while (left != 0) {
		const struct ascii_needle *first =
			&p->strays[__builtin_ctz(left)];
		unsigned strays = 0;

		for (unsigned i = 0; i < p->n_strays; i++)
			if (p->strays[i].n == first->n &&
			    p->strays[i].folded[0] == first->folded[0])
				strays |= 1u << i;
		add_group(p, strays);
		left &= ~strays;
	}
}

struct prefilter *
prefilter_new(const struct str *entries, size_t n, bool all,
	      const char *const *const added[],
	      const char *const *const joined[])
{
	struct prefilter *p = xcalloc(1, sizeof(*p));
	bool sound = true;

	p->all = all;
	p->keeps_blanks = joined != NULL;
	p->entries = xcalloc(n, sizeof(*p->entries));
	ascii_needle_init(&p->escape, STR("\\u"));
	for (size_t i = 0; i < n && sound; i++) {
		if (entries[i].n == 0)
			continue;
		cut(p, entries[i], &p->entries[p->n], added);
		/* One that says nothing is everywhere. */
		if (p->entries[p->n].n > 0)
			p->n++;
		else
			sound = all;
	}
	if (!sound || p->n == 0) {
		prefilter_free(p);
		return NULL;
	}
	if (p->has_blanks)
		add_joined(p, joined);
	group_strays(p);
	assign_marks(p);
	return p;
}

void
prefilter_free(struct prefilter *p)
{
	if (p == NULL)
		return;
	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < p->entries[i].n; k++)
			ascii_needle_release(&p->entries[i].pieces[k].needle);
	free(p->entries);
	for (unsigned i = 0; i < p->n_strays; i++)
		ascii_needle_release(&p->strays[i]);
	for (unsigned i = 0; i < p->n_groups; i++)
		ascii_needle_release(&p->groups[i].any);
	for (unsigned i = 0; i < p->n_joined; i++)
		ascii_needle_release(&p->joined[i]);
	ascii_needle_release(&p->escape);
	free(p);
}

/* ---- looking ----------------------------------------------------------- */

/* What four digits escape; 0 when they are none. */
static uint32_t
escaped(const char *digits)
{
	uint32_t cp = 0;

	for (size_t i = 0; i < 4; i++) {
		int digit = str_hex(digits[i]);

		if (digit < 0)
			return 0;
		cp = cp << 4 | (uint32_t)digit;
	}
	return cp;
}

static bool
has_telling_escape(const struct prefilter *p, struct str text)
{
	uint32_t cp;
	size_t at;

	while ((at = ascii_search(&p->escape, text.s, text.n)) != ASCII_NONE) {
		if (at + ESCAPE_BYTES > text.n)
			return false;
		cp = escaped(text.s + at + 2);
		if ((p->telling[cp >> 3] >> (cp & 7) & 1) != 0)
			return true;
		text = str_from(text, at + 2);
	}
	return false;
}

static unsigned
find_strays(const struct prefilter *p, struct str text)
{
	unsigned found = 0;

	for (unsigned i = 0; i < p->n_groups; i++) {
		const struct group *g = &p->groups[i];
		unsigned left = g->strays;

		if (ascii_search(&g->any, text.s, text.n) == ASCII_NONE)
			continue;
		for (; left != 0; left &= left - 1) {
			unsigned k = (unsigned)__builtin_ctz(left);

			if (ascii_search(&p->strays[k], text.s, text.n) !=
			    ASCII_NONE)
				found |= 1u << k;
		}
	}
	return found;
}

static bool
has_piece(const struct piece *piece, struct str text, unsigned strays)
{
	return (piece->strays & strays) != 0 ||
	       ascii_search(&piece->needle, text.s, text.n) != ASCII_NONE;
}

/* Adds to *marks those of the first `most` pieces of each entry. */
static void
add_marks(const struct prefilter *p, struct str text, size_t most,
	  uint32_t *marks)
{
	unsigned strays = find_strays(p, text);

	for (size_t i = 0; i < p->n; i++) {
		const struct entry *e = &p->entries[i];

		for (size_t k = 0; k < e->n && k < most; k++)
			if ((*marks & e->pieces[k].mark) == 0 &&
			    has_piece(&e->pieces[k], text, strays))
				*marks |= e->pieces[k].mark;
	}
	for (unsigned i = 0; i < p->n_joined; i++)
		if (ascii_search(&p->joined[i], text.s, text.n) != ASCII_NONE)
			*marks = ALL_MARKS;
	if (has_telling_escape(p, text))
		*marks = ALL_MARKS;
}

uint32_t
prefilter_marks(const struct prefilter *p, struct str text)
{
	uint32_t marks = 0;

	if (p != NULL)
		add_marks(p, text, PIECES_AN_ENTRY, &marks);
	return marks;
}

/*
 * What a text holds no line in it holds.  Where it does hold something its
 * lines are looked at one by one, so nothing is looked at more than twice.
 */
uint32_t
prefilter_line_marks(const struct prefilter *p, struct prefilter_look *look,
		     struct str line, struct str ahead, uint64_t offset)
{
	if (p == NULL)
		return 0;
	if (offset >= look->end && line.n < AHEAD_BYTES / 2) {
		ahead.n = ahead.n < AHEAD_BYTES ? ahead.n : AHEAD_BYTES;
		look->end = offset + ahead.n;
		look->empty = prefilter_marks(p, ahead) == 0;
	}
	if (look->empty && offset + line.n <= look->end)
		return 0;
	return prefilter_marks(p, line);
}

/* Whether the marks are those of the first `most` pieces of what it needs. */
static bool
fits(const struct prefilter *p, uint32_t marks, size_t most)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct entry *e = &p->entries[i];
		bool whole = true;

		for (size_t k = 0; k < e->n && k < most; k++)
			whole = whole && (marks & e->pieces[k].mark) != 0;
		if (whole != p->all)
			return whole;
	}
	return p->all;
}

bool
prefilter_fits(const struct prefilter *p, uint32_t marks)
{
	return p == NULL || fits(p, marks, PIECES_AN_ENTRY);
}

/* Looks for the first `most` pieces of each entry, from the start on. */
static int
scan(const struct prefilter *p, struct source *source, size_t most, char *space,
     const atomic_bool *stop)
{
	const size_t overlap = PIECE_BYTES;
	uint32_t marks = 0;
	size_t kept = 0;
	long got;

	source_rewind(source, 0);
	while (!atomic_load_explicit(stop, memory_order_relaxed)) {
		got = source_read(source, space + kept, PREFILTER_SPACE - kept);
		if (got <= 0)
			return got < 0 ? -1 : 0;
		kept += (size_t)got;
		add_marks(p, (struct str){ space, kept }, most, &marks);
		if (fits(p, marks, most))
			return 1;
		if (kept > overlap) {
			memmove(space, space + kept - overlap, overlap);
			kept = overlap;
		}
	}
	return 0;
}

/*
 * A file that lacks the rarest piece is left after one scan; the others are
 * only looked for where it does not.
 */
int
prefilter_scan(const struct prefilter *p, struct source *source, char *space,
	       const atomic_bool *stop)
{
	bool more = false;
	int found = scan(p, source, 1, space, stop);

	for (size_t i = 0; i < p->n; i++)
		more = more || p->entries[i].n > 1;
	if (found > 0 && more)
		found = scan(p, source, PIECES_AN_ENTRY, space, stop);
	return found;
}

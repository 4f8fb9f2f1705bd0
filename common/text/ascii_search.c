#include "text/ascii_search.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "base/xalloc.h"
#include "text/kmp.h"

/*
 * Needles up to this length are compared again at every candidate: that is a
 * constant.  Longer ones get a border table, and a search that has compared
 * far more than it has passed over goes on with that.
 */
#define SHORT 4
#define PATIENCE 2

static inline unsigned char
lower(char c)
{
	unsigned char u = (unsigned char)c;

	return u >= 'A' && u <= 'Z' ? u | 0x20 : u;
}

/*
 * How often a byte is met in prose, code and JSON, roughly: 0 for what is not
 * listed, the more the more often.  Letters outside ASCII begin with few
 * bytes, and go on with many; the more frequent of these are of the common
 * letters of Cyrillic, small or of either case.
 */
static size_t
frequency(unsigned char c)
{
	static const char by_rarity[] = "qz@$#%&!?j<>[]x+*{}8769543k'()=;"
					"201v:w/,._-yb\nghfmpu\"dclrsnioate ";
	static const char behind[] =
		"\xbf\xa3\x83\xb3\xb1\xb4\xbc\xba\xbb\xb2"
		"\xa0\x80\xa1\x81\xa2\x82\xbd\xb8\xb0\xb5\xbe";
	const char *found = c < 0x80 ? memchr(by_rarity, c,
					      sizeof(by_rarity) - 1)
				     : memchr(behind, c, sizeof(behind) - 1);

	if (c >= 0xc0)
		return sizeof(by_rarity);
	if (c >= 0x80)
		return sizeof(by_rarity) / 2 +
		       (found == NULL ? 0 : (size_t)(found - behind) + 1);
	return found == NULL ? 0 : (size_t)(found - by_rarity) + 1;
}

/* The rarest byte but for the one at `other`; a->n when there is none. */
static size_t
rarest(const struct ascii_needle *a, size_t other)
{
	size_t best = a->n, least = SIZE_MAX, i, f;

	for (i = 0; i < a->n; i++) {
		f = frequency(a->folded[i]);
		if (i != other && f < least) {
			least = f;
			best = i;
		}
	}
	return best;
}

static void
init(struct ascii_needle *a, size_t n)
{
	*a = (struct ascii_needle){ .folded = xmalloc(n),
				    .mask = xmalloc(n),
				    .n = n };
}

static void
choose_anchors(struct ascii_needle *a)
{
	a->at[0] = rarest(a, a->n);
	a->at[1] = rarest(a, a->at[0]);
	if (a->at[1] == a->n)
		a->at[1] = a->at[0];
}

void
ascii_needle_init(struct ascii_needle *a, struct str needle)
{
	init(a, needle.n);
	for (size_t i = 0; i < needle.n; i++) {
		a->folded[i] = lower(needle.s[i]);
		a->mask[i] = a->folded[i] >= 'a' && a->folded[i] <= 'z' ? 0x20
									: 0;
	}
	choose_anchors(a);
	if (a->n > SHORT)
		a->border = kmp_borders(a->folded, a->n, 1);
}

void
ascii_needle_init_loose(struct ascii_needle *a, const unsigned char *folded,
			const unsigned char *mask, size_t n)
{
	init(a, n);
	memcpy(a->folded, folded, n);
	memcpy(a->mask, mask, n);
	choose_anchors(a);
}

void
ascii_needle_release(struct ascii_needle *a)
{
	free(a->folded);
	free(a->mask);
	free(a->border);
	*a = (struct ascii_needle){ 0 };
}

size_t
ascii_needle_frequency(const struct ascii_needle *a)
{
	return (frequency(a->folded[a->at[0]]) +
		frequency(a->folded[a->at[1]]) + 1) *
	       ASCII_LOOSE_MOST / a->n;
}

static inline bool
fits(const struct ascii_needle *a, size_t i, char c)
{
	return ((unsigned char)c | a->mask[i]) == a->folded[i];
}

/* Number of bytes at p that agree with the needle, from its start. */
static size_t
agreement(const struct ascii_needle *a, const char *p)
{
	size_t i = 0;

	while (i < a->n && fits(a, i, p[i]))
		i++;
	return i;
}

/* Knuth, Morris and Pratt: slower, but never looks at a byte twice. */
static size_t
search_patiently(const struct ascii_needle *a, const char *p, size_t n,
		 size_t from)
{
	size_t i, k = 0;

	for (i = from; i < n; i++) {
		while (k > 0 && !fits(a, k, p[i]))
			k = a->border[k];
		if (fits(a, k, p[i]))
			k++;
		if (k == a->n)
			return i + 1 - k;
	}
	return ASCII_NONE;
}

struct ascii_scan {
	const struct ascii_needle *a;
	const char *p;
	size_t n;
	size_t compared; /* bytes, at all candidates */
	size_t found;
};

/* A candidate.  True when the search is over: found tells how. */
static bool
try(struct ascii_scan *s, size_t i)
{
	size_t agreed = agreement(s->a, s->p + i);

	if (agreed == s->a->n) {
		s->found = i;
		return true;
	}
	s->compared += agreed;
	if (s->a->border == NULL || s->compared / PATIENCE <= i + 256)
		return false;
	s->found = search_patiently(s->a, s->p, s->n, i + 1);
	return true;
}

static bool
is_candidate(const struct ascii_needle *a, const char *p)
{
	return fits(a, a->at[0], p[a->at[0]]) && fits(a, a->at[1], p[a->at[1]]);
}

/* Starts from `from` to before `to`, one at a time. */
static bool
scan_bytes(struct ascii_scan *s, size_t from, size_t to)
{
	for (; from < to; from++)
		if (is_candidate(s->a, s->p + from) && try(s, from))
			return true;
	return false;
}

#ifdef __SSE2__

#define BLOCK 64

struct anchors {
	__m128i byte[2], mask[2];
};

/* Bit i: the needle's anchors stand where they do for a start at p + i. */
static inline uint64_t
block16(const struct anchors *v, const char *first, const char *second)
{
	__m128i x = _mm_loadu_si128((const __m128i *)(const void *)first);
	__m128i y = _mm_loadu_si128((const __m128i *)(const void *)second);

	x = _mm_cmpeq_epi8(_mm_or_si128(x, v->mask[0]), v->byte[0]);
	y = _mm_cmpeq_epi8(_mm_or_si128(y, v->mask[1]), v->byte[1]);
	return (uint32_t)_mm_movemask_epi8(_mm_and_si128(x, y));
}

static inline uint64_t
block(const struct anchors *v, const char *first, const char *second)
{
	return block16(v, first, second) |
	       block16(v, first + 16, second + 16) << 16 |
	       block16(v, first + 32, second + 32) << 32 |
	       block16(v, first + 48, second + 48) << 48;
}

/* The candidates among the 64 starts from `at` on: as try(). */
static inline bool
try_all(struct ascii_scan *s, size_t at, uint64_t bits)
{
	for (; bits != 0; bits &= bits - 1)
		if (try(s, at + (size_t)__builtin_ctzll(bits)))
			return true;
	return false;
}

#define AVX2 __attribute__((target("avx2")))
#ifndef HAS_AVX2 /* a test has its own */
#define HAS_AVX2 __builtin_cpu_supports("avx2")
#endif

AVX2 static inline __m256i
block32(const __m256i byte[2], const __m256i mask[2], const char *first,
	const char *second)
{
	__m256i x = _mm256_loadu_si256((const __m256i *)(const void *)first);
	__m256i y = _mm256_loadu_si256((const __m256i *)(const void *)second);

	x = _mm256_cmpeq_epi8(_mm256_or_si256(x, mask[0]), byte[0]);
	y = _mm256_cmpeq_epi8(_mm256_or_si256(y, mask[1]), byte[1]);
	return _mm256_and_si256(x, y);
}

/* Passes over the blocks from `from` on that have no candidate. */
AVX2 static size_t
skip_blocks(const struct ascii_needle *a, const char *p, size_t from, size_t to)
{
	const char *first = p + a->at[0], *second = p + a->at[1];
	__m256i byte[2], mask[2], low, high;
	size_t i;

	for (unsigned k = 0; k < 2; k++) {
		byte[k] = _mm256_set1_epi8((char)a->folded[a->at[k]]);
		mask[k] = _mm256_set1_epi8((char)a->mask[a->at[k]]);
	}
	for (i = from; to - i >= BLOCK; i += BLOCK) {
		low = block32(byte, mask, first + i, second + i);
		high = block32(byte, mask, first + i + 32, second + i + 32);
		low = _mm256_or_si256(low, high);
		if (!_mm256_testz_si256(low, low))
			break;
	}
	return i;
}

/*
 * Whole blocks of starts, if there is one; *from is set behind them.  The last
 * one may begin in the one before: a text is mostly a line, and to look at the
 * rest of it byte by byte would take longer than the blocks.
 */
static bool
scan_blocks(struct ascii_scan *s, size_t *from, size_t to)
{
	const struct ascii_needle *a = s->a;
	const char *first = s->p + a->at[0], *second = s->p + a->at[1];
	bool wide = HAS_AVX2;
	struct anchors v;
	size_t i;

	for (size_t k = 0; k < 2; k++) {
		v.byte[k] = _mm_set1_epi8((char)a->folded[a->at[k]]);
		v.mask[k] = _mm_set1_epi8((char)a->mask[a->at[k]]);
	}
	for (i = 0; to - i >= BLOCK; i += BLOCK) {
		if (wide)
			i = skip_blocks(a, s->p, i, to);
		if (to - i < BLOCK)
			break;
		if (try_all(s, i, block(&v, first + i, second + i)))
			return true;
	}
	if (i > 0 && i < to) {
		size_t at = to - BLOCK;
		uint64_t bits = block(&v, first + at, second + at);

		if (try_all(s, at, bits & ~UINT64_C(0) << (i - at)))
			return true;
		i = to;
	}
	*from = i;
	return false;
}

#else

#define BLOCK sizeof(uint64_t)
#define EACH_BYTE(c) (UINT64_C(0x0101010101010101) * (c))

/* Non-zero when one of eight bytes, under the mask, is that byte. */
static inline uint64_t
has_anchor(const struct ascii_needle *a, unsigned which, const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	w |= EACH_BYTE(a->mask[a->at[which]]);
	w ^= EACH_BYTE(a->folded[a->at[which]]);
	return (w - EACH_BYTE(1)) & ~w & EACH_BYTE(0x80);
}

/* As many whole blocks of starts as there are; *from is set behind them. */
static bool
scan_blocks(struct ascii_scan *s, size_t *from, size_t to)
{
	const struct ascii_needle *a = s->a;
	size_t i;

	for (i = *from; to - i >= BLOCK; i += BLOCK)
		if (has_anchor(a, 0, s->p + i + a->at[0]) != 0 &&
		    has_anchor(a, 1, s->p + i + a->at[1]) != 0 &&
		    scan_bytes(s, i, i + BLOCK))
			return true;
	*from = i;
	return false;
}

#endif

size_t
ascii_search(const struct ascii_needle *a, const char *p, size_t n)
{
	struct ascii_scan s = { .a = a, .p = p, .n = n, .found = ASCII_NONE };
	size_t from = 0, starts;

	if (a->n > n)
		return ASCII_NONE;
	if (a->n == 0)
		return 0;
	starts = n - a->n + 1;
	if (!scan_blocks(&s, &from, starts))
		(void)scan_bytes(&s, from, starts);
	return s.found;
}

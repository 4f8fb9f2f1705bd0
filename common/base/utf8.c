#include "base/utf8.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/word.h"

static bool
continues(unsigned char b)
{
	return (b & 0xc0) == 0x80;
}

/* Where the second byte may lie after a lead byte; Unicode table 3-7. */
static bool
second_is_legal(unsigned char lead, unsigned char b)
{
	switch (lead) {
	case 0xe0: /* else overlong */
		return b >= 0xa0 && b <= 0xbf;
	case 0xed: /* else a surrogate */
		return b >= 0x80 && b <= 0x9f;
	case 0xf0: /* else overlong */
		return b >= 0x90 && b <= 0xbf;
	case 0xf4: /* else above U+10FFFF */
		return b >= 0x80 && b <= 0x8f;
	default:
		return continues(b);
	}
}

unsigned
utf8_decode(const char *s, size_t n, uint32_t *cp)
{
	const unsigned char *b = (const unsigned char *)s;
	unsigned char lead = b[0];

	if (lead < 0x80) {
		*cp = lead;
		return 1;
	}
	if (lead < 0xc2 || lead > 0xf4 || n < 2 || !second_is_legal(lead, b[1]))
		return 0;
	if (lead < 0xe0) {
		*cp = (lead & 0x1fU) << 6 | (b[1] & 0x3fU);
		return 2;
	}
	if (n < 3 || !continues(b[2]))
		return 0;
	if (lead < 0xf0) {
		*cp = (lead & 0x0fU) << 12 | (b[1] & 0x3fU) << 6 |
		      (b[2] & 0x3fU);
		return 3;
	}
	if (n < 4 || !continues(b[3]))
		return 0;
	*cp = (lead & 0x07U) << 18 | (b[1] & 0x3fU) << 12 |
	      (b[2] & 0x3fU) << 6 | (b[3] & 0x3fU);
	return 4;
}

unsigned
utf8_encode(uint32_t cp, char out[4])
{
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xc0 | cp >> 6);
		out[1] = (char)(0x80 | (cp & 0x3f));
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (char)(0xe0 | cp >> 12);
		out[1] = (char)(0x80 | (cp >> 6 & 0x3f));
		out[2] = (char)(0x80 | (cp & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | cp >> 18);
	out[1] = (char)(0x80 | (cp >> 12 & 0x3f));
	out[2] = (char)(0x80 | (cp >> 6 & 0x3f));
	out[3] = (char)(0x80 | (cp & 0x3f));
	return 4;
}

/* The first byte at or after p that is not ASCII. */
static const char *
skip_ascii(const char *p, const char *end)
{
	while (end - p >= 4 * WORD_BYTES) {
		uint64_t any = word_load(p) | word_load(p + WORD_BYTES) |
			       word_load(p + 2 * WORD_BYTES) |
			       word_load(p + 3 * WORD_BYTES);

		if ((any & WORD_HIGHS) != 0)
			break;
		p += 4 * WORD_BYTES;
	}
	while (end - p >= WORD_BYTES) {
		uint64_t mask = word_load(p) & WORD_HIGHS;

		if (mask != 0)
			return p + word_first(mask);
		p += WORD_BYTES;
	}
	while (p < end && (unsigned char)*p < 0x80)
		p++;
	return p;
}

#if defined(__x86_64__)

/*
 * Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte"
 * (2021): two bytes that stand next to each other are looked up by the halves
 * of the first and the upper half of the second.  Each bit is one way to be
 * wrong; a pair is wrong when all three lookups have it.
 */
enum {
	SHORT = 1 << 0,	       /* a lead byte, and no continuation */
	LONG = 1 << 1,	       /* ASCII, and a continuation */
	OVERLONG_3 = 1 << 2,   /* 11100000 100_____ */
	LARGE = 1 << 3,	       /* 11110100 1001____ and above */
	SURROGATE = 1 << 4,    /* 11101101 101_____ */
	OVERLONG_2 = 1 << 5,   /* 1100000_ 10______ */
	OVERLONG_4 = 1 << 6,   /* 11110000 1000____ */
	LARGE_1000 = 1 << 6,   /* 11110101 1000____ and above */
	TWO_CONTINUE = 1 << 7, /* legal only behind a lead byte of 3 or 4 */
	ANY_LOW = SHORT | LONG | TWO_CONTINUE
};

#define BOTH_LANES(...) _mm256_setr_epi8(__VA_ARGS__, __VA_ARGS__)
#define SIMD_BYTES 32

/* What is wrong with the 32 bytes in `now`, which `before` stood before. */
__attribute__((target("avx2"))) static inline __m256i
faults(__m256i now, __m256i before)
{
	const char high = LARGE | LARGE_1000;
	const __m256i first_high = BOTH_LANES(
		LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG,
		(char)TWO_CONTINUE, (char)TWO_CONTINUE, (char)TWO_CONTINUE,
		(char)TWO_CONTINUE, SHORT | OVERLONG_2, SHORT,
		SHORT | OVERLONG_3 | SURROGATE,
		SHORT | LARGE | LARGE_1000 | OVERLONG_4);
	const __m256i first_low = _mm256_or_si256(
		_mm256_set1_epi8((char)ANY_LOW),
		BOTH_LANES(OVERLONG_3 | OVERLONG_2 | OVERLONG_4, OVERLONG_2, 0,
			   0, LARGE, high, high, high, high, high, high, high,
			   high, high | SURROGATE, high, high));
	const __m256i second_high = BOTH_LANES(
		SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT,
		(char)(LONG | OVERLONG_2 | TWO_CONTINUE | OVERLONG_3 |
		       LARGE_1000 | OVERLONG_4),
		(char)(LONG | OVERLONG_2 | TWO_CONTINUE | OVERLONG_3 | LARGE),
		(char)(LONG | OVERLONG_2 | TWO_CONTINUE | SURROGATE | LARGE),
		(char)(LONG | OVERLONG_2 | TWO_CONTINUE | SURROGATE | LARGE),
		SHORT, SHORT, SHORT, SHORT);
	const __m256i nibble = _mm256_set1_epi8(0x0f);
	__m256i joint = _mm256_permute2x128_si256(before, now, 0x21);
	__m256i one = _mm256_alignr_epi8(now, joint, 15);
	__m256i two = _mm256_alignr_epi8(now, joint, 14);
	__m256i three = _mm256_alignr_epi8(now, joint, 13);
	__m256i pair, third;

	pair = _mm256_and_si256(
		_mm256_and_si256(
			_mm256_shuffle_epi8(
				first_high,
				_mm256_and_si256(_mm256_srli_epi16(one, 4),
						 nibble)),
			_mm256_shuffle_epi8(first_low,
					    _mm256_and_si256(one, nibble))),
		_mm256_shuffle_epi8(
			second_high,
			_mm256_and_si256(_mm256_srli_epi16(now, 4), nibble)));
	/* Where a third or fourth byte is due two continuations are right. */
	third = _mm256_or_si256(
		_mm256_subs_epu8(two, _mm256_set1_epi8(0xe0 - 0x80)),
		_mm256_subs_epu8(three, _mm256_set1_epi8(0xf0 - 0x80)));
	third = _mm256_and_si256(third, _mm256_set1_epi8((char)0x80));
	return _mm256_xor_si256(third, pair);
}

/*
 * Passes over blocks in which nothing is wrong; gives where the first begins
 * in which something is, or what is left is less than a block, or the bytes
 * before it that may be the start of a character that ends in it.
 */
__attribute__((target("avx2"))) static const char *
skip_valid_blocks(const char *p, const char *end)
{
	__m256i before = _mm256_setzero_si256(), now, wrong;
	const char *start = p;

	for (; end - p >= SIMD_BYTES; p += SIMD_BYTES) {
		now = _mm256_loadu_si256((const __m256i *)(const void *)p);
		wrong = faults(now, before);
		if (!_mm256_testz_si256(wrong, wrong))
			break;
		before = now;
	}
	for (int i = 0; i < 3 && p > start && continues((unsigned char)p[-1]);
	     i++)
		p--;
	return p > start && (unsigned char)p[-1] >= 0xc0 ? p - 1 : p;
}

/* p is at the start of a character. */
static const char *
skip_valid(const char *p, const char *end)
{
	if (end - p < 2 * SIMD_BYTES || !__builtin_cpu_supports("avx2"))
		return p;
	return skip_valid_blocks(p, end);
}

#else

static const char *
skip_valid(const char *p, const char *end)
{
	(void)end;
	return p;
}

#endif

size_t
utf8_valid_prefix(struct str s)
{
	const char *p = s.s, *end = s.n == 0 ? p : p + s.n;
	bool blocks = true; /* what stopped them once would stop them again */
	uint32_t cp;
	unsigned n;

	for (;;) {
		p = skip_ascii(p, end);
		if (blocks && p < end) {
			p = skip_valid(p, end);
			blocks = false;
		}
		/* Scripts other than Latin come in runs: stay here. */
		while (p < end && (unsigned char)*p >= 0x80) {
			n = utf8_decode(p, (size_t)(end - p), &cp);
			if (n == 0)
				return (size_t)(p - s.s);
			p += n;
		}
		if (p == end)
			return s.n;
	}
}

/* A 1 in each byte of the word at p that begins a code point. */
static uint64_t
leads(const char *p)
{
	uint64_t w = word_load(p);

	return (~w >> 7 | w >> 6) & WORD_ONES;
}

/* The code points that begin in the 64 bytes at p. */
#define BLOCK (8 * WORD_BYTES)
static unsigned
block_leads(const char *p)
{
	return word_sum(leads(p) + leads(p + 8) + leads(p + 16) +
			leads(p + 24) + leads(p + 32) + leads(p + 40) +
			leads(p + 48) + leads(p + 56));
}

void
utf8_mend(struct buf *out, struct str text)
{
	size_t n;

	for (;;) {
		n = utf8_valid_prefix(text);
		buf_add(out, text.s, n);
		if (n == text.n)
			return;
		buf_adds(out, UTF8_REPLACEMENT);
		text = str_from(text, n + 1);
	}
}

size_t
utf8_count(struct str s)
{
	const char *p = s.s;
	size_t left = s.n, count = 0;

	for (; left >= BLOCK; left -= BLOCK, p += BLOCK)
		count += block_leads(p);
	for (; left > 0; left--, p++)
		count += !continues((unsigned char)*p);
	return count;
}

size_t
utf8_offset(struct str s, size_t k)
{
	const char *p = s.s;
	size_t left = s.n;

	while (left >= BLOCK) {
		unsigned n = block_leads(p);

		if (n > k)
			break;
		k -= n;
		p += BLOCK;
		left -= BLOCK;
	}
	for (; left > 0; left--, p++)
		if (!continues((unsigned char)*p) && k-- == 0)
			break;
	return s.n - left;
}

struct str
utf8_prefix(struct str s, size_t k)
{
	return (struct str){ s.s, utf8_offset(s, k) };
}

#include "base/json_blocks.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

static void
read_bytes(const char *p, size_t n, struct json_block *out)
{
	for (; n > 0; n--, p += JSON_BLOCK, out++) {
		*out = (struct json_block){ 0 };
		for (unsigned i = 0; i < JSON_BLOCK; i++) {
			unsigned char c = (unsigned char)p[i];
			uint64_t bit = UINT64_C(1) << i;

			if (c != 0 && memchr("\"\\/bfnrt", c, 8) != NULL)
				out->escapes |= bit;
			if (c == '"')
				out->quotes |= bit;
			else if (c == '\\')
				out->backslashes |= bit;
			else if (c == ' ')
				out->blanks |= bit;
			else if (c < ' ')
				out->control |= bit;
			else if (c >= 0x80)
				out->wide |= bit;
			else if (memchr("{}[]:,", c, 6) != NULL)
				out->structure |= bit;
		}
	}
}

#if defined(__x86_64__)

/* A bracket and the brace of its kind differ in this bit alone. */
#define BRACE_BIT 0x20

static inline __m128i
load16(const char *p)
{
	return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline uint64_t
mask16(__m128i x)
{
	return (uint64_t)(unsigned)_mm_movemask_epi8(x);
}

static inline __m128i
equal16(__m128i x, char c)
{
	return _mm_cmpeq_epi8(x, _mm_set1_epi8(c));
}

/* The letters of escapes, and the characters that are escaped. */
static inline __m128i
escapes16(__m128i x)
{
	/* Of b, f, n and r two differ in one bit. */
	__m128i bf = equal16(_mm_and_si128(x, _mm_set1_epi8(~4)), 'b');
	__m128i rest = _mm_or_si128(
		_mm_or_si128(equal16(x, 'n'), equal16(x, 'r')),
		_mm_or_si128(equal16(x, 't'), equal16(x, '/')));
	__m128i same = _mm_or_si128(equal16(x, '"'), equal16(x, '\\'));

	return _mm_or_si128(_mm_or_si128(bf, rest), same);
}

static void
read_sse2(const char *p, size_t n, struct json_block *out)
{
	const __m128i highest = _mm_set1_epi8(0x1f);

	for (; n > 0; n--, out++) {
		struct json_block b = { 0 };

		for (unsigned at = 0; at < JSON_BLOCK; at += 16, p += 16) {
			__m128i x = load16(p);
			__m128i folded = _mm_or_si128(x,
						      _mm_set1_epi8(BRACE_BIT));
			__m128i found = _mm_or_si128(
				_mm_or_si128(equal16(folded, '{'),
					     equal16(folded, '}')),
				_mm_or_si128(equal16(x, ':'), equal16(x, ',')));

			b.quotes |= mask16(equal16(x, '"')) << at;
			b.backslashes |= mask16(equal16(x, '\\')) << at;
			b.structure |= mask16(found) << at;
			b.blanks |= mask16(equal16(x, ' ')) << at;
			b.control |= mask16(_mm_cmpeq_epi8(
					     _mm_max_epu8(x, highest), highest))
				     << at;
			b.wide |= mask16(x) << at;
			b.escapes |= mask16(escapes16(x)) << at;
		}
		*out = b;
	}
}

#define AVX2 __attribute__((target("avx2")))

AVX2 static inline uint64_t
mask64(__m256i low, __m256i high)
{
	return (uint64_t)(unsigned)_mm256_movemask_epi8(low) |
	       (uint64_t)(unsigned)_mm256_movemask_epi8(high) << 32;
}

AVX2 static inline uint64_t
equal64(__m256i low, __m256i high, char c)
{
	__m256i of = _mm256_set1_epi8(c);

	return mask64(_mm256_cmpeq_epi8(low, of), _mm256_cmpeq_epi8(high, of));
}

AVX2 static inline __m256i
structure32(__m256i x)
{
	__m256i folded = _mm256_or_si256(x, _mm256_set1_epi8(BRACE_BIT));

	return _mm256_or_si256(
		_mm256_or_si256(
			_mm256_cmpeq_epi8(folded, _mm256_set1_epi8('{')),
			_mm256_cmpeq_epi8(folded, _mm256_set1_epi8('}'))),
		_mm256_or_si256(_mm256_cmpeq_epi8(x, _mm256_set1_epi8(':')),
				_mm256_cmpeq_epi8(x, _mm256_set1_epi8(','))));
}

/* The letters of escapes, and the characters that are escaped. */
AVX2 static inline __m256i
escapes32(__m256i x)
{
	/* By the lower halves of bytes: the byte that has it. */
	const __m256i letters = _mm256_setr_epi8(
		-1, 0, 'b', 0, 't', 0, 'f', 0, 0, 0, 0, 0, 0, 0, 'n', '/', -1,
		0, 'b', 0, 't', 0, 'f', 0, 0, 0, 0, 0, 0, 0, 'n', '/');
	__m256i found = _mm256_shuffle_epi8(letters, x);
	__m256i others = _mm256_or_si256(
		_mm256_cmpeq_epi8(x, _mm256_set1_epi8('"')),
		_mm256_or_si256(_mm256_cmpeq_epi8(x, _mm256_set1_epi8('\\')),
				_mm256_cmpeq_epi8(x, _mm256_set1_epi8('r'))));

	return _mm256_or_si256(_mm256_cmpeq_epi8(x, found), others);
}

AVX2 static inline __m256i
control32(__m256i x)
{
	const __m256i highest = _mm256_set1_epi8(0x1f);

	return _mm256_cmpeq_epi8(_mm256_max_epu8(x, highest), highest);
}

AVX2 static void
read_avx2(const char *p, size_t n, struct json_block *out)
{
	for (; n > 0; n--, p += JSON_BLOCK, out++) {
		const __m256i *at = (const __m256i *)(const void *)p;
		__m256i low = _mm256_loadu_si256(at);
		__m256i high = _mm256_loadu_si256(at + 1);

		out->quotes = equal64(low, high, '"');
		out->backslashes = equal64(low, high, '\\');
		out->structure = mask64(structure32(low), structure32(high));
		out->blanks = equal64(low, high, ' ');
		out->control = mask64(control32(low), control32(high));
		out->wide = mask64(low, high);
		out->escapes = mask64(escapes32(low), escapes32(high));
	}
}

/* What lists of numbers are made of. */
struct numbers {
	uint64_t digits, zeros, commas, minus, points, blanks;
};

static void
read_numbers(const char *p, struct numbers *out)
{
	*out = (struct numbers){ 0 };
	for (unsigned at = 0; at < JSON_BLOCK; at += 16, p += 16) {
		__m128i x = load16(p);
		__m128i below = _mm_sub_epi8(x, _mm_set1_epi8('0'));
		__m128i digit = _mm_cmpeq_epi8(
			_mm_min_epu8(below, _mm_set1_epi8(9)), below);

		out->digits |= mask16(digit) << at;
		out->zeros |= mask16(equal16(x, '0')) << at;
		out->commas |= mask16(equal16(x, ',')) << at;
		out->minus |= mask16(equal16(x, '-')) << at;
		out->points |= mask16(equal16(x, '.')) << at;
		out->blanks |= mask16(equal16(x, ' ')) << at;
	}
}

size_t
json_blocks_numbers(const char *p)
{
	struct numbers n;
	uint64_t all, wrong, starts, behind, first;
	size_t last;

	read_numbers(p, &n);
	if (n.commas == 0)
		return 0;
	last = 63 - (size_t)__builtin_clzll(n.commas);
	all = ~UINT64_C(0) >> (63 - last);
	behind = n.commas << 1;
	starts = ((behind & ~n.blanks) | (behind & n.blanks) << 1 | 1) & all;
	first = (starts & ~n.minus) | (starts & n.minus) << 1;
	wrong = ~(n.digits | n.commas | n.minus | n.points | n.blanks);
	wrong |= (n.blanks & ~behind) | (n.minus & ~starts) |
		 (first & ~n.digits);
	wrong |= (n.zeros & first) << 1 & n.digits;
	/* A digit on either side of a point, and one point at most. */
	wrong |= n.points & ~(n.digits << 1);
	wrong |= (n.points & all) << 1 & ~n.digits;
	wrong |= ((n.points << 1) + n.digits) & ~n.digits & n.points;
	return (wrong & all) != 0 ? 0 : last + 1;
}

json_blocks_read *
json_blocks_reader(void)
{
	return __builtin_cpu_supports("avx2") ? read_avx2 : read_sse2;
}

void
json_blocks_ways(json_blocks_read *ways[JSON_BLOCKS_WAYS])
{
	ways[0] = read_bytes;
	ways[1] = read_sse2;
	ways[2] = json_blocks_reader();
	ways[3] = NULL;
}

#else

size_t
json_blocks_numbers(const char *p)
{
	(void)p;
	return 0;
}

json_blocks_read *
json_blocks_reader(void)
{
	return read_bytes;
}

void
json_blocks_ways(json_blocks_read *ways[JSON_BLOCKS_WAYS])
{
	ways[0] = read_bytes;
	ways[1] = NULL;
}

#endif

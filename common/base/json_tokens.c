#include "base/json_tokens.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/json_scan.h"

/* Where bytes stand in a block: bit i for byte i. */
struct block {
	/* What is asked of each. */
	uint64_t quotes, backslashes;
	uint64_t control; /* below U+0020 */
	uint64_t wide;	  /* not ASCII */
	/* What is asked where not all of it is within a string. */
	uint64_t structure, blanks;
};

/*
 * One way of looking at a block.  All is inlined into one loop for each way,
 * so that a block stays in registers.
 */
struct way {
	void (*look)(const char *p, struct block *b);
	void (*look_outside)(const char *p, struct block *b);
	/* What may stand behind a backslash, but for u. */
	uint64_t (*escapes)(const char *p);
	/* Bit i: whether the number of bits up to it is odd. */
	uint64_t (*parities)(uint64_t bits);
};

#define INLINE __attribute__((always_inline)) static inline

/* ---- what all ways have in common --------------------------------------- */

/* Whether it is the u of an escape. */
static bool
is_unicode(const struct json_tokens *t, const char *p)
{
	if (t->end - p < 5 || *p != 'u')
		return false;
	for (unsigned i = 1; i <= 4; i++) {
		unsigned char c = (unsigned char)p[i] | 0x20;

		if ((p[i] < '0' || p[i] > '9') && (c < 'a' || c > 'f'))
			return false;
	}
	return true;
}

/*
 * The bytes behind backslashes that escape them, but for backslashes: those
 * behind a run of an odd number.  A run that begins at an even place is odd if
 * it ends before an odd one, and the other way round; adding its first bit to
 * it finds its end.
 */
static uint64_t
find_escaped(struct json_tokens *t, uint64_t backslashes)
{
	const uint64_t even = UINT64_C(0x5555555555555555);
	uint64_t first = t->escaped ? 1 : 0, starts, from_even, from_odd;

	first &= ~backslashes;
	if (t->escaped)
		backslashes &= ~UINT64_C(1);
	starts = backslashes & ~(backslashes << 1);
	from_even = backslashes + (starts & even);
	t->escaped = __builtin_add_overflow(backslashes, starts & ~even,
					    &from_odd);
	return first |
	       (((from_even & ~even) | (from_odd & even)) & ~backslashes);
}

/*
 * Whether all that is escaped may be, at p of the text.  Where it stands in no
 * string the text is bad anyhow, since the backslash is taken for the beginning
 * of a word.
 */
static bool
may_be_escaped(const struct json_tokens *t, const char *p, uint64_t others)
{
	bool good = true;

	for (; others != 0; others &= others - 1)
		good = good && is_unicode(t, p + __builtin_ctzll(others));
	return good;
}

/* White space of other kinds than blanks; false: one of them is none. */
static bool
is_space(const char *p, uint64_t control)
{
	for (; control != 0; control &= control - 1)
		if (!json_scan_is_space(p[__builtin_ctzll(control)]))
			return false;
	return true;
}

/* The places of the bits of a block, which begins at `from`. */
INLINE void
add_found(struct json_tokens *t, uint32_t from, uint64_t bits)
{
	uint32_t *to = t->found + t->n;

	for (; bits != 0; bits &= bits - 1)
		*to++ = from + (uint32_t)__builtin_ctzll(bits);
	t->n = (size_t)(to - t->found);
}

/* The block at p, whose bytes are also at `bytes`.  False: it has a fault. */
INLINE bool
find_in_block(struct json_tokens *t, const struct way *way, const char *p,
	      const char *bytes)
{
	struct block b;
	uint64_t escaped, inside, plain;

	way->look(bytes, &b);
	if (b.backslashes != 0 || t->escaped) {
		escaped = find_escaped(t, b.backslashes);
		b.quotes &= ~escaped;
		if (!may_be_escaped(t, p, escaped & ~way->escapes(bytes)))
			return false;
	}
	if (b.wide != 0) {
		if (t->wide == NULL)
			t->wide = p;
		t->wide_end = p + JSON_TOKENS_BLOCK;
	}
	/* Within a string all through. */
	if (b.quotes == 0 && t->in_string != 0)
		return b.control == 0;
	way->look_outside(bytes, &b);
	/* From an opening quote up to the byte in front of the closing one. */
	inside = t->in_string ^ way->parities(b.quotes);
	t->in_string = inside >> 63 != 0 ? ~UINT64_C(0) : 0;
	if (b.control != 0 &&
	    ((b.control & inside) != 0 || !is_space(bytes, b.control)))
		return false;
	plain = ~(inside | b.quotes | b.structure | b.blanks | b.control);
	add_found(t, (uint32_t)(p - t->start),
		  (b.structure & ~inside) | (b.quotes & inside) |
			  (plain & ~(plain << 1 | (t->word ? 1 : 0))));
	t->word = plain >> 63 != 0;
	return true;
}

INLINE bool
find_by(struct json_tokens *t, const struct way *way, const char *p, size_t n)
{
	char last[JSON_TOKENS_BLOCK];

	t->n = 0;
	for (; n >= JSON_TOKENS_BLOCK;
	     n -= JSON_TOKENS_BLOCK, p += JSON_TOKENS_BLOCK)
		if (!find_in_block(t, way, p, p))
			return false;
	if (n == 0)
		return true;
	memset(last, ' ', sizeof(last));
	memcpy(last, p, n);
	return find_in_block(t, way, p, last);
}

static uint64_t
parities(uint64_t bits)
{
	for (unsigned by = 1; by < 64; by *= 2)
		bits ^= bits << by;
	return bits;
}

/* ---- byte by byte ------------------------------------------------------- */

static inline uint64_t
bytes_in(const char *p, const char *set, size_t n)
{
	uint64_t found = 0;

	for (unsigned i = 0; i < JSON_TOKENS_BLOCK; i++)
		if (memchr(set, p[i], n) != NULL)
			found |= UINT64_C(1) << i;
	return found;
}

static inline void
look_bytes(const char *p, struct block *b)
{
	b->quotes = bytes_in(p, "\"", 1);
	b->backslashes = bytes_in(p, "\\", 1);
	b->control = b->wide = 0;
	for (unsigned i = 0; i < JSON_TOKENS_BLOCK; i++) {
		if ((unsigned char)p[i] < ' ')
			b->control |= UINT64_C(1) << i;
		if ((unsigned char)p[i] >= 0x80)
			b->wide |= UINT64_C(1) << i;
	}
}

static inline void
look_outside_bytes(const char *p, struct block *b)
{
	b->structure = bytes_in(p, "{}[]:,", 6);
	b->blanks = bytes_in(p, " ", 1);
}

static inline uint64_t
escapes_bytes(const char *p)
{
	return bytes_in(p, "\"\\/bfnrt", 8);
}

static bool
find_bytes(struct json_tokens *t, const char *p, size_t n)
{
	static const struct way way = { look_bytes, look_outside_bytes,
					escapes_bytes, parities };

	return find_by(t, &way, p, n);
}

#if defined(__x86_64__)

/* ---- SSE2 --------------------------------------------------------------- */

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

static inline void
look_sse2(const char *p, struct block *b)
{
	const __m128i highest = _mm_set1_epi8(0x1f);

	b->quotes = b->backslashes = b->control = b->wide = 0;
	for (unsigned at = 0; at < JSON_TOKENS_BLOCK; at += 16) {
		__m128i x = load16(p + at);

		b->quotes |= mask16(equal16(x, '"')) << at;
		b->backslashes |= mask16(equal16(x, '\\')) << at;
		b->control |= mask16(_mm_cmpeq_epi8(_mm_max_epu8(x, highest),
						    highest))
			      << at;
		b->wide |= mask16(x) << at;
	}
}

static inline void
look_outside_sse2(const char *p, struct block *b)
{
	b->structure = b->blanks = 0;
	for (unsigned at = 0; at < JSON_TOKENS_BLOCK; at += 16) {
		__m128i x = load16(p + at);
		__m128i folded = _mm_or_si128(x, _mm_set1_epi8(BRACE_BIT));
		__m128i found = _mm_or_si128(
			_mm_or_si128(equal16(folded, '{'),
				     equal16(folded, '}')),
			_mm_or_si128(equal16(x, ':'), equal16(x, ',')));

		b->structure |= mask16(found) << at;
		b->blanks |= mask16(equal16(x, ' ')) << at;
	}
}

static inline uint64_t
escapes_sse2(const char *p)
{
	uint64_t found = 0;

	for (unsigned at = 0; at < JSON_TOKENS_BLOCK; at += 16)
		found |= mask16(escapes16(load16(p + at))) << at;
	return found;
}

static bool
find_sse2(struct json_tokens *t, const char *p, size_t n)
{
	static const struct way way = { look_sse2, look_outside_sse2,
					escapes_sse2, parities };

	return find_by(t, &way, p, n);
}

/* ---- AVX2 --------------------------------------------------------------- */

/* Machines that have it have the others. */
#define AVX2 __attribute__((target("avx2,bmi,pclmul")))
#define HAS_AVX2                                                            \
	(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && \
	 __builtin_cpu_supports("pclmul"))

AVX2 static inline __m256i
load32(const char *p)
{
	return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

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

AVX2 static inline void
look_avx2(const char *p, struct block *b)
{
	__m256i low = load32(p), high = load32(p + 32);

	b->quotes = equal64(low, high, '"');
	b->backslashes = equal64(low, high, '\\');
	b->control = mask64(control32(low), control32(high));
	b->wide = mask64(low, high);
}

AVX2 static inline void
look_outside_avx2(const char *p, struct block *b)
{
	__m256i low = load32(p), high = load32(p + 32);

	b->structure = mask64(structure32(low), structure32(high));
	b->blanks = equal64(low, high, ' ');
}

AVX2 static inline uint64_t
escapes_avx2(const char *p)
{
	return mask64(escapes32(load32(p)), escapes32(load32(p + 32)));
}

/* A product without carries, with all bits set, is that. */
AVX2 static inline uint64_t
parities_clmul(uint64_t bits)
{
	__m128i all = _mm_set1_epi8(-1);
	__m128i x = _mm_set_epi64x(0, (long long)bits);

	return (uint64_t)_mm_cvtsi128_si64(_mm_clmulepi64_si128(x, all, 0));
}

AVX2 static bool
find_avx2(struct json_tokens *t, const char *p, size_t n)
{
	static const struct way way = { look_avx2, look_outside_avx2,
					escapes_avx2, parities_clmul };

	return find_by(t, &way, p, n);
}

/* ---- numbers ------------------------------------------------------------ */

/* What lists of numbers are made of. */
struct numbers {
	uint64_t digits, zeros, commas, minus, points, blanks;
};

static void
read_numbers(const char *p, struct numbers *out)
{
	*out = (struct numbers){ 0 };
	for (unsigned at = 0; at < JSON_TOKENS_BLOCK; at += 16, p += 16) {
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
json_tokens_numbers(const char *p)
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

json_tokens_find *
json_tokens_finder(void)
{
	return HAS_AVX2 ? find_avx2 : find_sse2;
}

void
json_tokens_ways(json_tokens_find *ways[JSON_TOKENS_WAYS])
{
	ways[0] = find_bytes;
	ways[1] = find_sse2;
	ways[2] = json_tokens_finder();
	ways[3] = NULL;
}

#else

size_t
json_tokens_numbers(const char *p)
{
	(void)p;
	return 0;
}

json_tokens_find *
json_tokens_finder(void)
{
	return find_bytes;
}

void
json_tokens_ways(json_tokens_find *ways[JSON_TOKENS_WAYS])
{
	ways[0] = find_bytes;
	ways[1] = NULL;
}

#endif

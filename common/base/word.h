#ifndef WORD_H
#define WORD_H

#include <stdint.h>
#include <string.h>

/*
 * Eight bytes at a time in an ordinary register: what the scanning loops of
 * utf8, json_check and json_span have in common.  The first byte of memory is
 * the lowest byte of the word on every machine.  A mask has bit 7 of a byte
 * set where the byte was found; only its lowest set bit is exact (a borrow
 * can mark bytes after it), which is the one that a scan asks for.
 */
#define WORD_BYTES 8
#define WORD_ONES UINT64_C(0x0101010101010101)
#define WORD_HIGHS (WORD_ONES * 0x80)

static inline uint64_t
word_load(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	w = __builtin_bswap64(w);
#endif
	return w;
}

/* Bytes equal to c, an ASCII character, or not ASCII: see word_mask(). */
static inline uint64_t
word_equal(uint64_t w, unsigned char c)
{
	return (w ^ (WORD_ONES * c)) - WORD_ONES;
}

/* Bytes below c, an ASCII character, or not ASCII: see word_mask(). */
static inline uint64_t
word_below(uint64_t w, unsigned char c)
{
	return w - WORD_ONES * c;
}

/*
 * A mask from the or of tests on w: with `found` as above, ASCII bytes only.
 */
static inline uint64_t
word_mask(uint64_t w, uint64_t found)
{
	return found & ~w & WORD_HIGHS;
}

/* The bit 7 of each byte that is zero, exactly. */
static inline uint64_t
word_zeros(uint64_t w)
{
	const uint64_t lows = WORD_ONES * 0x7f;

	return ~(((w & lows) + lows) | w | lows);
}

/* Which byte, 0 to 7, the lowest bit of a mask (not 0) stands for. */
static inline unsigned
word_first(uint64_t mask)
{
	return (unsigned)__builtin_ctzll(mask) / 8;
}

/* The sum of the eight bytes, which must be below 256. */
static inline unsigned
word_sum(uint64_t w)
{
	return (unsigned)((w * WORD_ONES) >> 56);
}

#endif /* WORD_H */

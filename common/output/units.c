#include "output/units.h"

#include "base/word.h"

/* Bytes of a word that begin a character, and those that begin four bytes. */
static inline unsigned
word_units(uint64_t w)
{
	uint64_t tail = (w >> 7) & ~(w >> 6) & WORD_ONES;
	uint64_t four = (w >> 7) & (w >> 6) & (w >> 5) & (w >> 4) & WORD_ONES;

	return WORD_BYTES - word_sum(tail) + word_sum(four);
}

/* The same of one byte. */
static inline unsigned
byte_units(char c)
{
	unsigned char byte = (unsigned char)c;

	return (unsigned)((byte & 0xc0) != 0x80) + (unsigned)(byte >= 0xf0);
}

size_t
units_count(struct str s)
{
	size_t units = 0, i = 0;

	for (; s.n - i >= WORD_BYTES; i += WORD_BYTES)
		units += word_units(word_load(s.s + i));
	for (; i < s.n; i++)
		units += byte_units(s.s[i]);
	return units;
}

size_t
units_offset(struct str s, size_t n, bool *split)
{
	size_t i = 0;

	*split = false;
	while (s.n - i >= WORD_BYTES) {
		unsigned here = word_units(word_load(s.s + i));

		if (here >= n)
			break;
		n -= here;
		i += WORD_BYTES;
	}
	for (; i < s.n; i++) {
		unsigned here = byte_units(s.s[i]);

		if (here > n) {
			*split = n == 1;
			return i;
		}
		n -= here;
	}
	return i;
}

struct str
units_tail(struct str s, size_t n)
{
	size_t i = s.n;

	if (s.n <= n)
		return s;
	while (i > 0) {
		size_t first = i - 1;
		unsigned here;

		while (((unsigned char)s.s[first] & 0xc0) == 0x80)
			first--;
		here = byte_units(s.s[first]);
		if (here > n)
			break;
		n -= here;
		i = first;
	}
	return str_from(s, i);
}

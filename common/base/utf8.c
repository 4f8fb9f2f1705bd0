#include "base/utf8.h"

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

size_t
utf8_valid_prefix(struct str s)
{
	const char *p = s.s, *end = s.n == 0 ? p : p + s.n;
	uint32_t cp;
	unsigned n;

	for (;;) {
		p = skip_ascii(p, end);
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

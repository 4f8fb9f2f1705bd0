#include "text/utf8_stream.h"

#include "base/utf8.h"

/*
 * How many bytes at p, of n, are the start of a character or all of it: the
 * maximal subsequence that one U+FFFD stands for when it goes no further.
 * *whole: it is a character.  *open: more bytes could complete it.
 */
static size_t
subsequence(const char *p, size_t n, bool *whole, bool *open)
{
	unsigned char lead = (unsigned char)p[0];
	unsigned char low = 0x80, high = 0xbf;
	size_t want;

	*whole = *open = false;
	if (lead < 0x80) {
		*whole = true;
		return 1;
	}
	if (lead < 0xc2 || lead > 0xf4)
		return 1;
	want = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
	/* Overlong forms, surrogates and what is above U+10FFFF. */
	if (lead == 0xe0)
		low = 0xa0;
	else if (lead == 0xed)
		high = 0x9f;
	else if (lead == 0xf0)
		low = 0x90;
	else if (lead == 0xf4)
		high = 0x8f;
	for (size_t i = 1; i < want; i++) {
		unsigned char c;

		if (i == n) {
			*open = true;
			return i;
		}
		c = (unsigned char)p[i];
		if (c < low || c > high)
			return i;
		low = 0x80;
		high = 0xbf;
	}
	*whole = true;
	return want;
}

/*
 * The first character of a piece whose beginning is held; gives how many bytes
 * of the piece are spent.
 */
static size_t
complete(struct utf8_stream *s, const char *p, size_t n, struct buf *out)
{
	char both[8];
	size_t spent, length;
	bool whole, open;

	memcpy(both, s->held, s->n);
	for (length = s->n; length < 4 && length - s->n < n; length++)
		both[length] = p[length - s->n];
	spent = subsequence(both, length, &whole, &open);
	if (open) { /* the piece is too short, and all of it is held */
		memcpy(s->held, both, length);
		s->n = (unsigned)length;
		return n;
	}
	if (whole)
		buf_add(out, both, spent);
	else
		buf_adds(out, UTF8_REPLACEMENT);
	spent -= s->n;
	s->n = 0;
	return spent;
}

void
utf8_stream_add(struct utf8_stream *s, const char *p, size_t n, struct buf *out)
{
	while (n > 0) {
		size_t good = 0, bad;
		bool whole, open;

		if (s->n > 0) {
			bad = complete(s, p, n, out);
			p += bad;
			n -= bad;
			continue;
		}
		good = utf8_valid_prefix((struct str){ p, n });
		buf_add(out, p, good);
		p += good;
		n -= good;
		if (n == 0)
			break;
		bad = subsequence(p, n, &whole, &open);
		if (open) {
			memcpy(s->held, p, bad);
			s->n = (unsigned)bad;
		} else {
			buf_adds(out, UTF8_REPLACEMENT);
		}
		p += bad;
		n -= bad;
	}
}

void
utf8_stream_end(struct utf8_stream *s, struct buf *out)
{
	if (s->n > 0)
		buf_adds(out, UTF8_REPLACEMENT);
	s->n = 0;
}

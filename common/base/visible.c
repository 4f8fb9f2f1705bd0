#include "base/visible.h"

#include <stdint.h>
#include <string.h>

#define EACH_BYTE(c) (UINT64_C(0x0101010101010101) * (c))

/* Non-zero when a byte of w is zero. */
static inline uint64_t
has_zero(uint64_t w)
{
	return (w - EACH_BYTE(1)) & ~w & EACH_BYTE(0x80);
}

/* Whether none of eight bytes can begin something to escape. */
static inline bool
plain_word(const unsigned char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return (((w - EACH_BYTE(0x20)) & ~w & EACH_BYTE(0x80)) |
		has_zero(w ^ EACH_BYTE(0x7f)) | has_zero(w ^ EACH_BYTE(0xc2)) |
		has_zero(w ^ EACH_BYTE(0xe2))) == 0;
}

static size_t
plain_run(const unsigned char *p, size_t n)
{
	size_t i = 0;

	while (n - i >= 8 && plain_word(p + i))
		i += 8;
	while (i < n && p[i] >= 0x20 && p[i] != 0x7f && p[i] != 0xc2 &&
	       p[i] != 0xe2)
		i++;
	return i;
}

/* U+202A..U+202E and U+2066..U+2069, which turn what is written around. */
static bool
is_direction(uint32_t cp)
{
	return (cp >= 0x202a && cp <= 0x202e) || (cp >= 0x2066 && cp <= 0x2069);
}

/*
 * Length in bytes of the control character at p that must be escaped, or 0;
 * *cp is its number.  p is at a byte where plain_run() stops.
 */
static size_t
control_length(const unsigned char *p, size_t n, bool body, uint32_t *cp)
{
	*cp = *p;
	if (*p == 0xc2) {
		*cp = n > 1 ? p[1] : 0xff;
		return *cp <= 0x9f ? 2 : 0;
	}
	if (*p == 0xe2) {
		*cp = n > 2 ? 0x2000U | (p[1] & 0x3fU) << 6 | (p[2] & 0x3fU)
			    : 0;
		return is_direction(*cp) ? 3 : 0;
	}
	if (body && (*p == '\n' || *p == '\t'))
		return 0;
	if (body && *p == '\r' && n > 1 && p[1] == '\n')
		return 0;
	return 1;
}

static void
add_escape(struct buf *out, uint32_t cp)
{
	static const char hex[16] = "0123456789abcdef";
	char escape[6] = { '\\',
			   'u',
			   hex[cp >> 12 & 15],
			   hex[cp >> 8 & 15],
			   hex[cp >> 4 & 15],
			   hex[cp & 15] };

	buf_add(out, escape, sizeof(escape));
}

static void
add(struct buf *out, struct str s, bool body)
{
	const unsigned char *p = (const unsigned char *)s.s;
	size_t from = 0, i = 0, length;
	uint32_t cp;

	/* What is shown is never shorter: find out at once that it is full. */
	if (s.n > out->max - out->len) {
		buf_add_str(out, s);
		return;
	}
	while (i < s.n) {
		i += plain_run(p + i, s.n - i);
		if (i == s.n)
			break;
		length = control_length(p + i, s.n - i, body, &cp);
		if (length == 0) {
			i++;
			continue;
		}
		buf_add(out, p + from, i - from);
		add_escape(out, cp);
		i += length;
		from = i;
	}
	if (i > from)
		buf_add(out, p + from, i - from);
}

void
visible_field(struct buf *out, struct str s)
{
	add(out, s, false);
}

void
visible_text(struct buf *out, struct str s)
{
	add(out, s, true);
}

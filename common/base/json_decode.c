#include "base/json_span.h"

#include "base/json_scan.h"
#include "base/json_write.h"
#include "base/utf8.h"

/*
 * The contents of strings.  All of it takes checked text, so that an escape
 * is known to be whole: only what it stands for has to be found out.
 */

static unsigned
hex_value(char digit)
{
	unsigned d = (unsigned char)digit;

	/* '0'..'9' are 0x30.., 'A'..'F' 0x41.., 'a'..'f' 0x61... */
	return (d & 0x0f) + (d >> 6) * 9;
}

static uint32_t
hex4(const char *p)
{
	return hex_value(p[0]) << 12 | hex_value(p[1]) << 8 |
	       hex_value(p[2]) << 4 | hex_value(p[3]);
}

/* The scalar value of the \u escape at *p, which moves past it. */
static uint32_t
unicode_escape(const char **p, const char *end)
{
	uint32_t unit = hex4(*p + 2), low;

	*p += 6;
	if (unit < 0xd800 || unit > 0xdfff)
		return unit;
	if (unit < 0xdc00 && end - *p >= 6 && (*p)[0] == '\\' &&
	    (*p)[1] == 'u') {
		low = hex4(*p + 2);
		if (low >= 0xdc00 && low <= 0xdfff) {
			*p += 6;
			return 0x10000 + ((unit - 0xd800) << 10) +
			       (low - 0xdc00);
		}
	}
	return 0xfffd;
}

/* Writes what the escape at *p stands for; *p moves past it.  1 to 4. */
static unsigned
escape(const char **p, const char *end, char out[4])
{
	char letter = (*p)[1];

	if (letter == 'u')
		return utf8_encode(unicode_escape(p, end), out);
	*p += 2;
	switch (letter) {
	case 'b':
		out[0] = '\b';
		break;
	case 'f':
		out[0] = '\f';
		break;
	case 'n':
		out[0] = '\n';
		break;
	case 'r':
		out[0] = '\r';
		break;
	case 't':
		out[0] = '\t';
		break;
	default: /* quote, backslash and slash stand for themselves */
		out[0] = letter;
	}
	return 1;
}

/* The bytes between the quotes; NULL when value is no string. */
static struct str
content(struct str value)
{
	if (value.n < 2 || value.s[0] != '"')
		return (struct str){ NULL, 0 };
	return (struct str){ value.s + 1, value.n - 2 };
}

static const char *
next_backslash(const char *p, const char *end)
{
	const char *found = memchr(p, '\\', (size_t)(end - p));

	return found == NULL ? end : found;
}

void
json_decode(struct str string, struct buf *out)
{
	struct str in = content(string);
	const char *p = in.s, *end, *next;
	char *start, *w;
	size_t n;

	if (in.n == 0 || out->full)
		return;
	/* Decoding never makes a string longer. */
	start = w = buf_reserve(out, in.n);
	for (end = p + in.n; p < end; p = next) {
		next = next_backslash(p, end);
		n = (size_t)(next - p);
		memcpy(w, p, n);
		w += n;
		if (next < end)
			w += escape(&next, end, w);
	}
	n = (size_t)(w - start);
	out->full = n > out->max - out->len;
	if (!out->full)
		out->len += n;
	out->data[out->len] = '\0';
}

struct str
json_text(struct str string, struct buf *scratch)
{
	struct str in = content(string);

	buf_reset(scratch);
	if (in.n == 0 || memchr(in.s, '\\', in.n) == NULL)
		return in;
	json_decode(string, scratch);
	return buf_str(scratch);
}

bool
json_string_is(struct str raw, const char *s)
{
	struct str in = content(raw), want = str_of(s);
	const char *p = in.s, *end;
	char c[4];
	unsigned n;

	if (in.s == NULL)
		return false;
	if (in.n == want.n && memcmp(in.s, want.s, in.n) == 0)
		return memchr(in.s, '\\', in.n) == NULL;
	/* An escape is longer than what it stands for, at most 6 times. */
	if (in.n <= want.n || in.n / 6 > want.n)
		return false;
	for (end = p + in.n; p < end; want = str_from(want, n)) {
		if (*p == '\\') {
			n = escape(&p, end, c);
		} else {
			c[0] = *p++;
			n = 1;
		}
		if (want.n < n || memcmp(want.s, c, n) != 0)
			return false;
	}
	return want.n == 0;
}

/* ---- canonical JSON, spec/history.md section 4 -------------------------- */

/* The quotes come along, in the first and the last run. */
static void
canonical_string(struct str string, struct buf *out)
{
	const char *p = string.s, *end = p + string.n, *next;
	char c[4];

	for (; p < end; p = next) {
		next = next_backslash(p, end);
		buf_add(out, p, (size_t)(next - p));
		if (next < end) {
			unsigned n = escape(&next, end, c);

			json_escape(out, (struct str){ c, n });
		}
	}
}

/* To the next white space or string. */
static const char *
skip_tokens(const char *p, const char *end)
{
	while (p < end && *p != '"' && !json_scan_is_space(*p))
		p++;
	return p;
}

/*
 * Outside strings, white space is all there is to drop, so the structure need
 * not be known.
 */
void
json_canonical(struct str value, struct buf *out)
{
	const char *p = value.s, *end = value.n == 0 ? p : p + value.n, *next;

	while (p != end) {
		if (*p == '"') {
			next = json_scan_string(p + 1, end);
			canonical_string((struct str){ p, (size_t)(next - p) },
					 out);
		} else {
			next = skip_tokens(p, end);
			buf_add(out, p, (size_t)(next - p));
			next = json_scan_space(next, end);
		}
		p = next;
	}
}

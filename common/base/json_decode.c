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
	static const char letters[256] = {
		['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
		['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t',
	};
	unsigned char letter = (unsigned char)(*p)[1];

	if (letter == 'u')
		return utf8_encode(unicode_escape(p, end), out);
	*p += 2;
	out[0] = letters[letter];
	return 1;
}

/*
 * What is written here never becomes longer than what was read, so that all
 * of it goes to room reserved before, and counts as one addition.
 */
static char *
reserve(struct buf *out, size_t n)
{
	return buf_reserve(out, n + WORD_BYTES);
}

/* The bytes between the quotes; NULL when value is not a string. */
static struct str
content(struct str value)
{
	if (value.n < 2 || value.s[0] != '"')
		return (struct str){ NULL, 0 };
	return (struct str){ value.s + 1, value.n - 2 };
}

void
json_decode(struct str string, struct buf *out)
{
	struct str in = content(string);
	const char *p = in.s, *end = in.n == 0 ? p : p + in.n;
	char *start, *w;

	if (in.n == 0)
		return;
	start = w = reserve(out, in.n);
	while (p < end) {
		w = json_scan_copy(&p, end, w, false);
		while (p < end && *p == '\\')
			w += escape(&p, end, w);
	}
	buf_commit(out, (size_t)(w - start));
}

struct str
json_text(struct str string, struct buf *scratch)
{
	struct str in = content(string);

	buf_reset(scratch);
	if (!str_has(in, '\\'))
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
		return !str_has(in, '\\');
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

/* The escape at *p as it is written canonically; *p moves past it. */
static char *
canonical_escape(const char **p, const char *end, char *w)
{
	char c[4];
	unsigned n;

	if ((*p)[1] != 'u' && (*p)[1] != '/') {
		*w++ = *(*p)++;
		*w++ = *(*p)++;
		return w;
	}
	n = escape(p, end, c);
	if (n == 1)
		return w + json_escape(c[0], w);
	memcpy(w, c, n);
	return w + n;
}

/* p is at the opening quote; *p moves past the closing one. */
static char *
canonical_string(const char **p, const char *end, char *w)
{
	*w++ = *(*p)++;
	for (;;) {
		w = json_scan_copy(p, end, w, false);
		if (*p == end)
			return w;
		if (**p == '"')
			break;
		w = canonical_escape(p, end, w);
	}
	*w++ = *(*p)++;
	return w;
}

/*
 * Outside strings, white space is all there is to drop, so the structure need
 * not be known.
 */
void
json_canonical(struct str value, struct buf *out)
{
	const char *p = value.s, *end = value.n == 0 ? p : p + value.n;
	char *start, *w;

	if (value.n == 0)
		return;
	start = w = reserve(out, value.n);
	while (p < end) {
		if (*p == '"')
			w = canonical_string(&p, end, w);
		else if (json_scan_is_space(*p))
			p++;
		else
			*w++ = *p++;
	}
	buf_commit(out, (size_t)(w - start));
}

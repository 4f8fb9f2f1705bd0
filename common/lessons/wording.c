#include "lessons/wording.h"

#include <sha256.h>
#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "base/utf8.h"

static bool
is_space(uint32_t cp)
{
	return (cp >= 0x09 && cp <= 0x0d) || cp == 0x20 || cp == 0xa0 ||
	       cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200a) || cp == 0x2028 ||
	       cp == 0x2029 || cp == 0x202f || cp == 0x205f || cp == 0x3000 ||
	       cp == 0xfeff;
}

/* Bytes of white space, or of anything else, that s begins with. */
static size_t
prefix(struct str s, bool space)
{
	size_t i = 0;
	unsigned n;
	uint32_t cp;

	while (i < s.n) {
		n = utf8_decode(s.s + i, s.n - i, &cp);
		if ((n != 0 && is_space(cp)) != space)
			break;
		i += n == 0 ? 1 : n;
	}
	return i;
}

struct str
wording_trim(struct str s)
{
	size_t end = 0, at;

	s = str_from(s, prefix(s, true));
	for (at = 0; at < s.n; at += prefix(str_from(s, at), true)) {
		at += prefix(str_from(s, at), false);
		end = at;
	}
	return (struct str){ s.s, end };
}

size_t
wording_units(struct str s)
{
	size_t i, units = 0;

	/* A lead byte is a unit, that of four bytes two. */
	for (i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.s[i];

		units += (c & 0xc0) != 0x80;
		units += c >= 0xf0;
	}
	return units;
}

size_t
wording_words(struct str s)
{
	size_t words = 0;

	for (s = str_from(s, prefix(s, true)); s.n > 0;
	     s = str_from(s, prefix(s, true))) {
		s = str_from(s, prefix(s, false));
		words++;
	}
	return words;
}

void
wording_collapse(struct buf *out, struct str s)
{
	size_t n;
	bool first = true;

	for (s = str_from(s, prefix(s, true)); s.n > 0;
	     s = str_from(s, prefix(s, true))) {
		n = prefix(s, false);
		if (!first)
			buf_addc(out, ' ');
		first = false;
		buf_add(out, s.s, n);
		s = str_from(s, n);
	}
}

void
wording_sha256(struct str bytes, char hex[WORDING_KEY_SIZE])
{
	/* The library wants a place to read from even for nothing. */
	(void)SHA256Data((const uint8_t *)(bytes.n == 0 ? "" : bytes.s),
			 bytes.n, hex);
}

void
wording_key(struct str text, char key[WORDING_KEY_SIZE])
{
	utf8proc_uint8_t *normal = NULL;
	utf8proc_ssize_t n;
	struct buf collapsed = BUF_INIT;

	n = utf8proc_map((const utf8proc_uint8_t *)(text.n == 0 ? "" : text.s),
			 (utf8proc_ssize_t)text.n, &normal,
			 (utf8proc_option_t)(UTF8PROC_STABLE |
					     UTF8PROC_COMPOSE |
					     UTF8PROC_COMPAT));
	if (n < 0)
		abort(); /* valid UTF-8: only memory can be missing */
	wording_collapse(&collapsed,
			 (struct str){ (const char *)normal, (size_t)n });
	wording_sha256(buf_str(&collapsed), key);
	buf_release(&collapsed);
	free(normal);
}

/* The first control character that a text may not have, or -1. */
static long
forbidden(struct str s)
{
	size_t i;
	unsigned n;
	uint32_t cp;

	for (i = 0; i < s.n; i += n == 0 ? 1 : n) {
		n = utf8_decode(s.s + i, s.n - i, &cp);
		if (n == 0)
			continue;
		if ((cp < 0x20 && cp != '\t' && cp != '\n' && cp != '\r') ||
		    (cp >= 0x7f && cp <= 0x9f))
			return (long)cp;
	}
	return -1;
}

bool
wording_legal(struct str text, size_t max)
{
	return wording_trim(text).n > 0 && wording_units(text) <= max &&
	       forbidden(text) < 0;
}

int
wording_check(const char *field, struct str given, size_t max,
	      struct str *trimmed, struct fail *fail)
{
	size_t units = wording_units(given);
	long cp = forbidden(given);

	if (units > max)
		return fail_invalid(fail,
				    "%s: %zu UTF-16 units given; "
				    "legal: text of at most %zu",
				    field, units, max);
	if (cp >= 0)
		return fail_invalid(fail,
				    "%s: text with the control character "
				    "U+%04lX given; legal: none but tab, LF "
				    "and CR",
				    field, (unsigned long)cp);
	*trimmed = wording_trim(given);
	if (trimmed->n == 0)
		return fail_invalid(fail,
				    "%s: blank text given; legal: text of 1 "
				    "to %zu UTF-16 units",
				    field, max);
	return 0;
}

int
wording_check_words(const char *field, struct str text, int64_t max,
		    struct fail *fail)
{
	size_t words = wording_words(text);

	if (words <= (size_t)max)
		return 0;
	return fail_invalid(fail, "%s: %zu words given; legal: at most %lld",
			    field, words, (long long)max);
}

bool
wording_id(struct str s, int64_t *id)
{
	int64_t v = 0;
	size_t i;

	s = wording_trim(s);
	if (s.n > 0 && s.s[0] == '#')
		s = str_from(s, 1);
	if (s.n == 0 || s.n > 16 || s.s[0] == '0')
		return false;
	for (i = 0; i < s.n; i++) {
		if (s.s[i] < '0' || s.s[i] > '9')
			return false;
		v = v * 10 + (s.s[i] - '0');
	}
	if (v > INT64_C(9007199254740991))
		return false;
	*id = v;
	return true;
}

void
wording_show(struct buf *out, struct str s)
{
	size_t i;
	unsigned n;
	uint32_t cp;
	bool hidden;

	for (i = 0; i < s.n; i += n) {
		n = utf8_decode(s.s + i, s.n - i, &cp);
		if (n == 0) {
			buf_adds(out, UTF8_REPLACEMENT);
			n = 1;
			continue;
		}
		hidden = (cp < 0x20 && cp != '\n') ||
			 (cp >= 0x7f && cp <= 0x9f) || cp == 0x2028 ||
			 cp == 0x2029 ||
			 (cp > 0x9f &&
			  utf8proc_category((utf8proc_int32_t)cp) ==
				  UTF8PROC_CATEGORY_CF);
		if (!hidden)
			buf_add(out, s.s + i, n);
		else if (cp > 0xffff)
			buf_addf(out, "\\U%08lx", (unsigned long)cp);
		else
			buf_addf(out, "\\u%04lx", (unsigned long)cp);
	}
}

void
wording_show_line(struct buf *out, struct str s)
{
	struct buf line = BUF_INIT;

	wording_collapse(&line, s);
	wording_show(out, buf_str(&line));
	buf_release(&line);
}

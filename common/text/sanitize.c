#include "text/sanitize.h"

#define ESC '\x1b'
#define BEL '\x07'

/* Bytes that do more than stand for themselves.  0xef begins U+FFF9. */
static bool
is_special(unsigned char c)
{
	return (c < 0x20 && c != '\t') || c == 0xef;
}

static size_t
plain_run(const char *p, size_t n)
{
	size_t i;

	for (i = 0; i < n && !is_special((unsigned char)p[i]); i++)
		;
	return i;
}

static void
put(struct sanitizer *s, const char *p, size_t n, struct buf *out)
{
	if (s->cr)
		buf_addc(out, '\n');
	s->cr = false;
	buf_add(out, p, n);
}

/*
 * A character within an escape sequence: true when it belongs to it.  A
 * sequence ends before a character that cannot go on with it.
 */
static bool
swallow(struct sanitizer *s, unsigned char c)
{
	bool final;

	if (c == '\n') {
		s->state = SANITIZE_PLAIN;
		return false;
	}
	switch (s->state) {
	case SANITIZE_ESCAPE:
		if (!s->intermediate && c == '[') {
			s->state = SANITIZE_CONTROL;
			return true;
		}
		if (!s->intermediate && strchr("]PX^_", c) != NULL &&
		    c != '\0') {
			s->state = SANITIZE_STRING;
			return true;
		}
		if (c >= 0x20 && c <= 0x2f) {
			s->intermediate = true;
			return true;
		}
		s->state = SANITIZE_PLAIN;
		return c >= 0x30 && c <= 0x7e;
	case SANITIZE_CONTROL:
		if (c >= 0x20 && c <= 0x3f)
			return true;
		s->state = SANITIZE_PLAIN;
		return c >= 0x40 && c <= 0x7e;
	case SANITIZE_STRING:
	case SANITIZE_STRING_ESCAPE:
		final = c == BEL ||
			(s->state == SANITIZE_STRING_ESCAPE && c == '\\');
		s->state = final      ? SANITIZE_PLAIN
			   : c == ESC ? SANITIZE_STRING_ESCAPE
				      : SANITIZE_STRING;
		return true;
	default:
		return false;
	}
}

/* A character that is special, in plain text; gives its bytes. */
static size_t
special(struct sanitizer *s, const char *p, size_t n, struct buf *out)
{
	switch (*p) {
	case ESC:
		s->state = SANITIZE_ESCAPE;
		s->intermediate = false;
		return 1;
	case '\n':
		s->cr = false; /* CR LF is one */
		buf_addc(out, '\n');
		return 1;
	case '\r':
		if (s->cr)
			buf_addc(out, '\n');
		s->cr = true;
		return 1;
	case '\xef':
		if (n >= 3 && p[1] == '\xbf' && (unsigned char)p[2] >= 0xb9 &&
		    (unsigned char)p[2] <= 0xbb)
			return 3;
		put(s, p, n < 3 ? n : 3, out);
		return n < 3 ? n : 3;
	default:
		return 1;
	}
}

void
sanitize_add(struct sanitizer *s, struct str text, struct buf *out)
{
	const char *p = text.s, *end = text.n == 0 ? p : p + text.n;
	size_t run;

	while (p < end) {
		if (s->state != SANITIZE_PLAIN) {
			if (swallow(s, (unsigned char)*p)) {
				p++;
				continue;
			}
		}
		run = plain_run(p, (size_t)(end - p));
		if (run > 0)
			put(s, p, run, out);
		p += run;
		if (p < end)
			p += special(s, p, (size_t)(end - p), out);
	}
}

void
sanitize(struct str text, struct buf *out)
{
	struct sanitizer s = { SANITIZE_PLAIN, false, false };

	sanitize_add(&s, text, out);
}

/*
 * RFC 8259 taken a byte at a time, by its grammar: what json_check() must say,
 * but for duplicate keys and the place of a fault.  Recursive, so only for
 * texts that are not deep.
 */
#ifndef JSON_NAIVE_H
#define JSON_NAIVE_H

#include "base/json_check.h"

struct naive {
	const unsigned char *p, *end;
	unsigned flags, depth;
};

static inline bool
naive_take(struct naive *n, int c)
{
	if (n->p == n->end || *n->p != c)
		return false;
	n->p++;
	return true;
}

static inline void
naive_space(struct naive *n)
{
	while (n->p < n->end && (*n->p == ' ' || *n->p == '\t' ||
				 *n->p == '\n' || *n->p == '\r'))
		n->p++;
}

/* One character of at least two bytes: RFC 3629. */
static inline bool
naive_wide(struct naive *n)
{
	static const unsigned least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned c = *n->p, size, cp;

	size = c >= 0xf0 && c < 0xf8   ? 4
	       : c >= 0xe0 && c < 0xf0 ? 3
	       : c >= 0xc0 && c < 0xe0 ? 2
				       : 0;
	if (size == 0 || (size_t)(n->end - n->p) < size)
		return false;
	cp = c & (0xffU >> (size + 1));
	for (unsigned i = 1; i < size; i++) {
		if ((n->p[i] & 0xc0) != 0x80)
			return false;
		cp = cp << 6 | (n->p[i] & 0x3fU);
	}
	n->p += size;
	return cp >= least[size] && cp <= 0x10ffff &&
	       (cp < 0xd800 || cp > 0xdfff);
}

/* Four hex digits, or -1. */
static inline int
naive_unit(struct naive *n)
{
	int v = 0;

	for (int i = 0; i < 4; i++) {
		int c = n->p < n->end ? *n->p++ : 0;

		if (c >= '0' && c <= '9')
			v = v * 16 + c - '0';
		else if ((c | 32) >= 'a' && (c | 32) <= 'f')
			v = v * 16 + (c | 32) - 'a' + 10;
		else
			return -1;
	}
	return v;
}

static inline bool
naive_escape(struct naive *n)
{
	const unsigned char *after;
	int unit;

	if (n->p == n->end)
		return false;
	if (*n->p != 'u')
		return memchr("\"\\/bfnrt", *n->p++, 8) != NULL;
	n->p++;
	unit = naive_unit(n);
	if (unit < 0 || (unit == 0 && !(n->flags & JSON_ALLOW_NUL)))
		return false;
	if (unit < 0xd800 || unit > 0xdfff)
		return true;
	after = n->p;
	if (unit < 0xdc00 && naive_take(n, '\\') && naive_take(n, 'u')) {
		int low = naive_unit(n);

		if (low >= 0xdc00 && low <= 0xdfff)
			return true;
	}
	n->p = after;
	return (n->flags & JSON_ALLOW_LONE) != 0;
}

static inline bool
naive_string(struct naive *n)
{
	if (!naive_take(n, '"'))
		return false;
	while (n->p < n->end) {
		if (naive_take(n, '"'))
			return true;
		if (naive_take(n, '\\')) {
			if (!naive_escape(n))
				return false;
		} else if (*n->p >= 0x80) {
			if (!naive_wide(n))
				return false;
		} else if (*n->p++ < 0x20) {
			return false;
		}
	}
	return false;
}

static inline bool
naive_digits(struct naive *n)
{
	const unsigned char *start = n->p;

	while (n->p < n->end && *n->p >= '0' && *n->p <= '9')
		n->p++;
	return n->p > start;
}

static inline bool
naive_number(struct naive *n)
{
	(void)naive_take(n, '-');
	if (!naive_take(n, '0') && !naive_digits(n))
		return false;
	if (naive_take(n, '.') && !naive_digits(n))
		return false;
	if (!naive_take(n, 'e') && !naive_take(n, 'E'))
		return true;
	if (!naive_take(n, '+'))
		(void)naive_take(n, '-');
	return naive_digits(n);
}

static inline bool naive_value(struct naive *n);

static inline bool
naive_members(struct naive *n, bool object, int close)
{
	if (n->depth == 0)
		return false;
	n->depth--;
	naive_space(n);
	if (!naive_take(n, close)) {
		do {
			naive_space(n);
			if (object) {
				if (!naive_string(n))
					return false;
				naive_space(n);
				if (!naive_take(n, ':'))
					return false;
			}
			if (!naive_value(n))
				return false;
		} while (naive_take(n, ','));
		if (!naive_take(n, close))
			return false;
	}
	n->depth++;
	return true;
}

static inline bool
naive_value(struct naive *n)
{
	static const char *const words[] = { "true", "false", "null" };
	bool good = false;

	naive_space(n);
	if (n->p == n->end)
		return false;
	if (naive_take(n, '{')) {
		good = naive_members(n, true, '}');
	} else if (naive_take(n, '[')) {
		good = naive_members(n, false, ']');
	} else if (*n->p == '"') {
		good = naive_string(n);
	} else if (*n->p == '-' || (*n->p >= '0' && *n->p <= '9')) {
		good = naive_number(n);
	} else {
		for (int i = 0; i < 3 && !good; i++) {
			size_t length = strlen(words[i]);

			good = (size_t)(n->end - n->p) >= length &&
			       memcmp(n->p, words[i], length) == 0;
			n->p += good ? length : 0;
		}
	}
	naive_space(n);
	return good;
}

static inline bool
naive_json(struct str text, unsigned depth, unsigned flags)
{
	struct naive n = { (const unsigned char *)text.s,
			   (const unsigned char *)text.s + text.n, flags,
			   depth };

	return text.n > 0 && naive_value(&n) && n.p == n.end;
}

#endif /* JSON_NAIVE_H */

#ifndef STR_H
#define STR_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * A span of bytes that belongs to somebody else.  It may hold NUL, and s need
 * not be terminated.  The empty span may have s == NULL.
 */
struct str {
	const char *s;
	size_t n;
};

#define STR(literal) ((struct str){ "" literal, sizeof(literal) - 1 })

static inline struct str
str_of(const char *s)
{
	return (struct str){ s, s == NULL ? 0 : strlen(s) };
}

static inline bool
str_eq(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.s, b.s, a.n) == 0);
}

static inline bool
str_is(struct str a, const char *s)
{
	return str_eq(a, str_of(s));
}

static inline bool
str_starts(struct str a, struct str prefix)
{
	return a.n >= prefix.n &&
	       (prefix.n == 0 || memcmp(a.s, prefix.s, prefix.n) == 0);
}

static inline bool
str_ends(struct str a, struct str suffix)
{
	return a.n >= suffix.n &&
	       (suffix.n == 0 ||
		memcmp(a.s + (a.n - suffix.n), suffix.s, suffix.n) == 0);
}

/* The span from byte offset `from`, which must not be past the end. */
static inline struct str
str_from(struct str a, size_t from)
{
	return (struct str){ from == 0 ? a.s : a.s + from, a.n - from };
}

static inline bool
str_has(struct str a, char c)
{
	return a.n > 0 && memchr(a.s, c, a.n) != NULL;
}

/* Whether nothing but blanks, tabs and CRs is in it, as in an empty line. */
static inline bool
str_is_blank(struct str a)
{
	size_t i = 0;

	while (i < a.n && (a.s[i] == ' ' || a.s[i] == '\t' || a.s[i] == '\r'))
		i++;
	return i == a.n;
}

/* What stands in front of the first `stop`; all of it where there is none. */
static inline struct str
str_until(struct str a, char stop)
{
	const char *at = a.n == 0 ? NULL : memchr(a.s, stop, a.n);

	return (struct str){ a.s, at == NULL ? a.n : (size_t)(at - a.s) };
}

/* The same, cut off *rest, the `stop` too. */
static inline struct str
str_cut(struct str *rest, char stop)
{
	struct str first = str_until(*rest, stop);

	*rest = str_from(*rest, first.n + (first.n < rest->n));
	return first;
}

/* Without the bytes of `blanks` at either end. */
static inline struct str
str_trim(struct str a, const char *blanks)
{
	while (a.n > 0 && memchr(blanks, a.s[0], strlen(blanks)) != NULL)
		a = str_from(a, 1);
	while (a.n > 0 && memchr(blanks, a.s[a.n - 1], strlen(blanks)) != NULL)
		a.n--;
	return a;
}

/* Byte order; a proper prefix sorts first.  Fit for qsort comparators. */
static inline int
str_cmp(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n == 0 ? 0 : memcmp(a.s, b.s, n);

	if (c != 0)
		return c;
	return (a.n > b.n) - (a.n < b.n);
}

/* What a hexadecimal digit stands for, or -1. */
static inline int
str_hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

#endif /* STR_H */

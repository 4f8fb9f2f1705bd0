#include "text/glob.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/*
 * The pattern is read once from left to right, and what is kept is the set of
 * byte offsets of the subject that the pattern so far can end at.  Each part
 * of the pattern maps that set to the next one, in place: time is pattern
 * times subject whatever the pattern, and there is nothing to go back to.
 *
 * Wildcards also put offsets inside a code point into the set.  They do no
 * harm: no literal begins with a continuation byte, and `?` ignores them.
 */
struct reach {
	struct str subject;
	bool *at;      /* subject.n + 1 */
	size_t lo, hi; /* the set is within [lo, hi) */
};

#define LOCAL_SIZE 1024

static bool
is_wild(char c)
{
	return c == '*' || c == '?';
}

static size_t
literal_length(struct str pattern)
{
	size_t i = 0;

	while (i < pattern.n && !is_wild(pattern.s[i]))
		i++;
	return i;
}

/* Lets lo be the least member, when there is one. */
static bool
any_left(struct reach *r)
{
	while (r->lo < r->hi && !r->at[r->lo])
		r->lo++;
	return r->lo < r->hi;
}

/*
 * The next two move each member forward or drop it.  From the highest down,
 * so that no member moved is met again.
 */
static void
after_literal(struct reach *r, struct str literal)
{
	for (size_t i = r->hi; i-- > r->lo;) {
		if (!r->at[i])
			continue;
		r->at[i] = false;
		if (str_starts(str_from(r->subject, i), literal))
			r->at[i + literal.n] = true;
	}
	r->lo += literal.n;
	r->hi += literal.n;
	if (r->hi > r->subject.n + 1)
		r->hi = r->subject.n + 1;
}

/* Bytes of the code point that begins with c; 0 within one or of a slash. */
static size_t
one_length(char c)
{
	unsigned char u = (unsigned char)c;

	if (c == '/')
		return 0;
	if (u < 0x80)
		return 1;
	if (u < 0xc0)
		return 0;
	return u < 0xe0 ? 2 : u < 0xf0 ? 3 : 4;
}

static void
after_one(struct reach *r)
{
	size_t n;

	for (size_t i = r->hi; i-- > r->lo;) {
		if (!r->at[i])
			continue;
		r->at[i] = false;
		n = i < r->subject.n ? one_length(r->subject.s[i]) : 0;
		if (n > 0 && n <= r->subject.n - i)
			r->at[i + n] = true;
	}
	r->lo += 1;
	r->hi += 4;
	if (r->hi > r->subject.n + 1)
		r->hi = r->subject.n + 1;
}

/* The next three only add members. */
static void
after_run(struct reach *r)
{
	size_t i;

	for (i = r->lo; i < r->subject.n; i++) {
		if (i >= r->hi && !r->at[i])
			break; /* no run has come this far */
		if (r->at[i] && r->subject.s[i] != '/')
			r->at[i + 1] = true;
	}
	if (i + 1 > r->hi)
		r->hi = i + 1;
}

static void
after_segments(struct reach *r)
{
	for (size_t i = r->lo + 1; i <= r->subject.n; i++)
		if (r->subject.s[i - 1] == '/')
			r->at[i] = true;
	r->hi = r->subject.n + 1;
}

static void
after_anything(struct reach *r)
{
	memset(r->at + r->lo, true, r->subject.n + 1 - r->lo);
	r->hi = r->subject.n + 1;
}

/* One part of the pattern, at offset i; gives its length. */
static size_t
step(struct reach *r, struct str pattern, size_t i)
{
	struct str rest = str_from(pattern, i);
	bool leads = i == 0 || pattern.s[i - 1] == '/';

	if (leads && str_starts(rest, STR("**/"))) {
		after_segments(r);
		return 3;
	}
	if (str_starts(rest, STR("**"))) {
		after_anything(r);
		return 2;
	}
	if (rest.s[0] == '*') {
		after_run(r);
		return 1;
	}
	if (rest.s[0] == '?') {
		after_one(r);
		return 1;
	}
	rest.n = literal_length(rest);
	after_literal(r, rest);
	return rest.n;
}

bool
glob_match(struct str pattern, struct str subject)
{
	bool local[LOCAL_SIZE];
	struct reach r = { .subject = subject, .at = local };
	size_t i = literal_length(pattern);
	bool matches;

	if (i == pattern.n)
		return str_eq(pattern, subject);
	if (!str_starts(subject, (struct str){ pattern.s, i }))
		return false;

	if (subject.n + 1 > LOCAL_SIZE)
		r.at = xmalloc(subject.n + 1);
	memset(r.at, false, subject.n + 1);
	r.at[i] = true;
	r.lo = i;
	r.hi = i + 1;
	while (i < pattern.n && any_left(&r))
		i += step(&r, pattern, i);
	matches = any_left(&r) && r.at[subject.n];
	if (r.at != local)
		free(r.at);
	return matches;
}

bool
glob_is_literal(struct str pattern)
{
	return literal_length(pattern) == pattern.n;
}

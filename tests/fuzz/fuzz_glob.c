/*
 * A pattern, NUL, a subject: glob_match() agrees with a table filled from the
 * definition in spec/notes.md section 2.2, from the ends to the front.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "text/glob.h"

#define MOST 400 /* bytes of either, so that the table stays small */

struct table {
	struct str p, s;
	bool *at; /* row by row: whether p from i matches s from j */
};

static bool *
cell(const struct table *t, size_t i, size_t j)
{
	return &t->at[i * (t->s.n + 1) + j];
}

static bool
has(const struct table *t, size_t i, const char *what)
{
	return str_starts(str_from(t->p, i), str_of(what));
}

static bool
segments_match(const struct table *t, size_t i, size_t j)
{
	if (*cell(t, i + 3, j))
		return true;
	for (; j < t->s.n; j++)
		if (t->s.s[j] == '/' && *cell(t, i + 3, j + 1))
			return true;
	return false;
}

static bool
matches(const struct table *t, size_t i, size_t j)
{
	bool leads = i == 0 || t->p.s[i - 1] == '/';
	uint32_t cp;

	if (i == t->p.n)
		return j == t->s.n;
	if (leads && has(t, i, "**/"))
		return segments_match(t, i, j);
	if (has(t, i, "**"))
		return *cell(t, i + 2, j) || (j < t->s.n && *cell(t, i, j + 1));
	if (has(t, i, "*"))
		return *cell(t, i + 1, j) ||
		       (j < t->s.n && t->s.s[j] != '/' && *cell(t, i, j + 1));
	if (j == t->s.n)
		return false;
	if (has(t, i, "?"))
		return t->s.s[j] != '/' &&
		       utf8_decode(t->s.s + j, t->s.n - j, &cp) > 0 &&
		       *cell(t, i + 1,
			     j + utf8_decode(t->s.s + j, t->s.n - j, &cp));
	return t->p.s[i] == t->s.s[j] && *cell(t, i + 1, j + 1);
}

static bool
by_definition(struct str p, struct str s)
{
	struct table t = { p, s, xcalloc(p.n + 1, s.n + 1) };
	size_t i, j;
	bool result;

	for (i = p.n + 1; i-- > 0;)
		for (j = s.n + 1; j-- > 0;)
			*cell(&t, i, j) = matches(&t, i, j);
	result = *cell(&t, 0, 0);
	free(t.at);
	return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	const uint8_t *zero = n == 0 ? NULL : memchr(p, '\0', n);
	struct str pattern, subject;

	if (zero == NULL)
		return 0;
	pattern.n = (size_t)(zero - p);
	subject.n = n - pattern.n - 1;
	if (pattern.n > MOST || subject.n > MOST)
		return 0;
	char *copy_p = malloc(pattern.n + (pattern.n == 0));
	char *copy_s = malloc(subject.n + (subject.n == 0));
	if (copy_p == NULL || copy_s == NULL)
		abort();
	memcpy(copy_p, p, pattern.n);
	memcpy(copy_s, zero + 1, subject.n);
	pattern.s = copy_p;
	subject.s = copy_s;
	if (utf8_valid(pattern) && utf8_valid(subject) &&
	    glob_match(pattern, subject) != by_definition(pattern, subject))
		abort();
	free(copy_p);
	free(copy_s);
	return 0;
}

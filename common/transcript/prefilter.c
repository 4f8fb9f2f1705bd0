#include "transcript/prefilter.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "text/ascii_search.h"

/*
 * Of each entry one run of letters, digits, `_`, `-` and `.` is looked for.
 * It stands whole inside one recorded string, number or word, as it is but
 * for the case of its letters, with these exceptions:
 *
 * - a letter may be written as \u00xx;
 * - U+212A folds to k and U+017F to s;
 * - a control character that is written as \u00xx may come out as \n or the
 *   like, whose letter then stands before the run;
 * - the run may be, in whole or in part, of what a document adds.
 */
#define SHORTEST 3
#define ESCAPE_BYTES 6 /* of \u00xx */

struct prefilter {
	const char *const *const *added; /* until prefilter_new() is done */
	struct ascii_needle escape;	 /* \u00 */
	struct ascii_needle *needles;
	size_t n, cap;
	size_t overlap; /* bytes of a block that the next one has to see */
};

/* ---- what documents add ------------------------------------------------ */

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool
is_part_of(struct str run, struct str text)
{
	for (size_t at = 0; at + run.n <= text.n; at++) {
		size_t i = 0;

		while (i < run.n && lower(run.s[i]) == text.s[at + i])
			i++;
		if (i == run.n)
			return true;
	}
	return false;
}

/* A number recorded as a duration, with what is added of `ms`. */
static bool
is_duration(struct str run)
{
	size_t n = run.n;

	if (n > 1 && lower(run.s[n - 1]) == 's' && lower(run.s[n - 2]) == 'm')
		n--;
	return n > 1 && lower(run.s[n - 1]) == 'm' && is_digit(run.s[n - 2]);
}

static bool
may_be_added(const struct prefilter *p, struct str run)
{
	size_t digits = 0;

	while (digits < run.n && is_digit(run.s[digits]))
		digits++;
	if (digits == run.n || is_duration(run))
		return true;
	for (size_t k = 0; p->added[k] != NULL; k++)
		for (size_t i = 0; p->added[k][i] != NULL; i++)
			if (is_part_of(run, str_of(p->added[k][i])))
				return true;
	return false;
}

/* ---- choosing ---------------------------------------------------------- */

static bool
is_run_char(char c)
{
	return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') ||
	       c == '_' || c == '-' || c == '.';
}

static bool
folds_out(char c)
{
	return lower(c) == 'k' || lower(c) == 's';
}

static bool
has_char(struct str run, char c)
{
	for (size_t i = 0; i < run.n; i++)
		if (lower(run.s[i]) == c)
			return true;
	return false;
}

/* The run that starts at `at`; plain: one in which nothing folds out. */
static struct str
run_at(struct str entry, size_t at, bool plain)
{
	size_t end = at;

	while (end < entry.n && is_run_char(entry.s[end]) &&
	       !(plain && folds_out(entry.s[end])))
		end++;
	return (struct str){ entry.s + at, end - at };
}

/* The longest that will do; empty when none does. */
static struct str
longest_run(const struct prefilter *p, struct str entry, bool plain)
{
	struct str best = { NULL, 0 }, run;

	for (size_t at = 0; at < entry.n; at += run.n + 1) {
		run = run_at(entry, at, plain);
		if (run.n >= SHORTEST && run.n > best.n &&
		    !may_be_added(p, run))
			best = run;
	}
	return best;
}

/* What has k or s in it takes more searching than what has not. */
static struct str
choose(const struct prefilter *p, struct str entry)
{
	struct str plain = longest_run(p, entry, true);
	struct str any = longest_run(p, entry, false);

	return any.n > plain.n + 2 || plain.n == 0 ? any : plain;
}

static void
add_needle(struct prefilter *p, struct str needle)
{
	XGROW(p->needles, p->n + 1, p->cap);
	ascii_needle_init(&p->needles[p->n++], needle);
	if (needle.n > p->overlap + 1)
		p->overlap = needle.n - 1;
}

struct prefilter *
prefilter_new(const struct str *entries, size_t n,
	      const char *const *const added[])
{
	struct prefilter *p = xcalloc(1, sizeof(*p));
	bool has_k = false, has_s = false;

	p->added = added;
	ascii_needle_init(&p->escape, STR("\\u00"));
	p->overlap = ESCAPE_BYTES - 1;
	for (size_t i = 0; i < n; i++) {
		struct str run;

		if (entries[i].n == 0)
			continue;
		run = choose(p, entries[i]);
		if (run.n == 0) {
			prefilter_free(p);
			return NULL;
		}
		add_needle(p, run);
		has_k = has_k || has_char(run, 'k');
		has_s = has_s || has_char(run, 's');
	}
	if (has_k) {
		add_needle(p, STR("\xe2\x84\xaa"));
		add_needle(p, STR("\\u212a"));
	}
	if (has_s) {
		add_needle(p, STR("\xc5\xbf"));
		add_needle(p, STR("\\u017f"));
	}
	return p;
}

void
prefilter_free(struct prefilter *p)
{
	if (p == NULL)
		return;
	ascii_needle_release(&p->escape);
	for (size_t i = 0; i < p->n; i++)
		ascii_needle_release(&p->needles[i]);
	free(p->needles);
	free(p);
}

/* ---- looking ----------------------------------------------------------- */

/*
 * \u0020 to \u007f, and the control characters that have a short escape: 08,
 * 09, 0a, 0c, 0d.
 */
static bool
is_telling(char high, char low)
{
	if (high >= '2' && high <= '7')
		return true;
	return high == '0' && (low == '8' || low == '9' || lower(low) == 'a' ||
			       lower(low) == 'c' || lower(low) == 'd');
}

static bool
has_escape(const struct prefilter *p, struct str text)
{
	size_t at;

	while ((at = ascii_search(&p->escape, text.s, text.n)) != ASCII_NONE) {
		if (at + ESCAPE_BYTES > text.n)
			return false;
		if (is_telling(text.s[at + 4], text.s[at + 5]))
			return true;
		text = str_from(text, at + 4);
	}
	return false;
}

bool
prefilter_passes(const struct prefilter *p, struct str text)
{
	if (p == NULL)
		return true;
	for (size_t i = 0; i < p->n; i++)
		if (ascii_search(&p->needles[i], text.s, text.n) != ASCII_NONE)
			return true;
	return has_escape(p, text);
}

int
prefilter_scan(const struct prefilter *p, struct source *source, char *space,
	       const atomic_bool *stop)
{
	size_t kept = 0;
	long got;

	if (p == NULL || p->overlap >= PREFILTER_SPACE / 2)
		return 1;
	while (!atomic_load_explicit(stop, memory_order_relaxed)) {
		got = source_read(source, space + kept, PREFILTER_SPACE - kept);
		if (got <= 0)
			return got < 0 ? -1 : 0;
		kept += (size_t)got;
		if (prefilter_passes(p, (struct str){ space, kept }))
			return 1;
		if (kept > p->overlap) {
			memmove(space, space + kept - p->overlap, p->overlap);
			kept = p->overlap;
		}
	}
	return 0;
}

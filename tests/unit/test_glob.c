/* Globs: the table and vectors of spec/notes.md sections 2.2 and 10. */
#include "text/glob.h"

#include "test.h"

struct row {
	const char *pattern, *subject;
	bool matches;
};

static const struct row rows[] = {
	/* section 10 */
	{ "**/x.md", "x.md", true },
	{ "**/x.md", "a/x.md", true },
	{ "**/x.md", "@project/a/x.md", true },
	{ "**/x.md", "ax.md", false },
	{ "a/**", "a/b.md", true },
	{ "a/**", "a/b/c.md", true },
	{ "a/**", "a.md", false },
	{ "a**z.md", "az.md", true },
	{ "a**z.md", "a/b/z.md", true },
	{ "a**z.md", "a/b.md", false },
	{ "n?te.md", "note.md", true },
	{ "n?te.md", "n\xc3\xb6te.md", true },
	{ "n?te.md", "n?te.md", true },
	{ "n?te.md", "n/te.md", false },
	{ "n?te.md", "nte.md", false },
	{ "[ab].md", "[ab].md", true },
	{ "[ab].md", "a.md", false },
	{ "plan", "plan", true },
	{ "plan", "a/plan", false },
	{ "pl*", "plan.md", true },
	{ "pl*", "a/plan.md", false },
	/* section 2.2 */
	{ "*.md", "a.md", true },
	{ "*.md", "a/b.md", false },
	{ "@human/*", "@human/a.md", true },
	{ "@human/*", "@human/a/b.md", false },
	{ "@agents/*/x.md", "@agents/me/x.md", true },
	{ "@agents/*/x.md", "@agents/me/too/x.md", false },
	{ "a/**/b", "a/b", true },
	{ "a/**/b", "a/x/y/b", true },
	{ "a/**/b", "a/xb", false },
	{ "a/**/b", "ab", false },
	{ "**/**/**/x", "x", true },
	{ "**/**/**/x", "a/b/c/d/x", true },
	{ "**/**/**/x", "a/b/c/d/ax", false },
	{ "**", "", true },
	{ "**", "a/b", true },
	{ "***", "a/b", true },
	{ "****/b", "a/b", true },
	{ "*", "", true },
	{ "*", "/", false },
	{ "?", "", false },
	{ "?", "\xf0\x9f\x98\x80", true },
	{ "??", "\xf0\x9f\x98\x80", false },
	{ "*?", "\xe2\x82\xac", true },
	{ "**?", "a/\xe2\x82\xac", true },
	{ "*?*", "/", false },
	{ "", "", true },
	{ "", "a", false },
	{ "A.md", "a.md", false },
	{ "a*b*c", "abcbc", true },
	{ "a*b*c", "ab/c", false },
	{ "*a*/*b", "xaxa/ab", true },
	{ "**a*b/c", "a/ab/b/axb/c", true },
	{ "a\\*", "a\\b", true },
	{ "{a,b}", "a", false },
	{ "!a", "b", false },
};

static void
test_rows(void)
{
	const struct row *r;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		r = &rows[i];
		ok(glob_match(str_of(r->pattern), str_of(r->subject)) ==
			   r->matches,
		   "notes 2.2: `%s` %s `%s`", r->pattern,
		   r->matches ? "matches" : "does not match", r->subject);
	}
}

static size_t
char_length(struct str s)
{
	size_t n = 1;

	while (n < s.n && ((unsigned char)s.s[n] & 0xc0) == 0x80)
		n++;
	return n;
}

/* The definition, word for word: exponential, for short texts only. */
static bool
naive_match(struct str p, struct str s, bool leads)
{
	size_t i;

	if (p.n == 0)
		return s.n == 0;
	if (leads && str_starts(p, STR("**/"))) {
		if (naive_match(str_from(p, 3), s, true))
			return true;
		for (i = 0; i < s.n; i++)
			if (s.s[i] == '/' &&
			    naive_match(str_from(p, 3), str_from(s, i + 1),
					true))
				return true;
		return false;
	}
	if (p.s[0] == '*') {
		bool wide = p.n > 1 && p.s[1] == '*';
		struct str rest = str_from(p, wide ? 2 : 1);

		for (i = 0; i <= s.n; i++) {
			if (naive_match(rest, str_from(s, i), false))
				return true;
			if (i < s.n && s.s[i] == '/' && !wide)
				return false;
		}
		return false;
	}
	if (s.n == 0)
		return false;
	i = 1;
	if (p.s[0] == '?' && s.s[0] != '/')
		i = char_length(s);
	else if (p.s[0] != s.s[0])
		return false;
	return naive_match(str_from(p, 1), str_from(s, i), p.s[0] == '/');
}

static size_t
random_text(uint64_t *seed, const char *const letters[], size_t n, char *out)
{
	size_t k = test_random(seed) % 9, len = 0, i;
	const char *letter;

	for (i = 0; i < k; i++) {
		letter = letters[test_random(seed) % n];
		memcpy(out + len, letter, strlen(letter));
		len += strlen(letter);
	}
	return len;
}

static void
test_against_definition(void)
{
	static const char *const in_pattern[] = { "a", "b",	  "/",	"*",
						  "*", "?",	  "**", "**/",
						  "/", "\xc3\xb6" };
	static const char *const in_subject[] = { "a", "b", "/", "a",
						  "\xc3\xb6" };
	uint64_t seed = 0x9e3779b97f4a7c15;
	char p[64], s[64];
	struct str pattern, subject;
	int i, matched = 0;

	for (i = 0; i < 200000; i++) {
		pattern = (struct str){ p,
					random_text(&seed, in_pattern, 10, p) };
		subject = (struct str){ s,
					random_text(&seed, in_subject, 5, s) };
		if (glob_match(pattern, subject) !=
		    naive_match(pattern, subject, true))
			break;
		matched += glob_match(pattern, subject);
	}
	if (!ok(i == 200000, "200,000 random pairs agree with the definition"))
		printf("# `%.*s` `%.*s`\n", (int)pattern.n, p, (int)subject.n,
		       s);
	ok(matched > 10000, "and a fair part of them match (%d)", matched);
}

/* notes 11, trap 7: these take for ever where something backtracks. */
static void
test_hostile(void)
{
	static char pattern[3 * 340 + 2], subject[100001];
	size_t i;

	for (i = 0; i < 340; i++)
		memcpy(pattern + 3 * i, "**/", 3);
	pattern[3 * 340] = 'x';
	for (i = 0; i < sizeof(subject); i++)
		subject[i] = i % 2 == 0 ? 'a' : '/';
	ok(!glob_match((struct str){ pattern, 3 * 340 + 1 },
		       (struct str){ subject, sizeof(subject) }),
	   "340 double stars against 50,001 segments");
	subject[sizeof(subject) - 1] = 'x';
	ok(glob_match((struct str){ pattern, 3 * 340 + 1 },
		      (struct str){ subject, sizeof(subject) }),
	   "the same, matching at the very end");

	for (i = 0; i < 500; i++)
		memcpy(pattern + 2 * i, "*a", 2);
	memset(subject, 'a', sizeof(subject));
	subject[sizeof(subject) - 1] = 'b';
	ok(!glob_match((struct str){ pattern, 1000 },
		       (struct str){ subject, 401 }),
	   "500 stars against 401 letters");
	ok(!glob_match((struct str){ pattern, 1000 },
		       (struct str){ subject, sizeof(subject) }),
	   "500 stars against 100,000 letters and a wrong one");
}

int
main(void)
{
	test_rows();
	test_against_definition();
	test_hostile();
	ok(glob_match((struct str){ NULL, 0 }, (struct str){ NULL, 0 }),
	   "empty spans without memory");
	ok(glob_match(STR("*"), (struct str){ NULL, 0 }), "a star on one");
	ok(glob_match(STR("a\0*"), STR("a\0b")), "NUL is a character");
	ok(!glob_match(STR("a\0*"), STR("a")), "and not the end");
	ok(glob_is_literal(STR("a/[b]{c}\\!.md")), "literal");
	ok(!glob_is_literal(STR("a?")), "a question mark is a wildcard");
	ok(!glob_is_literal(STR("*")), "so is a star");
	return done();
}

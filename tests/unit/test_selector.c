#include "sessions/selector.h"

#include "test.h"

static void
is_legal(const char *text, const char *want)
{
	struct selector s;
	char got[200] = "not legal";

	if (selector_parse(str_of(text), &s))
		snprintf(got, sizeof(got), "%s %.*s%s",
			 s.host == NULL ? "any" : s.host->name, (int)s.id.n,
			 s.id.s, s.wildcard ? "*" : "");
	is_string(got, want, text);
}

static void
matches(const char *text, const char *id, enum selector_match want)
{
	struct selector s;
	enum selector_match got = SELECTOR_DIFFERS;

	if (selector_parse(str_of(text), &s))
		got = selector_match(&s, hosts_find(STR("pi")), str_of(id));
	ok(got == want, "%s against pi:%s", text, id);
}

int
main(void)
{
	static const char *const bad[] = {
		"",	 "pi:",	     ":x",	 "Pi:x",   "cursor:x", ".x",
		"pi:.x", "a b",	     "a/b",	 "pi:a:b", "**",       "pi:a*",
		"a*",	 "x.jsonl/", "\xc3\xa9", "pi:*x",
	};
	char longest[200];

	is_legal("*", "any *");
	is_legal("pi:*", "pi *");
	is_legal("claude:*", "claude *");
	is_legal("codex:*", "codex *");
	is_legal("a", "any a");
	is_legal("pi:A-b_c.9", "pi A-b_c.9");
	is_legal("-", "any -");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		is_legal(bad[i], "not legal");
	memset(longest, 'a', sizeof(longest));
	longest[128] = '\0';
	ok(selector_is_id(str_of(longest)), "128 characters are an id");
	longest[128] = 'a';
	longest[129] = '\0';
	ok(!selector_is_id(str_of(longest)), "129 are not");

	/* spec/history.md section 12. */
	matches("abcd1", "abcd1", SELECTOR_EQUAL);
	matches("abcd1", "ABCD1", SELECTOR_LETTERS);
	matches("abcd1", "abcd12", SELECTOR_PREFIX);
	matches("Abcd1", "abcd1", SELECTOR_LETTERS);
	matches("ABCD", "abcd12", SELECTOR_PREFIX);
	matches("abcd12x", "abcd12", SELECTOR_DIFFERS);
	matches("abc", "abcd1", SELECTOR_DIFFERS);
	matches("abc", "ABC", SELECTOR_LETTERS);
	matches("pi:abcd", "abcd1", SELECTOR_PREFIX);
	matches("claude:abcd1", "abcd1", SELECTOR_DIFFERS);
	return done();
}

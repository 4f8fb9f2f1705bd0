/* Which homes a glob means, and what it matches: spec/notes.md section 2.2. */

#include "test.h"

#include "notes/scope.h"

static char root[] = "/nowhere", session[] = "s-1", agent[] = "ana-bot",
	    model[] = "gpt-5", directory[] = "/srv/shop-api",
	    project[] = "shop-api-17b5613d";
static struct identity who = { root,	  session, agent, model,
			       directory, project, 0 };

/* The labels of the homes, or the namespace and pattern, or the refusal. */
static void
means(const char *glob, const char *want)
{
	struct scope scope = SCOPE_INIT;
	struct fail fail = FAIL_INIT;
	struct buf got = BUF_INIT;
	size_t i;

	if (scope_parse(&scope, str_of(glob), &who, &fail) != 0) {
		buf_adds(&got, fail.code);
	} else if (scope.space != NULL) {
		buf_addf(&got, "%s %.*s", scope_space_label(&scope),
			 (int)scope.name.n, scope.name.s);
		is_int((long long)scope.n, 0, "no home is known yet");
	}
	for (i = 0; i < scope.n; i++) {
		buf_adds(&got, i == 0 ? "" : " ");
		buf_adds(&got, scope.homes[i].label);
	}
	ok(strcmp(got.data, want) == 0, "%s: %s", glob, want);
	if (strcmp(got.data, want) != 0)
		printf("# got %s\n", got.data);
	buf_release(&got);
	scope_release(&scope);
	fail_release(&fail);
}

static void
test_homes(void)
{
	const char *five = "session @project @human @self @model";

	means("", five);
	means("**", five);
	means("plan", five);
	means("*@human/x", five);
	means("@project/**", "@project");
	means("@project/", "@project");
	means("@human/x", "@human");
	means("@self/x", "@self");
	means("@model/x", "@model");
	means("@agents/bob/x", "@agents/bob");
	means("@agents/ana-bot/x", "@self");
	means("@models/gpt-5/x", "@model");
	means("@models/gpt-4/**", "@models/gpt-4");
	means("@agents/*/x", "@agents *");
	means("@agents/**", "@agents **");
	means("@agents/**/x", "@agents **");
	means("@agents/b?b/x/*", "@agents b?b");
	means("@models/a*", "@models a*");
	who.session = NULL;
	means("", "@project @human @self @model");
	means("plan", "@project @human @self @model");
	who.session = session;
}

static void
test_refused(void)
{
	static const char *const bad[] = {
		"@",
		"@project",
		"@human",
		"@typo/**",
		"@*/x",
		"@?roject/x",
		"@Project/x",
		"@agents",
		"@agents/",
		"@agents/bob",
		"@agents//x",
		"@agents/Bob/x",
		"@agents/a_b/",
		"@models/a--b/x",
		"@models",
		"a\\b",
		"a\x1f",
		"a\x7f",
		"a\xc2\x85",
		"@human/\\*",
	};
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		means(bad[i], "invalid_glob");
}

static void
matches(const char *glob, enum home_kind kind, const char *path, bool want)
{
	struct scope scope = SCOPE_INIT;
	struct home home = HOME_INIT;
	struct fail fail = FAIL_INIT;
	struct buf address = BUF_INIT;

	home_init(&home, kind, STR("bob"), &who);
	buf_adds(&address, home.prefix);
	buf_adds(&address, path);
	scope_parse(&scope, str_of(glob), &who, &fail);
	ok(scope_matches(&scope, &home, path, buf_str(&address)) == want,
	   "%s %s %s", glob, want ? "matches" : "does not match", address.data);
	buf_release(&address);
	home_release(&home);
	scope_release(&scope);
	fail_release(&fail);
}

static void
test_spellings(void)
{
	matches("", HOME_HUMAN, "a.md", true);
	matches("@self/**", HOME_SELF, "a/b.md", true);
	matches("@agents/ana-bot/**", HOME_SELF, "a/b.md", true);
	matches("@agents/*/a/b", HOME_SELF, "a/b.md", true);
	matches("@agents/*/a", HOME_SELF, "a/b.md", false);
	matches("@models/*/a", HOME_MODEL, "a.md", true);
	matches("@models/gpt-5/a.md", HOME_MODEL, "a.md", true);
	matches("@agents/*/a", HOME_OTHER_AGENT, "a.md", true);
	matches("@agents/bob/a", HOME_OTHER_AGENT, "a.md", true);
	matches("a", HOME_SESSION, "a.md", true);
	matches("a.md", HOME_SESSION, "a.md", true);
	matches("a.m", HOME_SESSION, "a.md", false);
	matches("a.md", HOME_SESSION, "a.md.md", true);
	matches("*", HOME_HUMAN, "a.md", false);
	matches("**", HOME_HUMAN, "a.md", true);
}

int
main(void)
{
	test_homes();
	test_refused();
	test_spellings();
	return done();
}

/* Note paths and prefixes: spec/context.md sections 3.1 and 3.2. */
#include "context/virtual_path.h"
#include "test.h"

static struct fail failure = FAIL_INIT;

/* want NULL: bad_path; else `<agent> <relative>`. */
static void
parses(bool prefix, const char *path, const char *want)
{
	struct virtual_path p = VIRTUAL_PATH_INIT;
	struct buf got = BUF_INIT;
	int rc = prefix ? virtual_path_parse_prefix(&p, str_of(path),
						    STR("/root/w"), &failure)
			: virtual_path_parse(&p, str_of(path), STR("/root/w"),
					     &failure);

	if (rc == 0)
		buf_addf(&got, "%s %s", p.agent.data, p.relative.data);
	if (want != NULL)
		ok(rc == 0 && str_is(buf_str(&got), want), "%s%s: %s", path,
		   prefix ? "*" : "", want);
	else
		ok(rc == -1 && strcmp(failure.code, "bad_path") == 0,
		   "%s%s: bad_path", path, prefix ? "*" : "");
	virtual_path_release(&p);
	buf_release(&got);
}

int
main(void)
{
	static const char *const bad[] = { "./a",
					   "a/../b",
					   "a//b",
					   "a/",
					   "/",
					   "/root/a",
					   "/etc/passwd",
					   "/rootx/notes/a",
					   "/root/notes",
					   "/root/notes/",
					   "",
					   "..",
					   "/root/A/notes/x",
					   "/root/a//notes/x",
					   "/notes/x",
					   "/root/root/notes/x",
					   ".ctx-tmp-1",
					   "a/.ctx-tmp-",
					   "a\tb",
					   "a\x7f" };
	static const char *const bad_prefixes[] = {
		"a//",	"/",   "/root", "/root/worker/no", "..", ".",
		"a/..", "a/.", "./",	"/root/notes//"
	};

	parses(false, "plan.md", "/root/w plan.md");
	parses(false, "~", "/root/w ~");
	parses(false, "a\\b", "/root/w a\\b");
	parses(false, "child/notes/f", "/root/w child/notes/f");
	parses(false, "/root/notes/a", "/root a");
	parses(false, "/root/notes/notes/a", "/root notes/a");
	parses(false, "/root/x/y/notes/a/notes/b", "/root/x/y a/notes/b");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		parses(false, bad[i], NULL);
	parses(true, "", "/root/w ");
	parses(true, "check", "/root/w check");
	parses(true, "dir/", "/root/w dir/");
	parses(true, "/root/notes", "/root ");
	parses(true, "/root/notes/", "/root ");
	parses(true, "/root/notes/a", "/root a");
	parses(true, "...", "/root/w ...");
	for (size_t i = 0; i < sizeof(bad_prefixes) / sizeof(bad_prefixes[0]);
	     i++)
		parses(true, bad_prefixes[i], NULL);
	ok(!virtual_path_is_legal(STR("a\xff")), "no UTF-8, no path");
	fail_release(&failure);
	return done();
}

/* Names and registry of agents: spec/context.md section 2. */
#include "context/agents.h"
#include "test.h"

static struct fail failure = FAIL_INIT;

static void
resolves(const char *current, const char *given, const char *want)
{
	struct buf out = BUF_INIT;
	int rc = agents_resolve(&out, str_of(given), str_of(current), "name",
				&failure);

	if (want != NULL)
		ok(rc == 0 && str_is(buf_str(&out), want), "%s, \"%s\": %s",
		   current, given, want);
	else
		ok(rc == -1 && failure.kind == FAIL_REFUSED &&
			   strcmp(failure.code, "bad_agent") == 0,
		   "%s, \"%s\": bad_agent", current, given);
	buf_release(&out);
}

static void
test_names(void)
{
	static const char *const bad[] = { "root",   "../peer",	     "Child",
					   "a//b",   "/worker",	     "/root/",
					   "notes",  "a-b",	     ".",
					   "..",     "a/",	     "/",
					   "/rootx", "/root/a/notes" };
	struct buf out = BUF_INIT;
	char name[AGENTS_NAME_BYTES + 2];

	resolves("/root/worker", "child", "/root/worker/child");
	resolves("/root/worker", "a/b", "/root/worker/a/b");
	resolves("/root/worker", "/root", "/root");
	resolves("/root/worker", " /root/peer\t", "/root/peer");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		resolves("/root", bad[i], NULL);
	ok(agents_resolve(&out, STR(" \n"), STR("/root"), "name", &failure) ==
			   -1 &&
		   failure.kind == FAIL_INVALID,
	   "nothing but blanks is not an argument");
	memset(name, 'a', sizeof(name));
	memcpy(name, "/root/", 6);
	ok(agents_fault((struct str){ name, AGENTS_NAME_BYTES }) == NULL &&
		   agents_fault((struct str){ name, AGENTS_NAME_BYTES + 1 }) !=
			   NULL,
	   "120 bytes and no more");
	agents_folder(&out, STR("/root/a/b"));
	is_string(out.data, "root.a.b", "8.1: the folder of an agent");
	buf_release(&out);
}

static void
test_registry(void)
{
	struct buf json = BUF_INIT, again = BUF_INIT;
	struct agents a, b;
	bool created;

	agents_init(&a, STR("pi:s1"));
	ok(agents_bind(&a, STR("/root/z/y"), STR("x"), NULL, &created,
		       &failure) == -1 &&
		   strcmp(failure.code, "unknown_agent") == 0,
	   "a parent must be registered");
	agents_bind(&a, STR("/root/z"), STR("pi:z"), "/z\"", &created,
		    &failure);
	ok(created, "a new one");
	agents_bind(&a, STR("/root/a"), STR("pi:a"), NULL, &created, &failure);
	agents_bind(&a, STR("/root/z"), STR("pi:zz"), "/z\"", &created,
		    &failure);
	ok(!created && a.n == 3, "bound anew");
	agents_json(&a, &json);
	agents_init(&b, STR("other"));
	ok(agents_parse(&b, buf_str(&json)), "reads back");
	agents_json(&b, &again);
	ok(str_eq(buf_str(&json), buf_str(&again)), "the same");
	is_string(b.v[0].name, "/root", "/root is first");
	is_string(b.v[2].session, "pi:zz", "by its new session");
	ok(!agents_parse(&b, STR("{\"version\":1,\"agents\":[]}")) && b.n == 3,
	   "what has no /root is not a registry, and changes nothing");
	agents_release(&a);
	agents_release(&b);
	buf_release(&json);
	buf_release(&again);
}

int
main(void)
{
	test_names();
	test_registry();
	fail_release(&failure);
	return done();
}

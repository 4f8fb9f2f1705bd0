/* Programs as hooks: which ask for it, and what a host's object says. */
#include "tool/hook.h"

#include <stdlib.h>

#include "test.h"

static const char *const hosts[] = { "one", "two", NULL };
static const struct param options[] = {
	{ .name = "hook", .type = PARAM_ENUM, .values = hosts }, PARAM_END
};
static const struct hook_fact one[] = { { "id", FACT_SESSION, "one:", NULL },
					{ "dir", FACT_CWD, "",
					  "TEST_HOOK_DIR" },
					{ .member = NULL } };
static const struct hook_fact two[] = { { "sid", FACT_SESSION, "two:", NULL },
					{ .member = NULL } };
static const struct hook_fact *const hooks[] = { one, two };
static const struct tool tool = { .options = options, .hooks = hooks };
static const struct tool no_hook;

static const struct hook_fact *
find(const struct tool *of, const char *a, const char *b, const char *c)
{
	const char *words[] = { "program", a, b, c, NULL };
	char *argv[5];
	struct hook hook;
	int argc = 0;

	while (words[argc] != NULL) {
		argv[argc] = strdup(words[argc]);
		argc++;
	}
	hook_find(&hook, of, argc, argv);
	hook_release(&hook);
	while (argc > 0)
		free(argv[--argc]);
	return hook.facts;
}

static void
test_find(void)
{
	ok(find(&tool, NULL, NULL, NULL) == NULL, "no option");
	ok(find(&tool, "--hook", "one", NULL) == one, "two words");
	ok(find(&tool, "--hook=two", NULL, NULL) == two, "one word");
	ok(find(&tool, "--bad", "--hook", "two") == two, "after a fault");
	ok(find(&tool, "--hook", NULL, NULL) == NULL, "without its value");
	ok(find(&tool, "--hook=", NULL, NULL) == NULL, "with an empty one");
	ok(find(&tool, "--hook", "three", NULL) == NULL, "with another");
	ok(find(&tool, "--hooks=one", NULL, NULL) == NULL, "another option");
	ok(find(&no_hook, "--hook", "one", NULL) == NULL,
	   "a program that is none");
}

/* Session and directory after the object was taken; `-` where there is none. */
static void
check(const char *object, const char *want, const char *name)
{
	char program[] = "program", option[] = "--hook=one";
	char *argv[] = { program, option, NULL };
	const struct facts environment = { .value = { [FACT_CWD] = "/env" } };
	struct facts facts = environment;
	struct fail fail = FAIL_INIT;
	struct buf got = BUF_INIT;
	struct hook hook;

	hook_find(&hook, &tool, 2, argv);
	if (hook_take(&hook, str_of(object), &environment, &facts, &fail) != 0)
		buf_adds(&got, "failed ");
	buf_addf(&got, "%s %s",
		 fact(&facts, FACT_SESSION) == NULL
			 ? "-"
			 : fact(&facts, FACT_SESSION),
		 fact(&facts, FACT_CWD));
	is_string(got.data, want, name);
	hook_release(&hook);
	fail_release(&fail);
	buf_release(&got);
}

static void
test_take(void)
{
	check("{\"id\":\"x\",\"dir\":\"/d\",\"more\":{\"id\":1}}", "one:x /d",
	      "members stand for facts");
	check(" {} \n", "- /env", "nothing is said");
	check("{\"id\":17,\"dir\":null}", "- /env", "wrong types are ignored");
	check("{\"id\":\"\",\"dir\":\"\"}", "- /env", "so is what is empty");
	check("{\"dir\":\"a\\u0000b\"}", "- /env", "and what has a NUL");
	check("{\"id\":\"\\u0078\",\"id\":\"y\"}", "one:y /env",
	      "the last of two counts");
	(void)setenv("TEST_HOOK_DIR", "/project", 1);
	check("{\"id\":\"x\",\"dir\":\"/d\"}", "one:x /project",
	      "a variable of the host goes before the member");
	check("{}", "- /project", "and stands without it");
	(void)setenv("TEST_HOOK_DIR", "", 1);
	check("{\"dir\":\"/d\"}", "- /d", "an empty one is unset");
	(void)unsetenv("TEST_HOOK_DIR");
	check("", "failed - /env", "no input");
	check("[]", "failed - /env", "no object");
	check("{\"id\":\"x\"", "failed - /env", "no JSON");
	check("{\"id\":\"x\"} {}", "failed - /env", "more than one");
}

/* An option of the command line has set what the environment has not. */
static void
test_options_win(void)
{
	char program[] = "program", option[] = "--hook=one";
	char *argv[] = { program, option, NULL };
	const struct facts environment = { .value = { NULL } };
	struct facts facts = environment;
	struct fail fail = FAIL_INIT;
	struct hook hook;

	facts.value[FACT_CWD] = "/option";
	hook_find(&hook, &tool, 2, argv);
	ok(hook_take(&hook, STR("{\"id\":\"x\",\"dir\":\"/d\"}"), &environment,
		     &facts, &fail) == 0,
	   "taken");
	is_string(fact(&facts, FACT_CWD), "/option", "an option stays");
	is_string(fact(&facts, FACT_SESSION), "one:x", "the rest is taken");
	hook_release(&hook);
	fail_release(&fail);
}

int
main(void)
{
	test_find();
	test_take();
	test_options_win();
	return done();
}

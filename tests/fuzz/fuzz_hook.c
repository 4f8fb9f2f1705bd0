/*
 * Whatever a host gives a hook, hook_take() refuses it, or leaves each fact as
 * the environment has it or at a string that is not empty.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "tool/hook.h"

static const char *const hosts[] = { "host", NULL };
static const struct param options[] = {
	{ .name = "hook", .type = PARAM_ENUM, .values = hosts }, PARAM_END
};
static const struct hook_fact members[] = { { "session_id", FACT_SESSION,
					      "host:", NULL },
					    { "cwd", FACT_CWD, "", NULL },
					    { .member = NULL } };
static const struct hook_fact *const hooks[] = { members };
static const struct tool tool = { .options = options, .hooks = hooks };

static void
must(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char program[] = "p", option[] = "--hook=host", given[] = "given";
	char *argv[] = { program, option, NULL };
	char *copy = xmalloc(n);
	const struct facts environment = {
		.value = { [FACT_CWD] = "/", [FACT_LEAF] = "l" }
	};
	struct facts facts = environment;
	struct fail fail = FAIL_INIT;
	struct hook hook;
	bool taken;

	if (n > 0)
		memcpy(copy, p, n);
	facts.value[FACT_AGENT] = given;
	hook_find(&hook, &tool, 2, argv);
	must(hook.facts == members);
	taken = hook_take(&hook, (struct str){ copy, n }, &environment, &facts,
			  &fail) == 0;
	must(taken == (fail.kind == FAIL_NONE));
	must(facts.value[FACT_AGENT] == given);
	must(facts.value[FACT_LEAF] == environment.value[FACT_LEAF]);
	must(taken || facts.value[FACT_CWD] == environment.value[FACT_CWD]);
	must(utf8_valid(str_of(facts.value[FACT_CWD])));
	must(*facts.value[FACT_CWD] != '\0');
	must(facts.value[FACT_SESSION] == NULL ||
	     strlen(facts.value[FACT_SESSION]) > strlen("host:"));
	hook_release(&hook);
	fail_release(&fail);
	free(copy);
	return 0;
}

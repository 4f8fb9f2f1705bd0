#include "tool/hook.h"

#include <string.h>

#include "base/json_check.h"
#include "base/json_span.h"
#include "base/json_write.h"
#include "tool/bind.h"

/* A host's object may hold more than we look at. */
#define HOOK_DEPTH 1024
#define HOOK_FLAGS (JSON_ALLOW_NUL | JSON_ALLOW_DUPLICATES | JSON_ALLOW_LONE)

/* The value of the option at argv[i], or NULL. */
static const char *
value_at(int i, int argc, char *argv[])
{
	static const char option[] = "--hook";
	size_t n = sizeof(option) - 1;

	if (strncmp(argv[i], option, n) != 0)
		return NULL;
	if (argv[i][n] == '=')
		return argv[i] + n + 1;
	return argv[i][n] == '\0' && i + 1 < argc ? argv[i + 1] : NULL;
}

void
hook_find(struct hook *h, const struct tool *tool, int argc, char *argv[])
{
	const struct param *option;
	const char *value;

	*h = (struct hook){ 0 };
	for (size_t i = 0; i < HOOK_FACTS_MOST; i++)
		buf_init(&h->values[i], BUF_UNLIMITED);
	if (tool->hooks == NULL)
		return;
	option = param_find(tool->options, STR("hook"));
	/* By hand: a command line with a fault must not stop the host either. */
	for (int i = 1; i < argc; i++) {
		value = value_at(i, argc, argv);
		for (size_t k = 0; value != NULL && option->values[k] != NULL;
		     k++)
			if (strcmp(value, option->values[k]) == 0) {
				h->facts = tool->hooks[k];
				h->form = tool->hook_forms == NULL
						  ? NULL
						  : &tool->hook_forms[k];
			}
	}
}

void
hook_release(struct hook *h)
{
	for (size_t i = 0; i < HOOK_FACTS_MOST; i++)
		buf_release(&h->values[i]);
}

/* A string that can be a fact: not empty, without NUL. */
static bool
take_value(struct str value, const char *prefix, struct buf *out)
{
	if (json_kind(value) != JSON_STRING)
		return false;
	buf_adds(out, prefix);
	json_decode(value, out);
	return out->len > strlen(prefix) && strlen(out->data) == out->len;
}

int
hook_take(struct hook *h, struct str input, const struct facts *environment,
	  struct facts *facts, struct fail *fail)
{
	const struct hook_fact *f = h->facts;
	struct str object;

	if (json_check(input, HOOK_DEPTH, HOOK_FLAGS, NULL) != 0)
		return fail_invalid(fail, "the hook's input is not JSON");
	object = json_value(input);
	if (json_kind(object) != JSON_OBJECT)
		return fail_invalid(fail, "the hook's input is not an object");
	for (size_t i = 0; f[i].member != NULL; i++) {
		const char **fact = &facts->value[f[i].fact];
		const char *of_host = f[i].variable == NULL
					      ? NULL
					      : facts_variable(f[i].variable);

		if (*fact != environment->value[f[i].fact])
			continue;
		if (of_host != NULL)
			*fact = of_host;
		else if (take_value(json_get(object, f[i].member), f[i].prefix,
				    &h->values[i]))
			*fact = h->values[i].data;
	}
	return 0;
}

void
hook_print(const struct hook *h, struct str text, struct buf *out)
{
	struct json_writer w;

	if (h->form == NULL || h->form->before == NULL) {
		buf_add_str(out, text);
		return;
	}
	buf_adds(out, h->form->before);
	json_begin(&w, out);
	json_string(&w, text);
	buf_adds(out, h->form->after);
}

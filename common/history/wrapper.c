#include "history/wrapper.h"

#include "base/utf8.h"

int
wrapper_get(struct wrapper *w, const struct facts *facts, struct fail *fail)
{
	w->prefix = str_of(fact(facts, FACT_TEXT_PREFIX));
	w->suffix = str_of(fact(facts, FACT_TEXT_SUFFIX));
	if (!utf8_valid(w->prefix))
		return fail_environment(fail,
					"CTX_TEXT_PREFIX: not valid UTF-8");
	if (!utf8_valid(w->suffix))
		return fail_environment(fail,
					"CTX_TEXT_SUFFIX: not valid UTF-8");
	if (w->prefix.n + w->suffix.n > WRAPPER_BYTES)
		return fail_environment(fail,
					"CTX_TEXT_PREFIX and CTX_TEXT_SUFFIX: "
					"%zu bytes together; at most %d are "
					"taken",
					w->prefix.n + w->suffix.n,
					WRAPPER_BYTES);
	return 0;
}

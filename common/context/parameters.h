#ifndef CONTEXT_PARAMETERS_H
#define CONTEXT_PARAMETERS_H

#include "tool/declare.h"

/* What the parameters of this family have in common (spec/context.md 1.2). */

/* Any count: the schemas carry no maximum, the programs clamp. */
#define PARAMETERS_COUNT .min = 1, .max = PARAM_ANY_MAX - 1, .max_unsaid = true
#define PARAMETERS_OFFSET .max = PARAM_ANY_MAX - 1, .max_unsaid = true
#define PARAMETERS_SIGNED .min = PARAM_ANY_MIN, .max = PARAM_ANY_MAX

/* The host facts that every program of the family goes by. */
#define CONTEXT_FACTS                                                 \
	(FACT_BIT(FACT_CONTEXT_ROOT) | FACT_BIT(FACT_CONTEXT_AGENT) | \
	 FACT_BIT(FACT_SESSION) | FACT_BIT(FACT_SESSION_FILE) |       \
	 FACT_BIT(FACT_LEAF) | FACT_BIT(FACT_STATE_DIR) |             \
	 FACT_BIT(FACT_CONFIG))

/* The count, or the fallback, and no more than the cap. */
static inline int64_t
parameters_count(struct arg_integer given, int64_t fallback, int64_t cap)
{
	int64_t v = given.given ? given.v : fallback;

	return v < cap ? v : cap;
}

/* -1 with FAIL_INVALID when a string is given and empty. */
static inline int
parameters_not_empty(const char *name, struct arg_string given,
		     struct fail *fail)
{
	if (!given.given || given.n > 0)
		return 0;
	return fail_invalid(fail,
			    "%s: \"\" given; legal: a string that is "
			    "not empty",
			    name);
}

#endif /* CONTEXT_PARAMETERS_H */

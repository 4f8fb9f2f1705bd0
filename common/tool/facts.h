#ifndef FACTS_H
#define FACTS_H

#include <stdint.h>

#include "tool/fail.h"

/*
 * Host facts (DESIGN section 2): what the host says about itself, by
 * environment variable or, for people, by option; never by a tool's
 * parameters.  facts.c holds the table of variables, options and help texts.
 */
enum fact {
	FACT_NOTES_HOME,
	FACT_CWD,
	FACT_SESSION,
	FACT_SESSION_FILE,
	FACT_LEAF,
	FACT_AGENT,
	FACT_MODEL,
	FACT_TEXT_PREFIX,
	FACT_TEXT_SUFFIX,
	FACT_CONTEXT_ROOT,
	FACT_CONTEXT_AGENT,
	FACT_STATE_DIR,
	FACT_LESSONS_DB,
	FACT_CONFIG,
	FACT_NOW_MS,
	FACT_COUNT
};

#define FACT_BIT(fact) (UINT32_C(1) << (fact))

/* Borrowed from the environment and the command line. */
struct facts {
	const char *value[FACT_COUNT]; /* NULL where unset or empty */
};

/* From the environment, aliases included. */
void facts_from_environment(struct facts *f);

/*
 * A variable of the environment, for what is not a fact; NULL: unset or empty.
 */
const char *facts_variable(const char *name);

/* NULL where the host did not say. */
static inline const char *
fact(const struct facts *f, enum fact which)
{
	return f->value[which];
}

/* For --help and option parsing. */
struct fact_info {
	const char *variable; /* CTX_SESSION */
	const char *alias;    /* an older name that is honoured, or NULL */
	const char *option;   /* "session", or NULL: environment only */
	const char *metavar;
	const char *help;
	const char *fallback; /* what holds when unset, in words, or NULL */
};
const struct fact_info *fact_info(enum fact which);

/*
 * CTX_NOW_MS, or the clock.  -1 with FAIL_ENVIRONMENT when the variable is
 * not a decimal integer.
 */
int facts_now_ms(const struct facts *f, int64_t *now, struct fail *fail);

/*
 * The session's working directory, absolute, added to out: CTX_CWD against
 * that of the process.  -1 with FAIL_ENVIRONMENT when that is needed and has
 * no path.
 */
int facts_working_directory(const struct facts *f, struct buf *out,
			    struct fail *fail);

/*
 * The user's home directory: HOME, else the passwd entry.  NULL when there is
 * none.  Borrowed until the process ends.
 */
const char *facts_home_directory(void);

#endif /* FACTS_H */

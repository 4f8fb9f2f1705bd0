#ifndef NOTES_IDENTITY_H
#define NOTES_IDENTITY_H

#include <stdint.h>

#include "tool/declare.h"
#include "tool/facts.h"
#include "tool/fail.h"

/*
 * Who calls, from where, and what time it is (spec/notes.md section 1).
 * Resolved anew in every process, before the operation.
 */
struct identity {
	char *root;    /* the notes root, as given; may not exist */
	char *session; /* the session id, one directory name; or NULL */
	char *agent;   /* slugs */
	char *model;
	char *directory; /* the effective directory, absolute, by text */
	char *project;	 /* its project key */
	int64_t now;	 /* milliseconds since 1970 */
};

#define IDENTITY_INIT \
	{             \
		0     \
	}

/*
 * Fills *who.  cwd is the parameter of that name, absent or empty for none.
 * -1 with FAIL_ENVIRONMENT for a host fact that is invalid, with the refusal
 * invalid_cwd for a bad cwd.  identity_release() in either case.
 */
int identity_resolve(struct identity *who, const struct facts *facts,
		     const struct arg_string *cwd, struct fail *fail);
void identity_release(struct identity *who);

/* The host facts that have an option in the notes programs. */
#define IDENTITY_FACTS                                        \
	(FACT_BIT(FACT_NOTES_HOME) | FACT_BIT(FACT_SESSION) | \
	 FACT_BIT(FACT_AGENT) | FACT_BIT(FACT_MODEL))

#define IDENTITY_SLUG_MAX 128

/* Whether s is [a-z0-9]+(-[a-z0-9]+)*. */
bool identity_is_slug(struct str s);

/* Adds the slug of s, possibly nothing, to out. */
void identity_slug(struct buf *out, struct str s);

#endif /* NOTES_IDENTITY_H */

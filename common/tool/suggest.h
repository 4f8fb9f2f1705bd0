#ifndef SUGGEST_H
#define SUGGEST_H

#include "tool/declare.h"

/*
 * What may have been meant by a name that is not legal (spec/people.md section
 * 5): the nearest legal one, when it is at most NEAR_EDITS characters away and
 * something of it was given.
 */
struct suggestion {
	struct str given; /* with _ for - */
	const char *name; /* the nearest so far, or NULL */
	unsigned edits;
};

#define SUGGESTION(text)                     \
	{                                    \
		(text), NULL, NEAR_EDITS + 1 \
	}

void suggest_name(struct suggestion *s, const char *name);
void suggest_values(struct suggestion *s, const char *const *values);
void suggest_params(struct suggestion *s, const struct param *params);

/* Adds `; did you mean name?`, with `before` put before the name. */
void suggest_add(struct buf *out, const struct suggestion *s,
		 const char *before);

#endif /* SUGGEST_H */

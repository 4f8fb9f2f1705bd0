#ifndef CALL_FACTS_H
#define CALL_FACTS_H

#include "mcp/talk.h"
#include "tool/facts.h"

/* What a call says of itself. */
struct call_facts {
	char *said[FACT_COUNT]; /* ctxtools/facts */
	char *session, *model;	/* known of Codex, or NULL */
};

/*
 * Reads params._meta (an object, or empty).  0, or -1 with FAIL_INVALID when
 * ctxtools/facts is none of what it may be.  To be released in either case.
 */
int call_facts_read(struct call_facts *c, struct str meta, struct talk *talk,
		    struct fail *fail);
void call_facts_release(struct call_facts *c);

#define CALL_FACTS_MAX 256	 /* bytes of a fact that a host lets us know */
#define CALL_FACTS_PATH_MAX 4096 /* of one that is a path */

/*
 * Whether such a fact can be used; when not, that is said.  `from` is where
 * it came from.
 */
bool call_facts_fit(struct talk *talk, const char *from, struct str value,
		    size_t max);

#endif /* CALL_FACTS_H */

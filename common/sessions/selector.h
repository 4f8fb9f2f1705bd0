#ifndef SESSIONS_SELECTOR_H
#define SESSIONS_SELECTOR_H

#include <stdbool.h>

#include "base/str.h"
#include "transcript/hosts.h"

/* How a session is named (spec/history.md section 2.1). */
struct selector {
	bool wildcard, here;	 /* "*" and "."; id is empty then */
	const struct host *host; /* NULL: any */
	struct str id;		 /* borrowed */
};

#define SELECTOR_ID_BYTES 128
#define SELECTOR_PREFIX_CHARS 4 /* a shorter id is not a prefix of another */

/* False: outside the grammar. */
bool selector_parse(struct str s, struct selector *selector);

/* The same of CTX_SESSION, which names one session: no wildcard, no ".". */
bool selector_parse_one(struct str s, struct selector *selector);

bool selector_is_id(struct str s);

/*
 * How well an id matches: the best match over all ids decides, and the others
 * do not count.
 */
enum selector_match {
	SELECTOR_DIFFERS,
	SELECTOR_PREFIX,  /* ASCII case ignored */
	SELECTOR_LETTERS, /* equal, ASCII case ignored */
	SELECTOR_EQUAL
};
enum selector_match selector_match(const struct selector *selector,
				   const struct host *host, struct str id);

/* Adds what is legal, for messages. */
void selector_add_forms(struct buf *out);

#endif /* SESSIONS_SELECTOR_H */

#ifndef SESSIONS_PLACES_H
#define SESSIONS_PLACES_H

#include "base/buf.h"
#include "tool/facts.h"
#include "transcript/hosts.h"

/*
 * Where a host keeps its transcripts, and what their paths tell
 * (spec/history.md section 2.2).
 *
 * A pattern is of the path below a root without its extension: one segment
 * after the other, each of which may have one `*`, for any run of characters.
 */
struct place {
	/*
	 * The first of these whose variable is set is the root; where none
	 * is, those of the home directory (FACT_COUNT) are.
	 */
	struct place_root {
		enum fact fact;
		const char *below;
	} roots[4];
	size_t n_roots;
	const char *const *sessions; /* patterns, NULL last */
	const char *const *agents;   /* of sub-agents, tried first; or NULL */
	const char *stamp; /* what the id stands behind; a 0 is any digit */
	bool packed;	   /* .jsonl.zst, too */
};

const struct place *place_of(enum host host);

/*
 * Calls add() with each root of a host.  False: neither a variable nor a home
 * directory gives one.
 */
typedef void place_add_root(void *ctx, struct str root);
bool place_roots(const struct place *place, const struct facts *facts,
		 place_add_root *add, void *ctx);

/*
 * Whether there may be transcripts in a directory, and whether a path less
 * its extension is one's, by the patterns.
 */
bool place_leads(const char *const *patterns, struct str directory);
bool place_fits(const char *const *patterns, struct str stem);

/* The path of a transcript less its extension; s is NULL: it has none. */
struct str place_stem(const struct place *place, struct str path);

/*
 * The id that the last name of a stem tells; s is NULL: its first record has
 * to tell it.
 */
struct str place_id(const struct place *place, struct str stem);

#endif /* SESSIONS_PLACES_H */

#ifndef SESSIONS_PLACES_H
#define SESSIONS_PLACES_H

#include "base/buf.h"
#include "transcript/hosts.h"

/*
 * Where a host keeps its transcripts (spec/history.md section 2.2), by its row
 * in transcript/hosts.c.
 */

/*
 * Calls add() with each root of a host.  False: neither a variable nor a home
 * directory gives one.
 */
typedef void place_add_root(void *ctx, struct str root);
bool place_roots(const struct host *host, place_add_root *add, void *ctx);

/* Whether the environment gives any host a root: a variable or a home. */
bool place_has_roots(void);

/*
 * Whether there may be transcripts in a directory, and whether a path less
 * its extension is one's, by the patterns.
 */
bool place_leads(const char *const *patterns, struct str directory);
bool place_fits(const char *const *patterns, struct str stem);

/*
 * The same of a path that need not be below a root, by its last segments; and
 * of its last name alone.
 */
bool place_ends(const char *const *patterns, struct str stem);
bool place_names(const char *const *patterns, struct str name);

/* The path of a transcript less its extension; s is NULL: it has none. */
struct str place_stem(const struct host *host, struct str path);

#endif /* SESSIONS_PLACES_H */

#ifndef LIVE_LAST_H
#define LIVE_LAST_H

#include <stdint.h>

#include "transcript/hosts.h"

/* A call of a host whose session is looked for. */
struct live_search {
	const struct host *host;
	struct live_call call;
	const char *started; /* id of the session that it started in, or NULL */
	struct str directory; /* that the call is made in */
};

/*
 * Adds the id of the session of the search's directory that was written last,
 * if that was at `since` or later, by clock_files_ms(), and no other session of
 * it was written since this one began: two clients in one directory are not
 * told apart, and a wrong session is worse than none.
 */
bool live_last_find(const struct live_search *search, int64_t since,
		    struct buf *id);

#endif /* LIVE_LAST_H */

#ifndef LIVE_SESSION_H
#define LIVE_SESSION_H

#include <stdint.h>

#include "mcp/live_last.h"

/*
 * Which session of a host a call is of, by the host's transcripts
 * (spec/hosts.md section 7, "A live session"; spec/more-hosts.md).  A server
 * serves all sessions of its client's process, and what it was told when it
 * was started is stale after the first change.
 */
struct live_session {
	int64_t since; /* when we were started, by the clock of files */
	char *last;    /* the transcript found last by an id: looked at first */
};

void live_session_init(struct live_session *l);
void live_session_release(struct live_session *l);

/* Whether a host's transcripts may tell at all. */
bool live_session_may_tell(const struct host *host);

/* Whether it may help to look again, as the call may not be written yet. */
bool live_session_is_late(const struct host *host);

/*
 * Adds the id of the session: false when no transcript tells it (yet).  Reads
 * at most 9 times the last 256 KiB of a file, or the first records of those of
 * one directory that were written last.
 */
bool live_session_find(struct live_session *l, const struct live_search *search,
		       struct buf *id);

#endif /* LIVE_SESSION_H */

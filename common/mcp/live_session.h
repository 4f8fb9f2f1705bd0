#ifndef LIVE_SESSION_H
#define LIVE_SESSION_H

#include "base/buf.h"

/*
 * Which session of Claude Code a call is of (spec/hosts.md section 7, "A live
 * session").  The server keeps the id that it was started with, which is stale
 * after /clear and /resume; but every call carries the id of its tool use, and
 * the host writes that into the transcript before or while it makes the call.
 */
struct live_session {
	char *started; /* CLAUDE_CODE_SESSION_ID, or NULL */
	char *last;    /* the transcript found last: looked at first */
};

void live_session_init(struct live_session *l, const char *started);
void live_session_release(struct live_session *l);

/*
 * Adds the id of the session whose transcript holds that tool use, not on a
 * sidechain: false when there is none (yet).  Reads at most 9 times the last
 * 256 KiB of a file.
 */
bool live_session_find(struct live_session *l, struct str tool_use,
		       struct buf *id);

#endif /* LIVE_SESSION_H */

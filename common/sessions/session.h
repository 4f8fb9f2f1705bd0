#ifndef SESSIONS_SESSION_H
#define SESSIONS_SESSION_H

#include "sessions/resolve.h"
#include "sessions/segments.h"
#include "transcript/transcript.h"

/*
 * From the parameter `session` and the host's facts to one open transcript
 * with its branch marked (spec/history.md sections 2 and 3).
 */
struct session {
	struct corpus corpus, bases; /* see segments_open() */
	const struct corpus_file *file;
	struct chain chain;
	bool current; /* the host's own: CTX_LEAF is about it */
	bool named;   /* by the parameter */
	const struct prefilter *prefilter; /* the caller may set one */
	struct buf label; /* <host>:<id> when named, else empty */
	struct transcript transcript;
	bool opened;
};

#define SESSION_INIT              \
	{                         \
		.label = BUF_INIT \
	}

/*
 * parameter is in the grammar (resolve_parse()) and no wildcard; empty: the
 * current session.  times as in transcript_open().  -1 with a refusal;
 * session_release() in any case.
 */
int session_open(struct session *s, const struct facts *facts,
		 struct str parameter, const struct time_range *times,
		 struct fail *fail);
/*
 * Adds the canonical identity, <host>:<id>, even when session_open() failed:
 * a current session is known by the host's facts, and counts as Pi's when
 * nobody says whose it is (2.1).  Gives the host.
 */
const struct host *session_identity(const struct session *s, struct buf *out);

/* The refusal for a file that was rewritten under the reader. */
int session_refuse_io(const struct session *s, struct fail *fail);

void session_release(struct session *s);

/*
 * Whether CTX_LEAF, if it is set, names a record of the current session, which
 * is in the scope of a call: -1 with invalid_session.  One that cannot be read
 * is not refused here.
 */
int session_check_leaf(const struct corpus *c,
		       const struct corpus_file *current, struct fail *fail);

#endif /* SESSIONS_SESSION_H */

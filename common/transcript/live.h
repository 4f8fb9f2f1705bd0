#ifndef TRANSCRIPT_LIVE_H
#define TRANSCRIPT_LIVE_H

#include "base/buf.h"

/*
 * Which transcript a tool call that is being made belongs to, by what its host
 * has written of it (spec/hosts.md section 7, spec/more-hosts.md).
 */

/* The call, as the tool's server knows it. */
struct live_call {
	struct str id;	      /* that the host gave it, or empty */
	struct str tool;      /* its name */
	struct str arguments; /* canonical JSON */
};

/*
 * The calls like it that records have made and not answered.  The ids are raw
 * and borrowed from the records; of more than these none is known.
 */
#define LIVE_MOST 64
struct live_trace {
	struct str ids[LIVE_MOST];
	size_t n;
};

/* Follows one more line of a transcript, which may not be a record. */
typedef void live_follow(struct live_trace *trace, struct str line,
			 const struct live_call *call);

#endif /* TRANSCRIPT_LIVE_H */

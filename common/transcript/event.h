#ifndef TRANSCRIPT_EVENT_H
#define TRANSCRIPT_EVENT_H

#include "transcript/transcript.h"

/*
 * The facts of one event and its document (spec/history.md sections 3.4 and
 * 4).  One struct serves many events, one after the other.
 */
struct event {
	uint32_t seq;
	enum role role;
	bool has_created_at;
	struct buf created_at; /* as recorded */

	/* Tools. */
	struct str tool; /* its name, never empty; borrowed from below */
	enum tool_status status;
	struct call_facts call; /* large arguments are in the document alone */
	size_t n_call; /* bytes there: the name, a blank, the arguments */
	struct result_facts result; /* borrows from the transcript's views */

	struct buf document; /* valid UTF-8, may hold NUL */
};

void event_init(struct event *e);
void event_release(struct event *e);

/*
 * Loads an event, seq being one (transcript_is_event()).  False when it is
 * not readable any more: the file was rewritten since it was indexed.
 */
bool event_load(struct transcript *t, uint32_t seq, struct event *e);

/* Frees what is large of an event that is done with (transcript_let_go()). */
void event_let_go(struct transcript *t, struct event *e);

/*
 * What tells the event just loaded from all others, even where several
 * sessions share it (spec/history.md section 2.5), added to out.  file: which
 * one the transcript is in, where it is not in several.
 */
void event_identity(struct transcript *t, const struct event *e, uint64_t file,
		    struct buf *out);

/*
 * The text of a tool name (a number as in struct slot); borrowed from the
 * transcript, which reads it from the source the first time.
 */
struct str event_tool_name(struct transcript *t, uint32_t name);

#endif /* TRANSCRIPT_EVENT_H */

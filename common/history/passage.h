#ifndef HISTORY_PASSAGE_H
#define HISTORY_PASSAGE_H

#include "history/filter.h"
#include "history/head.h"
#include "history/session_facts.h"
#include "transcript/windows.h"

/* A line of JSON, and what the other formats make of an event. */
struct export_event {
	struct head head;
	struct str cwd; /* of the session; none where it records none */
	const struct head_nested *nested_calls; /* or NULL */
	struct str window_id;
	struct str text; /* the document, or its beginning */
	bool truncated;
	int64_t total_chars;

	bool begins_window; /* and is not the first event */
	/* Of a tool, parts of text. */
	struct str arguments, output; /* s NULL: not there */
};

/*
 * The events of one session as they go by, first to last: which of them are
 * asked for, and the window that each stands in (spec/people.md section 2).
 */
struct passage {
	struct transcript *t;
	struct str session, cwd; /* cwd.s NULL: it records none */
	const struct filter *filter;
	size_t max_chars; /* of an event */
	struct windows_start *windows;
	size_t n_windows, window;
	bool any; /* an event has gone by */
	struct event event;
};

/*
 * Begins with the first event of t; what is given is borrowed.  False with
 * errno when the windows cannot be read.  passage_end() in any case.
 */
bool passage_begin(struct passage *p, struct transcript *t, struct str session,
		   const struct session_facts *facts,
		   const struct filter *filter, size_t max_chars);
void passage_end(struct passage *p);

/*
 * The same passage once more, over other views of the transcript: it begins
 * anew, borrows the windows, and ends before the one that it is made from,
 * with passage_end_copy().
 */
void passage_copy(const struct passage *from, struct transcript *t,
		  struct passage *p);
void passage_end_copy(struct passage *p);

/* Back to the first event. */
void passage_rewind(struct passage *p);

/*
 * The event seq, later than those before it; borrowed from the passage until
 * the next one.  False: it is not asked for, or no longer there.  Otherwise
 * head_release() of its head.
 */
bool passage_event(struct passage *p, uint32_t seq, struct export_event *e);

#endif /* HISTORY_PASSAGE_H */

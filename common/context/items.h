#ifndef CONTEXT_ITEMS_H
#define CONTEXT_ITEMS_H

#include "context/agents.h"
#include "context/item.h"
#include "sessions/session.h"

/*
 * The transcript of an agent, cut into windows and items (spec/context.md
 * sections 2.1 and 4).  Transcripts are only read.
 */
struct items_window {
	uint32_t record; /* that opens it; 0 of the first */
	int64_t number;	 /* w3 is 3 */
	int64_t marker;	 /* the number that the boundary's marker gives, or 0 */
};

struct items {
	struct session session;
	struct facts facts; /* as they are for this agent */
	bool found;	    /* there is a transcript; else there are no items */
	struct items_window *windows; /* oldest first; found: at least one */
	size_t n_windows;
	uint32_t *lines;	 /* of records, once asked for */
	struct call_name *calls; /* on the branch, once asked for */
	size_t n_calls;
};

/*
 * Opens it; prefilter may be NULL.  -1 with unreadable_session, or another
 * refusal of the session's; items_close() in any case.
 */
int items_open(struct items *items, const struct facts *facts,
	       const struct agent *agent, const struct prefilter *prefilter,
	       struct fail *fail);
void items_close(struct items *items);

/*
 * Whether there is a transcript, readable, without a candidate for the
 * prefilter in it: what is known by its bytes, without reading it as records.
 * False as well where that cannot be told.
 */
bool items_rule_out(const struct facts *facts, const struct agent *agent,
		    const struct prefilter *prefilter);

/* The window of a record: an index of windows. */
size_t items_window_of(const struct items *items, uint32_t record);

/* The window of that number; NULL: none. */
const struct items_window *items_find_window(const struct items *items,
					     struct str id);

/*
 * item_load() with the id that the model knows the item by, and results called
 * after their calls.
 */
int items_load(struct items *items, uint32_t record, struct item *item);

/* Whether the record is an item at all; -1 as item_load(). */
int items_has(struct items *items, uint32_t record, struct item *scratch);

/* Whether an item that a record loads may have that id. */
bool items_may_be(struct items *items, uint32_t record, struct str id);

/*
 * The namespace of a tool that none is recorded for, and whether a filter, of
 * which either part may be absent (s is NULL), means the call.
 */
const char *items_namespace(struct str name);
bool items_call_is(const struct item_call *call, struct str name,
		   struct str space);

/* The refusal for a file that was rewritten under the reader. */
int items_refuse_io(const struct items *items, struct fail *fail);

/* How many records there are, items or not. */
static inline uint32_t
items_records(const struct items *items)
{
	return items->found ? (uint32_t)items->session.transcript.n_records : 0;
}

#endif /* CONTEXT_ITEMS_H */

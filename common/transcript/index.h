#ifndef TRANSCRIPT_INDEX_H
#define TRANSCRIPT_INDEX_H

#include "transcript/transcript.h"

/*
 * What a decoder says about a record while the transcript is read: once
 * index_record(), then the rest in any order, slots in the order of their
 * seqs (spec/history.md section 3.2).
 */

/*
 * Begins a record; id.s is NULL where the host has none.  False, with nothing
 * begun, when an earlier record has the same id: the first wins, and this one
 * is counted as repeated.
 */
bool index_record(struct transcript *t, struct str id);

/* The record is not a leaf, nor can CTX_LEAF name it. */
void index_no_leaf(struct transcript *t);

/*
 * Its parent, by id; that may stand later in the file.  When it stands nowhere
 * the parent is the record `otherwise`, which may be RECORD_NONE.
 */
void index_parent(struct transcript *t, struct str id, uint32_t otherwise);
/* Its parent, by number; RECORD_NONE: it has none. */
void index_parent_record(struct transcript *t, uint32_t parent);
/* Its parent is the record before it. */
void index_parent_previous(struct transcript *t);

/*
 * Adds a slot with a text.  empty: the text is; the conversation view shows
 * no empty messages.
 */
void index_text(struct transcript *t, enum role role, bool empty);

/*
 * Adds a slot of a tool, of any other kind.  An empty call_id pairs with
 * nothing; an empty name is `unknown`.
 */
void index_tool(struct transcript *t, enum slot_kind kind, struct str call_id,
		struct str name);

/*
 * A later record gives a slot of a tool another name; index_settle_names() then
 * belongs after the last record.
 */
void index_rename_tool(struct transcript *t, uint32_t seq, struct str name);
void index_settle_names(struct transcript *t);

/*
 * The record, line `number` of the file, begins a window of the agent's
 * context (spec/history.md section 7.1), if it is on the branch.  known is a
 * number of the decoder's own, for window_id().
 */
void index_boundary(struct transcript *t, uint64_t number, unsigned known);

/* Whether the record has that id. */
bool index_is_id(const struct transcript *t, struct str id);

/*
 * Takes back all texts of these roles (bits) that were added with the records
 * from number `from` on, so that later slots have smaller seqs.  For a host
 * that writes down what is said in several logs and may begin with a lesser
 * one.
 */
void index_take_back(struct transcript *t, uint32_t from, unsigned roles);

/* ---- the branch (section 3.3) ------------------------------------------ */

/* The last record that can be a leaf, or RECORD_NONE. */
uint32_t index_last(const struct transcript *t);

/*
 * Marks the records from leaf through the parents, stopping at one without a
 * parent or already marked.  leaf may be RECORD_NONE: nothing is marked.
 */
void index_mark_path(struct transcript *t, uint32_t leaf);

/* Marks every slot of the records marked. */
void index_mark_slots(struct transcript *t);

#endif /* TRANSCRIPT_INDEX_H */

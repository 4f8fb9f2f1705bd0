#include "transcript/claude_branch.h"

#include <stdlib.h>

#include "base/json_span.h"
#include "base/xalloc.h"
#include "transcript/index.h"

#define STEPS_MOST 10000 /* from a boundary back to the tail that it keeps */

void
claude_branch_init(struct claude_branch *b)
{
	*b = (struct claude_branch){ .last = RECORD_NONE };
}

void
claude_branch_release(struct claude_branch *b)
{
	free(b->answers);
	free(b->tails);
	hash_table_release(&b->tail_ids);
	free(b->moved);
	free(b->loose);
	claude_branch_init(b);
}

/* ---- where a record hangs ---------------------------------------------- */

static uint32_t
current(const struct transcript *t)
{
	return (uint32_t)t->n_records - 1;
}

/* A record that stands earlier, by its id, raw; or RECORD_NONE. */
static uint32_t
find_earlier(struct transcript *t, struct str id)
{
	uint32_t found;

	if (json_kind(id) != JSON_STRING)
		return RECORD_NONE;
	found = transcript_find(t, json_text(id, &t->scratch[0]));
	return found == current(t) ? RECORD_NONE : found;
}

/* It hangs on parent, where what it says is `said`. */
static void
move(struct claude_branch *b, struct transcript *t, uint32_t parent,
     uint32_t said)
{
	index_parent_record(t, parent);
	if (parent == said)
		return;
	t->records[current(t)].flags |= CLAUDE_MOVED;
	XGROW(b->moved, b->n_moved + 1, b->cap_moved);
	b->moved[b->n_moved++] = (struct claude_moved){ current(t), said };
}

/* The parent that a record says it has; RECORD_NONE: none. */
static uint32_t
said_parent(const struct claude_branch *b, const struct transcript *t,
	    uint32_t record)
{
	size_t low = 0, high = b->n_moved;

	if ((t->records[record].flags & CLAUDE_MOVED) == 0)
		return t->records[record].parent;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (b->moved[middle].record <= record)
			low = middle;
		else
			high = middle;
	}
	return b->moved[low].parent;
}

/* Whether the parents of `from`, back in the file, meet a record soon. */
static bool
leads_to(const struct claude_branch *b, const struct transcript *t,
	 uint32_t from, uint32_t to)
{
	uint32_t at = from;

	for (unsigned i = 0; i <= STEPS_MOST && at != RECORD_NONE; i++) {
		uint32_t next = said_parent(b, t, at);

		if (at == to)
			return true;
		at = next < at ? next : RECORD_NONE;
	}
	return false;
}

/* Where a boundary goes on that says it has no parent. */
static uint32_t
before_boundary(const struct claude_branch *b, struct transcript *t,
		const struct claude_boundary *boundary)
{
	uint32_t tail = RECORD_NONE, logical;

	if (boundary->keeps)
		tail = find_earlier(t, boundary->tail);
	/* Turns that were summed up from a place on stay history. */
	if (tail != RECORD_NONE && b->last != RECORD_NONE &&
	    leads_to(b, t, b->last, tail))
		return b->last;
	if (tail != RECORD_NONE)
		return tail;
	logical = find_earlier(t, boundary->logical);
	return logical != RECORD_NONE ? logical : b->last;
}

/* What follows may hang on the tail that a compaction kept. */
static void
keep_tail(struct claude_branch *b, struct transcript *t,
	  const struct claude_boundary *boundary)
{
	struct claude_tail tail = { .boundary = current(t) };
	uint32_t known;

	if (json_kind(boundary->tail) != JSON_STRING ||
	    json_kind(boundary->anchor) != JSON_STRING)
		return;
	tail.id = transcript_hash(t, json_text(boundary->tail, &t->scratch[0]));
	tail.anchor = transcript_hash(
		t, json_text(boundary->anchor, &t->scratch[0]));
	known = hash_find(&b->tail_ids, tail.id, b->tails, sizeof(tail));
	if (known != HASH_NONE) {
		b->tails[known] = tail;
		return;
	}
	XGROW(b->tails, b->n_tails + 1, b->cap_tails);
	b->tails[b->n_tails] = tail;
	hash_add(&b->tail_ids, (uint32_t)b->n_tails++, b->tails, sizeof(tail));
}

/*
 * The record that one hangs on which says that it hangs on a tail: RECORD_NONE
 * when no compaction kept that.
 */
static uint32_t
behind_tail(const struct claude_branch *b, const struct transcript *t,
	    struct str parent)
{
	uint32_t said, tail, anchor;

	if (b->n_tails == 0)
		return RECORD_NONE;
	tail = hash_find(&b->tail_ids, transcript_hash(t, parent), b->tails,
			 sizeof(*b->tails));
	if (tail == HASH_NONE)
		return RECORD_NONE;
	said = transcript_find(t, parent);
	if (said == RECORD_NONE || said >= b->tails[tail].boundary)
		return RECORD_NONE;
	anchor = hash_find(&t->ids, b->tails[tail].anchor, t->records,
			   sizeof(*t->records));
	return anchor == current(t) ? RECORD_NONE : anchor;
}

void
claude_branch_place(struct claude_branch *b, struct transcript *t,
		    struct str parent, const struct claude_boundary *boundary)
{
	uint32_t anchor;
	struct str id;

	switch (json_kind(parent)) {
	case JSON_STRING:
		id = json_text(parent, &t->scratch[0]);
		anchor = behind_tail(b, t, id);
		if (anchor != RECORD_NONE)
			move(b, t, anchor, transcript_find(t, id));
		else
			index_parent(t, id, b->last);
		break;
	case JSON_NULL:
		if (boundary != NULL)
			move(b, t, before_boundary(b, t, boundary),
			     RECORD_NONE);
		break;
	default:
		index_parent_record(t, b->last);
	}
	if (boundary != NULL && boundary->keeps)
		keep_tail(b, t, boundary);
}

void
claude_branch_link(struct claude_branch *b, const struct transcript *t)
{
	b->last = current(t);
	t->records[b->last].flags |= CLAUDE_CHAIN;
}

void
claude_branch_loose(struct claude_branch *b, const struct transcript *t)
{
	XGROW(b->loose, b->n_loose + 1, b->cap_loose);
	b->loose[b->n_loose++] = (struct claude_loose){ current(t), b->last };
}

void
claude_branch_answer(struct claude_branch *b, const struct transcript *t,
		     struct str message)
{
	XGROW(b->answers, b->n + 1, b->cap);
	b->answers[b->n++] = (struct claude_answer){
		hash_bytes(&t->key, message), current(t)
	};
}

/* ---- the branch -------------------------------------------------------- */

static bool
is_marked(const struct transcript *t, uint32_t record)
{
	return (t->records[record].flags & RECORD_BRANCH) != 0;
}

/* The other records of the answers that the path goes through. */
static void
mark_answers(const struct claude_branch *b, struct transcript *t)
{
	const struct claude_answer *a = b->answers;
	struct hash_table met = { 0 };

	for (uint32_t i = 0; i < b->n; i++)
		if (is_marked(t, a[i].record) &&
		    hash_find(&met, a[i].message, a, sizeof(*a)) == HASH_NONE)
			hash_add(&met, i, a, sizeof(*a));
	for (size_t i = 0; i < b->n; i++)
		if (hash_find(&met, a[i].message, a, sizeof(*a)) != HASH_NONE)
			t->records[a[i].record].flags |= RECORD_BRANCH;
	hash_table_release(&met);
}

/* The records with results of the calls that are on the branch by now. */
static void
mark_results(struct transcript *t)
{
	const struct slot *s = t->slots;
	struct hash_table calls = { 0 };

	for (uint32_t i = 0; i < t->n_slots; i++)
		if (s[i].kind == SLOT_CALL && s[i].call != 0 &&
		    is_marked(t, s[i].record) &&
		    hash_find(&calls, s[i].call, s, sizeof(*s)) == HASH_NONE)
			hash_add(&calls, i, s, sizeof(*s));
	for (size_t i = 0; i < t->n_slots; i++)
		/* Without an id a record is none of the chain. */
		if (s[i].kind == SLOT_RESULT &&
		    t->records[s[i].record].id != 0 &&
		    hash_find(&calls, s[i].call, s, sizeof(*s)) != HASH_NONE)
			t->records[s[i].record].flags |= RECORD_BRANCH;
	hash_table_release(&calls);
}

/*
 * Marks the path; a record of it that goes on in a row which is not a message
 * is open: what else hangs on it is not a rewind.  Whether there is one.
 */
static bool
mark_path(struct transcript *t, uint32_t leaf)
{
	uint32_t i = leaf;
	bool rows = false, any = false;

	while (i != RECORD_NONE && !is_marked(t, i)) {
		struct record *r = &t->records[i];

		r->flags |= RECORD_BRANCH | (rows ? CLAUDE_OPEN : 0u);
		any = any || rows;
		rows = (r->flags & (CLAUDE_USER | CLAUDE_ASSISTANT)) == 0;
		i = r->parent;
	}
	return any;
}

/* Whether a record hangs on an open one, by way of others. */
enum detour { UNKNOWN, ON_WAY, IN, OUT };

/* As far as its own parent tells. */
static enum detour
detour_of(const struct transcript *t, const unsigned char *state, uint32_t i)
{
	const struct record *r = &t->records[i];

	if (is_marked(t, i) || (r->flags & CLAUDE_CHAIN) == 0 ||
	    r->parent == RECORD_NONE)
		return OUT;
	if (is_marked(t, r->parent))
		return (r->flags & CLAUDE_ASSISTANT) != 0 &&
				       (t->records[r->parent].flags &
					CLAUDE_OPEN) != 0
			       ? IN
			       : OUT;
	if ((r->flags & CLAUDE_TEXT) != 0)
		return OUT;
	/* A circle leads nowhere. */
	return state[r->parent] == ON_WAY ? OUT : state[r->parent];
}

/*
 * Answers that were delivered though the path goes around them, with what hangs
 * on them up to the next message of the user's.
 */
static void
mark_detours(struct transcript *t)
{
	unsigned char *state = xcalloc(t->n_records, 1);
	uint32_t *way = xmalloc(t->n_records * sizeof(*way));

	for (uint32_t i = 0; i < t->n_records; i++) {
		size_t n = 0;
		uint32_t at = i;

		/* Up to one that is known, and down again. */
		while (state[at] == UNKNOWN) {
			state[at] = ON_WAY;
			way[n++] = at;
			if (detour_of(t, state, at) != UNKNOWN)
				break;
			at = t->records[at].parent;
		}
		while (n > 0) {
			at = way[--n];
			state[at] = (unsigned char)detour_of(t, state, at);
		}
	}
	for (uint32_t i = 0; i < t->n_records; i++)
		if (state[i] == IN)
			t->records[i].flags |= RECORD_BRANCH;
	free(state);
	free(way);
}

void
claude_branch_mark(const struct claude_branch *b, struct transcript *t,
		   uint32_t leaf)
{
	if (mark_path(t, leaf == RECORD_NONE ? b->last : leaf))
		mark_detours(t);
	mark_answers(b, t);
	mark_results(t);
	for (size_t i = 0; i < b->n_loose; i++)
		if (b->loose[i].before != RECORD_NONE &&
		    is_marked(t, b->loose[i].before))
			t->records[b->loose[i].record].flags |= RECORD_BRANCH;
	index_mark_slots(t);
}

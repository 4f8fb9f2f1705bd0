#include "transcript/claude_branch.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "transcript/index.h"

void
claude_branch_init(struct claude_branch *b)
{
	*b = (struct claude_branch){ .last = RECORD_NONE };
}

void
claude_branch_release(struct claude_branch *b)
{
	free(b->answers);
	claude_branch_init(b);
}

void
claude_branch_link(struct claude_branch *b, const struct transcript *t)
{
	b->last = (uint32_t)t->n_records - 1;
}

void
claude_branch_answer(struct claude_branch *b, const struct transcript *t,
		     struct str message)
{
	XGROW(b->answers, b->n + 1, b->cap);
	b->answers[b->n++] = (struct claude_answer){
		hash_bytes(&t->key, message), (uint32_t)t->n_records - 1
	};
}

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

void
claude_branch_mark(const struct claude_branch *b, struct transcript *t,
		   uint32_t leaf)
{
	index_mark_path(t, leaf == RECORD_NONE ? b->last : leaf);
	mark_answers(b, t);
	mark_results(t);
	index_mark_slots(t);
}

#include "transcript/claude_tree.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "transcript/branch.h"
#include "transcript/transcript.h"

void
claude_tree_init(struct claude_tree *tree)
{
	*tree = (struct claude_tree){ .last = RECORD_NONE };
}

void
claude_tree_release(struct claude_tree *tree)
{
	free(tree->answers);
	claude_tree_init(tree);
}

void
claude_tree_link(struct claude_tree *tree, const struct transcript *t)
{
	tree->last = (uint32_t)t->n_records - 1;
}

void
claude_tree_answer(struct claude_tree *tree, const struct transcript *t,
		   struct str message)
{
	XGROW(tree->answers, tree->n + 1, tree->cap);
	tree->answers[tree->n++] = (struct claude_answer){
		siphash(&t->key, message), (uint32_t)t->n_records - 1
	};
}

static bool
is_marked(const struct transcript *t, uint32_t record)
{
	return (t->records[record].flags & RECORD_BRANCH) != 0;
}

/* The other records of the answers that the path goes through. */
static void
mark_answers(const struct claude_tree *tree, struct transcript *t)
{
	const struct claude_answer *a = tree->answers;
	struct idtable met = { 0 };

	for (uint32_t i = 0; i < tree->n; i++)
		if (is_marked(t, a[i].record) &&
		    idtable_find(&met, a[i].message, a, sizeof(*a)) ==
			    IDTABLE_NONE)
			idtable_add(&met, i, a, sizeof(*a));
	for (size_t i = 0; i < tree->n; i++)
		if (idtable_find(&met, a[i].message, a, sizeof(*a)) !=
		    IDTABLE_NONE)
			t->records[a[i].record].flags |= RECORD_BRANCH;
	idtable_release(&met);
}

/* The records with results of the calls that are on the branch by now. */
static void
mark_results(struct transcript *t)
{
	const struct slot *s = t->slots;
	struct idtable calls = { 0 };

	for (uint32_t i = 0; i < t->n_slots; i++)
		if (s[i].kind == SLOT_CALL && s[i].call != 0 &&
		    is_marked(t, s[i].record) &&
		    idtable_find(&calls, s[i].call, s, sizeof(*s)) ==
			    IDTABLE_NONE)
			idtable_add(&calls, i, s, sizeof(*s));
	for (size_t i = 0; i < t->n_slots; i++)
		/* Without an id a record is none of the chain. */
		if (s[i].kind == SLOT_RESULT &&
		    t->records[s[i].record].id != 0 &&
		    idtable_find(&calls, s[i].call, s, sizeof(*s)) !=
			    IDTABLE_NONE)
			t->records[s[i].record].flags |= RECORD_BRANCH;
	idtable_release(&calls);
}

void
claude_tree_mark(const struct claude_tree *tree, struct transcript *t,
		 uint32_t leaf)
{
	branch_follow(t, leaf == RECORD_NONE ? tree->last : leaf);
	mark_answers(tree, t);
	mark_results(t);
	branch_slots(t);
}

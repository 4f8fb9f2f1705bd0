#include "transcript/branch.h"

#include "transcript/transcript.h"

uint32_t
branch_last(const struct transcript *t)
{
	size_t i = t->n_records;

	while (i > 0 && (t->records[i - 1].flags & RECORD_HEADER) != 0)
		i--;
	return i == 0 ? RECORD_NONE : (uint32_t)i - 1;
}

void
branch_follow(struct transcript *t, uint32_t leaf)
{
	uint32_t i = leaf;

	while (i != RECORD_NONE && (t->records[i].flags & RECORD_BRANCH) == 0) {
		t->records[i].flags |= RECORD_BRANCH;
		i = t->records[i].parent;
	}
}

void
branch_slots(struct transcript *t)
{
	for (size_t i = 0; i < t->n_slots; i++)
		if ((t->records[t->slots[i].record].flags & RECORD_BRANCH) != 0)
			t->slots[i].flags |= SLOT_BRANCH;
}

bool
branch_has(const struct transcript *t, uint32_t record)
{
	const struct record *r = &t->records[record];

	if ((r->flags & RECORD_BRANCH) != 0)
		return true;
	/* Without a slot of its own it has the seq of one that comes later. */
	return r->seq <= t->n_slots && t->slots[r->seq - 1].record == record &&
	       (t->slots[r->seq - 1].flags & SLOT_BRANCH) != 0;
}

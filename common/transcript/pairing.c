#include "transcript/pairing.h"

#include "transcript/transcript.h"

static bool
can_pair(const struct slot *slot, enum slot_kind kind)
{
	return slot->kind == kind && slot->call != 0 &&
	       (slot->flags & SLOT_BRANCH) != 0;
}

void
pairing_mark(struct transcript *t)
{
	struct idtable results = { 0 }; /* first results, by call id */

	for (uint32_t i = 0; i < t->n_slots; i++)
		if (can_pair(&t->slots[i], SLOT_RESULT) &&
		    idtable_find(&results, t->slots[i].call, t->slots,
				 sizeof(*t->slots)) == IDTABLE_NONE)
			idtable_add(&results, i, t->slots, sizeof(*t->slots));

	for (uint32_t i = 0; i < t->n_slots; i++) {
		uint32_t result;

		if (!can_pair(&t->slots[i], SLOT_CALL))
			continue;
		result = idtable_find(&results, t->slots[i].call, t->slots,
				      sizeof(*t->slots));
		if (result == IDTABLE_NONE || result < i ||
		    t->slots[result].pair != 0)
			continue;
		t->slots[i].pair = result + 1;
		t->slots[result].pair = i + 1;
		t->slots[result].flags |= SLOT_CONSUMED;
	}
	idtable_release(&results);
}

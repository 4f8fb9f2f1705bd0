#include "transcript/index.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "transcript/document.h"
#include "transcript/lines.h"

/* Numbers must fit 32 bits; one more record can have 2^28 slots at most. */
#define MOST (UINT32_MAX - LINES_LONGEST)

static uint32_t
find_hash(const struct transcript *t, uint64_t hash)
{
	return hash_find(&t->ids, hash, t->records, sizeof(*t->records));
}

bool
index_record(struct transcript *t, struct str id)
{
	uint64_t hash = id.s == NULL ? 0 : transcript_hash(t, id);

	if (t->n_records >= MOST || t->n_slots >= MOST) {
		t->lines_skipped++;
		return false;
	}
	if (hash != 0 &&
	    hash_put(&t->ids, hash, (uint32_t)t->n_records, t->records,
		     sizeof(*t->records)) != HASH_NONE) {
		t->records_repeated++;
		return false;
	}

	XGROW(t->records, t->n_records + 1, t->cap_records);
	t->records[t->n_records++] =
		(struct record){ .id = hash,
				 .offset = t->offset,
				 .length = t->length,
				 .parent = RECORD_NONE,
				 .seq = (uint32_t)t->n_slots + 1,
				 .flags = t->marks << RECORD_MARKS_SHIFT };
	return true;
}

static struct record *
current(struct transcript *t)
{
	return &t->records[t->n_records - 1];
}

void
index_no_leaf(struct transcript *t)
{
	current(t)->flags |= RECORD_NO_LEAF;
}

void
index_parent(struct transcript *t, struct str id, uint32_t otherwise)
{
	uint64_t hash = transcript_hash(t, id);
	uint32_t parent;

	/* Nearly always the record before, and then no table is asked. */
	if (t->n_records > 1 && t->records[t->n_records - 2].id == hash)
		parent = (uint32_t)t->n_records - 2;
	else
		parent = find_hash(t, hash);
	current(t)->parent = parent;
	if (parent != RECORD_NONE)
		return;
	XGROW(t->forward, t->n_forward + 1, t->cap_forward);
	t->forward[t->n_forward++] =
		(struct forward){ (uint32_t)t->n_records - 1, otherwise, hash };
}

void
index_parent_record(struct transcript *t, uint32_t parent)
{
	current(t)->parent = parent;
}

void
index_parent_previous(struct transcript *t)
{
	if (t->n_records > 1)
		current(t)->parent = (uint32_t)t->n_records - 2;
}

static struct slot *
add_slot(struct transcript *t)
{
	XGROW(t->slots, t->n_slots + 1, t->cap_slots);
	t->slots[t->n_slots] =
		(struct slot){ .record = (uint32_t)t->n_records - 1,
			       .flags = t->in_time ? SLOT_IN_TIME : 0 };
	return &t->slots[t->n_slots++];
}

void
index_text(struct transcript *t, enum role role, bool empty)
{
	struct slot *slot = add_slot(t);

	slot->kind = SLOT_TEXT;
	slot->role = (uint8_t)role;
	slot->flags |= empty ? SLOT_EMPTY : 0;
}

/* The number of a tool name that a slot has, by its seq. */
static uint32_t
intern(struct transcript *t, uint32_t seq, struct str name)
{
	uint64_t hash;
	uint32_t number;

	if (name.n == 0)
		name = STR(DOCUMENT_UNKNOWN);
	hash = hash_bytes(&t->key, name);
	number = hash_find(&t->name_ids, hash, t->names, sizeof(*t->names));

	if (number != HASH_NONE)
		return number;
	number = (uint32_t)t->n_names;
	XGROW(t->names, t->n_names + 1, t->cap_names);
	t->names[t->n_names++] = (struct tool_name){
		.hash = hash,
		.seq = seq,
		.too_long = utf8_prefix(name, TOOL_NAME_CHARS).n < name.n
	};
	hash_add(&t->name_ids, number, t->names, sizeof(*t->names));
	return number;
}

void
index_tool(struct transcript *t, enum slot_kind kind, struct str call_id,
	   struct str name)
{
	struct slot *slot = add_slot(t);

	slot->kind = (uint8_t)kind;
	slot->role = ROLE_TOOL;
	slot->call = call_id.n == 0 ? 0 : transcript_hash(t, call_id);
	slot->name = intern(t, (uint32_t)t->n_slots, name);
}

void
index_rename_tool(struct transcript *t, uint32_t seq, struct str name)
{
	t->slots[seq - 1].name = intern(t, seq, name);
}

/* A name is read where a slot still has it. */
void
index_settle_names(struct transcript *t)
{
	for (uint32_t i = 0; i < t->n_slots; i++) {
		const struct slot *slot = &t->slots[i];
		struct tool_name *name;

		if (slot->role != ROLE_TOOL)
			continue;
		name = &t->names[slot->name];
		if (t->slots[name->seq - 1].name != slot->name)
			name->seq = i + 1;
	}
}

void
index_boundary(struct transcript *t, uint64_t number, unsigned known)
{
	XGROW(t->boundaries, t->n_boundaries + 1, t->cap_boundaries);
	t->boundaries[t->n_boundaries++] =
		(struct boundary){ (uint32_t)t->n_records - 1, known, number };
}

bool
index_is_id(const struct transcript *t, struct str id)
{
	return t->records[t->n_records - 1].id == transcript_hash(t, id);
}

void
index_take_back(struct transcript *t, uint32_t from, unsigned roles)
{
	uint32_t slot = t->records[from].seq - 1, kept = slot;

	for (uint32_t i = from; i < t->n_records; i++) {
		t->records[i].seq = kept + 1;
		for (; slot < t->n_slots && t->slots[slot].record == i;
		     slot++) {
			struct slot *s = &t->slots[slot];

			if ((roles >> s->role & 1) != 0)
				continue;
			/* The first that has a name is where it is read. */
			if (s->role == ROLE_TOOL &&
			    t->names[s->name].seq == slot + 1)
				t->names[s->name].seq = kept + 1;
			t->slots[kept++] = *s;
		}
	}
	t->n_slots = kept;
}

/* ---- the branch -------------------------------------------------------- */

uint32_t
index_last(const struct transcript *t)
{
	size_t i = t->n_records;

	while (i > 0 && (t->records[i - 1].flags & RECORD_NO_LEAF) != 0)
		i--;
	return i == 0 ? RECORD_NONE : (uint32_t)i - 1;
}

void
index_mark_path(struct transcript *t, uint32_t leaf)
{
	uint32_t i = leaf;

	while (i != RECORD_NONE && (t->records[i].flags & RECORD_BRANCH) == 0) {
		t->records[i].flags |= RECORD_BRANCH;
		i = t->records[i].parent;
	}
}

void
index_mark_slots(struct transcript *t)
{
	for (size_t i = 0; i < t->n_slots; i++)
		if ((t->records[t->slots[i].record].flags & RECORD_BRANCH) != 0)
			t->slots[i].flags |= SLOT_BRANCH;
}

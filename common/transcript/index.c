#include "transcript/index.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "transcript/lines.h"
#include "transcript/transcript.h"

/* Numbers must fit 32 bits; one more record can have 2^28 slots at most. */
#define MOST (UINT32_MAX - LINES_LONGEST)

/* Never 0, which stands for no id. */
static uint64_t
hash_id(const struct transcript *t, struct str id)
{
	uint64_t hash = siphash(&t->key, id);

	return hash == 0 ? 1 : hash;
}

static uint32_t
find_hash(const struct transcript *t, uint64_t hash)
{
	return idtable_find(&t->ids, hash, t->records, sizeof(*t->records));
}

uint32_t
index_find(const struct transcript *t, struct str id)
{
	return find_hash(t, hash_id(t, id));
}

bool
index_record(struct transcript *t, struct str id)
{
	uint64_t hash = id.s == NULL ? 0 : hash_id(t, id);
	uint32_t flags = (t->in_time ? RECORD_IN_TIME : 0u) |
			 (t->candidate ? RECORD_CANDIDATE : 0u);

	if (t->n_records >= MOST || t->n_slots >= MOST)
		return false;
	if (hash != 0 && find_hash(t, hash) != RECORD_NONE)
		return false;

	XGROW(t->records, t->n_records + 1, t->cap_records);
	t->records[t->n_records++] =
		(struct record){ .id = hash,
				 .offset = t->offset,
				 .length = t->length,
				 .parent = RECORD_NONE,
				 .seq = (uint32_t)t->n_slots + 1,
				 .flags = flags };
	if (hash != 0)
		idtable_add(&t->ids, (uint32_t)t->n_records - 1, t->records,
			    sizeof(*t->records));
	return true;
}

static struct record *
current(struct transcript *t)
{
	return &t->records[t->n_records - 1];
}

void
index_header(struct transcript *t)
{
	current(t)->flags |= RECORD_HEADER;
}

void
index_parent(struct transcript *t, struct str id, uint32_t otherwise)
{
	uint64_t hash = hash_id(t, id);
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
	t->slots[t->n_slots] = (struct slot){ .record = (uint32_t)t->n_records -
							1 };
	return &t->slots[t->n_slots++];
}

void
index_text(struct transcript *t, enum role role, bool empty)
{
	struct slot *slot = add_slot(t);

	slot->kind = SLOT_TEXT;
	slot->role = (uint8_t)role;
	slot->flags = empty ? SLOT_EMPTY : 0;
}

/* The number of a tool name that the slot just added has. */
static uint32_t
intern(struct transcript *t, struct str name)
{
	uint64_t hash = siphash(&t->key, name);
	uint32_t number = idtable_find(&t->name_ids, hash, t->names,
				       sizeof(*t->names));

	if (number != IDTABLE_NONE)
		return number;
	number = (uint32_t)t->n_names;
	XGROW(t->names, t->n_names + 1, t->cap_names);
	t->names[t->n_names++] = (struct tool_name){
		.hash = hash,
		.seq = (uint32_t)t->n_slots,
		.too_long = utf8_prefix(name, TOOL_NAME_CHARS).n < name.n
	};
	idtable_add(&t->name_ids, number, t->names, sizeof(*t->names));
	return number;
}

void
index_tool(struct transcript *t, enum slot_kind kind, struct str call_id,
	   struct str name)
{
	struct slot *slot = add_slot(t);

	slot->kind = (uint8_t)kind;
	slot->role = ROLE_TOOL;
	slot->call = call_id.n == 0 ? 0 : hash_id(t, call_id);
	slot->name = intern(t, name.n == 0 ? STR("unknown") : name);
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
	return t->records[t->n_records - 1].id == hash_id(t, id);
}

void
index_take_back(struct transcript *t, unsigned roles)
{
	uint32_t slot = 0, kept = 0;

	for (uint32_t i = 0; i < t->n_records; i++) {
		t->records[i].seq = kept + 1;
		for (; slot < t->n_slots && t->slots[slot].record == i; slot++)
			if ((roles >> t->slots[slot].role & 1) == 0)
				t->slots[kept++] = t->slots[slot];
	}
	t->n_slots = kept;
}

void
index_finish(struct transcript *t)
{
	for (size_t i = 0; i < t->n_forward; i++) {
		const struct forward *f = &t->forward[i];
		uint32_t parent = find_hash(t, f->parent);

		t->records[f->record].parent = parent == RECORD_NONE
						       ? f->otherwise
						       : parent;
	}
	free(t->forward);
	t->forward = NULL;
	t->n_forward = t->cap_forward = 0;
}

void
index_release(struct transcript *t)
{
	idtable_release(&t->ids);
	idtable_release(&t->name_ids);
	free(t->forward);
	t->forward = NULL;
}

#include "transcript/idtable.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void
idtable_release(struct idtable *table)
{
	free(table->v);
	*table = (struct idtable){ 0 };
}

static uint64_t
hash_of(uint32_t number, const void *array, size_t size)
{
	uint64_t hash;

	memcpy(&hash, (const char *)array + number * size, sizeof(hash));
	return hash;
}

/* The place of hash, or the free one where it belongs. */
static size_t
place(const struct idtable *table, uint64_t hash, const void *array,
      size_t size)
{
	size_t i = (size_t)hash & (table->cap - 1);

	while (table->v[i] != 0 &&
	       hash_of(table->v[i] - 1, array, size) != hash)
		i = (i + 1) & (table->cap - 1);
	return i;
}

uint32_t
idtable_find(const struct idtable *table, uint64_t hash, const void *array,
	     size_t size)
{
	if (table->n == 0)
		return IDTABLE_NONE;
	/* A free place is 0, which less one is IDTABLE_NONE. */
	return table->v[place(table, hash, array, size)] - 1;
}

static void
grow(struct idtable *table, const void *array, size_t size)
{
	struct idtable old = *table;

	table->cap = old.cap == 0 ? 64 : old.cap * 2;
	table->v = xcalloc(table->cap, sizeof(*table->v));
	for (size_t i = 0; i < old.cap; i++)
		if (old.v[i] != 0)
			table->v[place(table,
				       hash_of(old.v[i] - 1, array, size),
				       array, size)] = old.v[i];
	free(old.v);
}

void
idtable_add(struct idtable *table, uint32_t number, const void *array,
	    size_t size)
{
	if (table->n + 1 > table->cap / 4 * 3)
		grow(table, array, size);
	table->v[place(table, hash_of(number, array, size), array, size)] =
		number + 1;
	table->n++;
}

#ifndef TRANSCRIPT_IDTABLE_H
#define TRANSCRIPT_IDTABLE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Finds elements of an array by a 64-bit hash that is their first member: a
 * table of element numbers, four bytes each.  The array is the caller's and
 * given with each call, since it grows and moves.
 */
struct idtable {
	uint32_t *v; /* number + 1; 0 is free */
	size_t n, cap;
};

#define IDTABLE_NONE UINT32_MAX

void idtable_release(struct idtable *table);

uint32_t idtable_find(const struct idtable *table, uint64_t hash,
		      const void *array, size_t size);

/* Element `number`, whose hash is not in the table yet. */
void idtable_add(struct idtable *table, uint32_t number, const void *array,
		 size_t size);

#endif /* TRANSCRIPT_IDTABLE_H */

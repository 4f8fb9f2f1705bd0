#ifndef HASH_H
#define HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/*
 * SipHash-1-3 under a key that is random in each process.  Ids are compared
 * by it: an index then takes eight bytes an id, and nobody who writes what is
 * indexed can choose ids that collide.  The odds that any two of n ids do are
 * n^2 / 2^65: one in 36 million for a million ids.
 */
struct hash_key {
	uint64_t k0, k1;
};

void hash_key_random(struct hash_key *key);

uint64_t hash_bytes(const struct hash_key *key, struct str s);

/*
 * Finds elements of an array by a 64-bit hash that is their first member: a
 * table of element numbers, five bytes each.  The array is the caller's and
 * given with each call, since it grows and moves.
 */
struct hash_table {
	uint32_t *v; /* numbers, and then what tells which are there */
	size_t n, cap;
};

#define HASH_NONE UINT32_MAX

void hash_table_release(struct hash_table *table);

/* The number of the element with that hash, or HASH_NONE. */
uint32_t hash_find(const struct hash_table *table, uint64_t hash,
		   const void *array, size_t size);

/* Element `number`, whose hash is not in the table yet. */
void hash_add(struct hash_table *table, uint32_t number, const void *array,
	      size_t size);

/*
 * The same of one that may be: the number of the element that has the hash,
 * and then nothing is added, or HASH_NONE.  The element is in the array only
 * once it is known to be new.
 */
uint32_t hash_put(struct hash_table *table, uint64_t hash, uint32_t number,
		  const void *array, size_t size);

/* A set of hashes. */
struct hash_set {
	struct hash_table table;
	uint64_t *v;
	size_t n, cap;
};

void hash_set_release(struct hash_set *set);
void hash_set_add(struct hash_set *set, uint64_t hash);
bool hash_set_has(const struct hash_set *set, uint64_t hash);

#endif /* HASH_H */

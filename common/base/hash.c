#include "base/hash.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/word.h"
#include "base/xalloc.h"

void
hash_key_random(struct hash_key *key)
{
	struct timespec now;

	if (getrandom(key, sizeof(*key), GRND_NONBLOCK) == sizeof(*key))
		return;
	/* Early in boot: hard enough to guess for what is at stake. */
	clock_gettime(CLOCK_REALTIME, &now);
	key->k0 = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec;
	key->k1 = (uint64_t)getpid() ^ (uint64_t)(uintptr_t)key;
}

static inline uint64_t
rotate(uint64_t x, unsigned bits)
{
	return x << bits | x >> (64 - bits);
}

static inline void
mix(uint64_t v[4])
{
	v[0] += v[1];
	v[1] = rotate(v[1], 13) ^ v[0];
	v[0] = rotate(v[0], 32);
	v[2] += v[3];
	v[3] = rotate(v[3], 16) ^ v[2];
	v[0] += v[3];
	v[3] = rotate(v[3], 21) ^ v[0];
	v[2] += v[1];
	v[1] = rotate(v[1], 17) ^ v[2];
	v[2] = rotate(v[2], 32);
}

uint64_t
hash_bytes(const struct hash_key *key, struct str s)
{
	uint64_t v[4] = { key->k0 ^ UINT64_C(0x736f6d6570736575),
			  key->k1 ^ UINT64_C(0x646f72616e646f6d),
			  key->k0 ^ UINT64_C(0x6c7967656e657261),
			  key->k1 ^ UINT64_C(0x7465646279746573) };
	uint64_t last = (uint64_t)s.n << 56;
	size_t i;

	for (i = 0; s.n - i >= WORD_BYTES; i += WORD_BYTES) {
		uint64_t w = word_load(s.s + i);

		v[3] ^= w;
		mix(v);
		v[0] ^= w;
	}
	for (unsigned shift = 0; i < s.n; i++, shift += 8)
		last |= (uint64_t)(unsigned char)s.s[i] << shift;
	v[3] ^= last;
	mix(v);
	v[0] ^= last;
	v[2] ^= 0xff;
	mix(v);
	mix(v);
	mix(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* ---- the table -------------------------------------------------------- */

/*
 * Behind the numbers stands a byte of each hash, 0 where nothing is: mostly it
 * tells two hashes apart without a look at the elements, which lie about.
 */
#define PLACE_BYTES (sizeof(uint32_t) + 1)

static unsigned char *
tags_of(const struct hash_table *table)
{
	return (unsigned char *)(table->v + table->cap);
}

static unsigned char
tag_of(uint64_t hash)
{
	return (unsigned char)(hash >> 56 | 1);
}

void
hash_table_release(struct hash_table *table)
{
	free(table->v);
	*table = (struct hash_table){ 0 };
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
place(const struct hash_table *table, uint64_t hash, const void *array,
      size_t size)
{
	const unsigned char *tags = tags_of(table), tag = tag_of(hash);
	size_t i = (size_t)hash & (table->cap - 1);

	while (tags[i] != 0 &&
	       (tags[i] != tag || hash_of(table->v[i], array, size) != hash))
		i = (i + 1) & (table->cap - 1);
	return i;
}

uint32_t
hash_find(const struct hash_table *table, uint64_t hash, const void *array,
	  size_t size)
{
	size_t at;

	if (table->n == 0)
		return HASH_NONE;
	at = place(table, hash, array, size);
	return tags_of(table)[at] == 0 ? HASH_NONE : table->v[at];
}

/* Puts an element at a free place. */
static void
put(struct hash_table *table, size_t at, uint64_t hash, uint32_t number)
{
	tags_of(table)[at] = tag_of(hash);
	table->v[at] = number;
}

static void
grow(struct hash_table *table, const void *array, size_t size)
{
	struct hash_table old = *table;
	const unsigned char *tags = old.cap == 0 ? NULL : tags_of(&old);

	table->cap = old.cap == 0 ? 64 : old.cap * 2;
	table->v = xcalloc(table->cap, PLACE_BYTES);
	for (size_t i = 0; i < old.cap; i++) {
		uint64_t hash;

		if (tags[i] == 0)
			continue;
		hash = hash_of(old.v[i], array, size);
		put(table, place(table, hash, array, size), hash, old.v[i]);
	}
	free(old.v);
}

uint32_t
hash_put(struct hash_table *table, uint64_t hash, uint32_t number,
	 const void *array, size_t size)
{
	size_t at;

	if (table->n + 1 > table->cap / 4 * 3)
		grow(table, array, size);
	at = place(table, hash, array, size);
	if (tags_of(table)[at] != 0)
		return table->v[at];
	put(table, at, hash, number);
	table->n++;
	return HASH_NONE;
}

void
hash_add(struct hash_table *table, uint32_t number, const void *array,
	 size_t size)
{
	(void)hash_put(table, hash_of(number, array, size), number, array,
		       size);
}

/* ---- the set ----------------------------------------------------------- */

void
hash_set_release(struct hash_set *set)
{
	hash_table_release(&set->table);
	free(set->v);
	*set = (struct hash_set){ 0 };
}

bool
hash_set_has(const struct hash_set *set, uint64_t hash)
{
	return hash_find(&set->table, hash, set->v, sizeof(*set->v)) !=
	       HASH_NONE;
}

void
hash_set_add(struct hash_set *set, uint64_t hash)
{
	if (hash_set_has(set, hash))
		return;
	XGROW(set->v, set->n + 1, set->cap);
	set->v[set->n] = hash;
	hash_add(&set->table, (uint32_t)set->n++, set->v, sizeof(*set->v));
}

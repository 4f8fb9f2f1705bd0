#ifndef TRANSCRIPT_SIPHASH_H
#define TRANSCRIPT_SIPHASH_H

#include <stdint.h>

#include "base/str.h"

/*
 * SipHash-1-3 under a key that is random in each process.  Ids are compared
 * by it: an index of a transcript then takes eight bytes an id, and nobody
 * who writes transcripts can choose ids that collide.  The odds that any two
 * of n ids do are n^2 / 2^65: one in 36 million for a file of a million.
 */
struct siphash_key {
	uint64_t k0, k1;
};

void siphash_random_key(struct siphash_key *key);

uint64_t siphash(const struct siphash_key *key, struct str s);

#endif /* TRANSCRIPT_SIPHASH_H */

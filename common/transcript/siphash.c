#include "transcript/siphash.h"

#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/word.h"

void
siphash_random_key(struct siphash_key *key)
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
siphash(const struct siphash_key *key, struct str s)
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

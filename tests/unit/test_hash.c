#include "base/hash.h"

#include "test.h"

/* An element of an array that is looked up by its hash. */
struct thing {
	uint64_t hash;
	int more;
};

static void
check_table(void)
{
	static struct thing things[3000];
	struct hash_table table = { 0 };
	uint64_t state = 42;
	bool found = true, absent = true;

	ok(hash_find(&table, 1, things, sizeof(*things)) == HASH_NONE,
	   "nothing is in an empty table");
	for (uint32_t i = 0; i < 3000; i++) {
		/* Low bits that collide, too. */
		things[i].hash = i % 3 ? test_random(&state)
				       : (uint64_t)(i + 1) << 32;
		absent = absent && hash_find(&table, things[i].hash, things,
					     sizeof(*things)) == HASH_NONE;
		hash_add(&table, i, things, sizeof(*things));
	}
	for (uint32_t i = 0; i < 3000; i++)
		found = found && hash_find(&table, things[i].hash, things,
					   sizeof(*things)) == i;
	ok(absent && found, "3000 elements are found, each once added");
	ok(hash_find(&table, 7, things, sizeof(*things)) == HASH_NONE,
	   "another hash is not");
	hash_table_release(&table);
}

int
main(void)
{
	struct hash_key key = { UINT64_C(0x0706050403020100),
				UINT64_C(0x0f0e0d0c0b0a0908) };
	char bytes[64];
	struct hash_key a, b;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)i;
	/* The published vectors of SipHash-1-3 for 0, 1 and 8 bytes. */
	ok(hash_bytes(&key, STR("")) == UINT64_C(0xabac0158050fc4dc),
	   "0 bytes");
	ok(hash_bytes(&key, (struct str){ bytes, 1 }) ==
		   UINT64_C(0xc9f49bf37d57ca93),
	   "1 byte");
	ok(hash_bytes(&key, (struct str){ bytes, 8 }) ==
		   UINT64_C(0x369095118d299a8e),
	   "8 bytes");
	hash_key_random(&a);
	hash_key_random(&b);
	ok(a.k0 != b.k0 && a.k1 != b.k1, "two keys differ");
	check_table();
	return done();
}

#ifndef JSON_KEYS_H
#define JSON_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

/*
 * The keys of the objects that are open while json_check() walks a text, to
 * find repeated ones.  Keys are compared as they read after decoding.  Memory
 * is proportional to the keys of the open objects; an object of n keys takes
 * n log n time whatever its keys are, since hashes only order the sort and
 * equal ones are told apart by their bytes.
 */
struct json_key {
	uint64_t hash;
	const char *raw; /* the opening quote; in text order */
	size_t n;	 /* bytes of the decoded key */
	size_t decoded;	 /* where in the pool; JSON_KEY_IN_PLACE: after raw */
};
#define JSON_KEY_IN_PLACE ((size_t)-1)

struct json_keys_frame {
	size_t keys, pool; /* how many belong to the objects around it */
};

struct json_keys {
	struct json_key *key;
	size_t n, cap;
	struct json_keys_frame *frame;
	size_t frames, frames_cap;
	struct buf pool; /* keys that had escapes, decoded */
};

#define JSON_KEYS_INIT                           \
	{                                        \
		NULL, 0, 0, NULL, 0, 0, BUF_INIT \
	}

void json_keys_release(struct json_keys *k);

/* An object begins. */
void json_keys_open(struct json_keys *k);

/* A key of the innermost object, raw with its quotes; borrowed. */
void json_keys_add(struct json_keys *k, struct str raw, bool escaped);

/*
 * The innermost object ends.  True when a key occurred in it before: the
 * first such repetition in the text is stored, raw.
 */
bool json_keys_close(struct json_keys *k, struct str *again);

/*
 * Adds the raw key to out for a message of one line: decoded, in double
 * quotes, control characters escaped, at most max bytes in all, an ellipsis
 * where it was cut.
 */
void json_keys_quote(struct str raw, struct buf *out, size_t max);

#endif /* JSON_KEYS_H */

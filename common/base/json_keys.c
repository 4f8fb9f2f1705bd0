#include "base/json_keys.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json_span.h"
#include "base/utf8.h"
#include "base/word.h"
#include "base/xalloc.h"

void
json_keys_release(struct json_keys *k)
{
	free(k->key);
	free(k->frame);
	buf_release(&k->pool);
}

void
json_keys_open(struct json_keys *k)
{
	XGROW(k->frame, k->frames + 1, k->frames_cap);
	k->frame[k->frames++] = (struct json_keys_frame){ k->n, k->pool.len };
}

static uint64_t
mix(uint64_t hash, uint64_t w)
{
	hash = (hash ^ w) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static uint64_t
hash_bytes(struct str s)
{
	uint64_t hash = s.n, last = 0;

	for (; s.n >= WORD_BYTES; s = str_from(s, WORD_BYTES))
		hash = mix(hash, word_load(s.s));
	if (s.n > 0)
		memcpy(&last, s.s, s.n);
	return mix(hash, last);
}

static struct str
key_bytes(const struct json_keys *k, const struct json_key *key)
{
	if (key->decoded == JSON_KEY_IN_PLACE)
		return (struct str){ key->raw + 1, key->n };
	return (struct str){ k->pool.data + key->decoded, key->n };
}

void
json_keys_add(struct json_keys *k, struct str raw, bool escaped)
{
	struct json_key key = { 0, raw.s, raw.n - 2, JSON_KEY_IN_PLACE };

	if (escaped) {
		key.decoded = k->pool.len;
		json_decode(raw, &k->pool);
		key.n = k->pool.len - key.decoded;
	}
	key.hash = hash_bytes(key_bytes(k, &key));
	XGROW(k->key, k->n + 1, k->cap);
	k->key[k->n++] = key;
}

static int
compare_content(const struct json_keys *k, const struct json_key *a,
		const struct json_key *b)
{
	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return str_cmp(key_bytes(k, a), key_bytes(k, b));
}

static int
compare(const void *one, const void *other, void *keys)
{
	const struct json_key *a = one, *b = other;
	int order = compare_content(keys, a, b);

	if (order != 0)
		return order;
	return (a->raw > b->raw) - (a->raw < b->raw);
}

/* The end of a raw string that is known to be well formed. */
static struct str
raw_string(const char *raw)
{
	const char *p = raw + 1;

	while (*p != '"')
		p += *p == '\\' ? 2 : 1;
	return (struct str){ raw, (size_t)(p + 1 - raw) };
}

bool
json_keys_close(struct json_keys *k, struct str *again)
{
	struct json_keys_frame frame = k->frame[--k->frames];
	size_t i, n = k->n - frame.keys;
	const char *first = NULL;
	struct json_key *key;

	k->n = frame.keys;
	if (n < 2) {
		buf_truncate(&k->pool, frame.pool);
		return false;
	}
	key = k->key + frame.keys;
	qsort_r(key, n, sizeof(*key), compare, k);
	for (i = 1; i < n; i++)
		if (compare_content(k, &key[i - 1], &key[i]) == 0 &&
		    (first == NULL || key[i].raw < first))
			first = key[i].raw;
	buf_truncate(&k->pool, frame.pool);
	if (first == NULL)
		return false;
	*again = raw_string(first);
	return true;
}

/* One code point as it may stand in a message; its length. */
static int
show(char out[8], const char *p, unsigned n, uint32_t cp)
{
	if (cp < 0x20 || (cp >= 0x7f && cp <= 0x9f))
		return snprintf(out, 8, "\\u%04x", (unsigned)cp);
	if (cp == '"' || cp == '\\')
		return snprintf(out, 8, "\\%c", (int)cp);
	return snprintf(out, 8, "%.*s", (int)n, p);
}

void
json_keys_quote(struct str raw, struct buf *out, size_t max)
{
	static const char ellipsis[] = "\xe2\x80\xa6\"";
	struct buf key = BUF_INIT;
	size_t at, fits = out->len + 1;
	bool cut = false;

	json_decode(raw, &key);
	buf_addc(out, '"');
	for (at = 0; at < key.len && !cut;) {
		uint32_t cp;
		char shown[8];
		unsigned n = utf8_decode(key.data + at, key.len - at, &cp);

		buf_add(out, shown, (size_t)show(shown, key.data + at, n, cp));
		at += n;
		/* The last length after which the ellipsis has room. */
		if (out->len + strlen(ellipsis) <= max)
			fits = out->len;
		cut = out->len + 1 > max;
	}
	if (cut) {
		buf_truncate(out, fits);
		buf_adds(out, ellipsis);
	} else {
		buf_addc(out, '"');
	}
	buf_release(&key);
}

#include "output/value.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/auxv.h>

#include "base/hash.h"
#include "base/xalloc.h"

/*
 * An object of more than FEW members has an index: a table of open addressing
 * whose entries are numbers of members plus one, 0 for a free one.  The entry
 * of a deleted member stays, so that a search goes on past it.
 */
#define FEW 8

/* ---- making, sharing --------------------------------------------------- */

struct value *
value_new_scalar(enum json_kind kind, struct str text)
{
	struct value_scalar *s;

	assert(text.n <= UINT32_MAX / 4);
	s = xmalloc(sizeof(*s) + text.n);
	s->head = (struct value){ 1, kind };
	s->start = 0;
	s->n = s->cap = (uint32_t)text.n;
	if (text.n > 0)
		memcpy(s->text, text.s, text.n);
	return &s->head;
}

struct value *
value_new_string(struct str text)
{
	return value_new_scalar(JSON_STRING, text);
}

struct value *
value_new_integer(uint64_t n)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, n);

	return value_new_scalar(JSON_NUMBER,
				(struct str){ digits, (size_t)len });
}

struct value *
value_new_boolean(bool b)
{
	return value_new_scalar(JSON_BOOLEAN, b ? STR("true") : STR("false"));
}

struct value *
value_new_array(void)
{
	struct value_array *a = xcalloc(1, sizeof(*a));

	a->head = (struct value){ 1, JSON_ARRAY };
	return &a->head;
}

struct value *
value_new_object(void)
{
	struct value_object *o = xcalloc(1, sizeof(*o));

	o->head = (struct value){ 1, JSON_OBJECT };
	return &o->head;
}

static void
free_key(struct value *key)
{
	if (key != NULL && --key->refs == 0)
		free(key);
}

/* The last of the nodes that v still holds, taken out of it; NULL: none. */
static struct value *
take_last(struct value *v)
{
	struct value_array *a = value_array(v);
	struct value_object *o = value_object(v);

	if (v->kind == JSON_ARRAY)
		return a->n == 0 ? NULL : a->items[a->start + --a->n];
	if (v->kind != JSON_OBJECT)
		return NULL;
	while (o->n > 0) {
		struct value_member *m = &o->members[--o->n];

		if (m->key == NULL)
			continue;
		free_key(m->key);
		return m->value;
	}
	return NULL;
}

static void
free_node(struct value *v)
{
	if (v->kind == JSON_ARRAY) {
		free(value_array(v)->items);
	} else if (v->kind == JSON_OBJECT) {
		free(value_object(v)->members);
		free(value_object(v)->index);
	}
	free(v);
}

void
value_free(struct value *v)
{
	struct value *open[VALUE_NESTING + 1], *next;
	unsigned depth = 0;

	while (v != NULL) {
		if (--v->refs == 0) {
			assert(depth <= VALUE_NESTING);
			open[depth++] = v;
		}
		for (v = NULL; v == NULL && depth > 0;) {
			next = take_last(open[depth - 1]);
			if (next == NULL)
				free_node(open[--depth]);
			v = next;
		}
	}
}

/* ---- members ----------------------------------------------------------- */

/* Keyed by the 16 random bytes that the kernel gives each process. */
static uint64_t
hash_text(struct str s)
{
	struct hash_key key;
	uintptr_t random = (uintptr_t)getauxval(AT_RANDOM);

	memcpy(&key, (const void *)random, sizeof(key));
	return hash_bytes(&key, s);
}

static bool
key_is(const struct value_member *m, struct str key)
{
	return m->key != NULL && str_eq(value_str(m->key), key);
}

void
value_index_add(struct value_object *o, size_t member)
{
	uint32_t mask = o->slots - 1;
	uint64_t slot = hash_text(value_str(o->members[member].key)) & mask;

	while (o->index[slot] != 0)
		slot = (slot + 1) & mask;
	o->index[slot] = (uint32_t)member + 1;
}

void
value_index_make(struct value_object *o)
{
	size_t i;

	free(o->index);
	o->index = NULL;
	o->slots = 0;
	if (o->n <= FEW)
		return;
	for (o->slots = 4 * FEW; o->slots < 2 * (size_t)o->cap;)
		o->slots *= 2;
	o->index = xcalloc(o->slots, sizeof(*o->index));
	for (i = 0; i < o->n; i++)
		if (o->members[i].key != NULL)
			value_index_add(o, i);
}

/* No other entry has been put behind it, so that none is cut off. */
void
value_index_drop(struct value_object *o)
{
	uint32_t mask = o->slots - 1;
	uint64_t slot;

	if (o->slots == 0)
		return;
	slot = hash_text(value_str(o->members[o->n - 1].key)) & mask;
	while (o->index[slot] != o->n)
		slot = (slot + 1) & mask;
	o->index[slot] = 0;
}

size_t
value_find(const struct value *object, struct str key)
{
	const struct value_object *o = (const struct value_object *)object;
	uint64_t slot;
	size_t i;

	if (o->slots == 0) {
		for (i = 0; i < o->n; i++)
			if (key_is(&o->members[i], key))
				return i;
		return VALUE_NONE;
	}
	slot = hash_text(key) & (o->slots - 1);
	for (; o->index[slot] != 0; slot = (slot + 1) & (o->slots - 1)) {
		i = o->index[slot] - 1;
		if (key_is(&o->members[i], key))
			return i;
	}
	return VALUE_NONE;
}

struct value *
value_get(const struct value *v, const char *key)
{
	size_t i;

	if (v == NULL || v->kind != JSON_OBJECT)
		return NULL;
	i = value_find(v, str_of(key));
	if (i == VALUE_NONE)
		return NULL;
	return ((const struct value_object *)v)->members[i].value;
}

const struct value_member *
value_next(const struct value *object, size_t *at)
{
	const struct value_object *o = (const struct value_object *)object;

	while (*at < o->n) {
		const struct value_member *m = &o->members[(*at)++];

		if (m->key != NULL)
			return m;
	}
	return NULL;
}

bool
value_integer(const struct value *v, uint64_t *n)
{
	struct str s;
	size_t i;

	if (v->kind != JSON_NUMBER)
		return false;
	s = value_str(v);
	if (s.n > 16 || (s.n > 1 && s.s[0] == '0'))
		return false;
	*n = 0;
	for (i = 0; i < s.n; i++) {
		if (s.s[i] < '0' || s.s[i] > '9')
			return false;
		*n = *n * 10 + (uint64_t)(s.s[i] - '0');
	}
	return *n <= VALUE_INTEGER;
}

/* ---- walking ----------------------------------------------------------- */

void
value_walk(struct value_walk *w, const struct value *v)
{
	w->top = v;
	w->node = NULL;
	w->key = NULL;
	w->depth = 0;
}

static enum value_step
arrive(struct value_walk *w, const struct value *v)
{
	w->node = v;
	if (!value_is_container(v))
		return VALUE_SCALAR;
	assert(w->depth < VALUE_NESTING);
	w->open[w->depth].v = v;
	w->open[w->depth++].at = 0;
	return VALUE_OPEN;
}

enum value_step
value_step(struct value_walk *w)
{
	const struct value_member *m;
	const struct value *in;
	size_t *at;

	if (w->depth == 0) {
		if (w->node != NULL)
			return VALUE_END;
		return arrive(w, w->top);
	}
	in = w->open[w->depth - 1].v;
	at = &w->open[w->depth - 1].at;
	w->key = NULL;
	if (in->kind == JSON_ARRAY) {
		if (*at < value_count(in))
			return arrive(w, value_item(in, (*at)++));
	} else {
		m = value_next(in, at);
		if (m != NULL) {
			w->key = m->key;
			return arrive(w, m->value);
		}
	}
	w->depth--;
	w->node = in;
	return VALUE_CLOSE;
}

unsigned
value_depth(const struct value *v)
{
	struct value_walk w;
	enum value_step step;
	unsigned deepest = 0;

	value_walk(&w, v);
	while ((step = value_step(&w)) != VALUE_END)
		if (step == VALUE_OPEN && w.depth > deepest)
			deepest = w.depth;
	return deepest;
}

/* What stands in `in` where the walk is in open[level]; NULL: nothing. */
static const struct value *
counterpart(const struct value_walk *w, unsigned level, const struct value *in)
{
	const struct value_object *o = (const struct value_object *)in;
	size_t i;

	if (w->key == NULL)
		return value_item(in, w->open[level].at - 1);
	i = value_find(in, value_str(w->key));
	return i == VALUE_NONE ? NULL : o->members[i].value;
}

bool
value_equal(const struct value *a, const struct value *b)
{
	const struct value *other[VALUE_NESTING];
	struct value_walk w;
	enum value_step step;

	value_walk(&w, a);
	while ((step = value_step(&w)) != VALUE_END) {
		/* An opened container is one level above its own place. */
		unsigned level = w.depth - (step == VALUE_OPEN);

		if (step == VALUE_CLOSE)
			continue;
		if (level > 0)
			b = counterpart(&w, level - 1, other[level - 1]);
		if (b == NULL || b->kind != w.node->kind)
			return false;
		if (step == VALUE_SCALAR) {
			if (w.node != b &&
			    !str_eq(value_str(w.node), value_str(b)))
				return false;
			continue;
		}
		if (w.node == b)
			w.depth = level; /* shared: not gone into */
		else if (value_count(w.node) != value_count(b))
			return false;
		else
			other[level] = b;
	}
	return true;
}

static uint64_t
mix(uint64_t h)
{
	h ^= h >> 33;
	h *= UINT64_C(0xff51afd7ed558ccd);
	h ^= h >> 33;
	h *= UINT64_C(0xc4ceb9fe1a85ec53);
	return h ^ h >> 33;
}

/* The order of elements counts, that of members does not. */
uint64_t
value_hash(const struct value *v)
{
	uint64_t sum[VALUE_NESTING + 1] = { 0 };
	uint64_t keys[VALUE_NESTING + 1] = { 0 }, hash;
	struct value_walk w;
	enum value_step step;

	value_walk(&w, v);
	while ((step = value_step(&w)) != VALUE_END) {
		if (step != VALUE_CLOSE) {
			unsigned level = w.depth - (step == VALUE_OPEN);

			keys[level] = w.key == NULL
					      ? 0
					      : hash_text(value_str(w.key));
		}
		if (step == VALUE_OPEN) {
			sum[w.depth] = (uint64_t)w.node->kind;
			continue;
		}
		hash = step == VALUE_CLOSE ? sum[w.depth + 1]
					   : hash_text(value_str(w.node)) +
						     (uint64_t)w.node->kind;
		if (w.depth > 0 && w.open[w.depth - 1].v->kind == JSON_OBJECT)
			sum[w.depth] += mix(keys[w.depth] ^ mix(hash));
		else
			sum[w.depth] = mix(sum[w.depth]) + mix(hash);
	}
	return sum[0];
}

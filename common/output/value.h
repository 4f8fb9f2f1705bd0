#ifndef OUTPUT_VALUE_H
#define OUTPUT_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/json_check.h"
#include "base/json_span.h"
#include "base/str.h"

/*
 * A JSON value that keeps what users gave (spec/output.md section 1): the
 * order of members, numbers as their text, U+0000 in strings.
 *
 * Nodes are counted: who holds a pointer holds a reference, and gives it back
 * with value_free().  A node with one reference may be changed by its holder
 * (value_edit.h); one with more is shared and stays as it is, so that a copy
 * of a whole value is one more reference.
 *
 * Nothing is deeper than VALUE_NESTING: that is checked where a value is read,
 * and where ops put one value into another.
 */
#define VALUE_DEPTH 56	     /* of a value; a scalar's depth is 0 */
#define VALUE_NESTING 64     /* of a document, which has values in it */
#define VALUE_BYTES 67108864 /* compact bytes of a value that is folded */
#define VALUE_INTEGER UINT64_C(9007199254740991)

struct value {
	uint32_t refs;
	enum json_kind kind;
};

/* null, true, false and numbers as their text; strings decoded. */
struct value_scalar {
	struct value head;
	uint32_t start, n, cap; /* text[start], n bytes; room for cap */
	char text[];
};

struct value_array {
	struct value head;
	uint32_t start, n, cap; /* items[start], n of them; room for cap */
	struct value **items;
};

struct value_member {
	struct value *key, *value; /* key NULL: was deleted, holds nothing */
};

struct value_object {
	struct value head;
	uint32_t n, cap; /* members, the deleted ones among them */
	uint32_t gone;	 /* how many are deleted */
	uint32_t slots;	 /* of index, a power of two; 0: there is none */
	struct value_member *members; /* in order */
	uint32_t *index;	      /* by hash of the key */
};

static inline struct value_scalar *
value_scalar(struct value *v)
{
	return (struct value_scalar *)v;
}

static inline struct value_array *
value_array(struct value *v)
{
	return (struct value_array *)v;
}

static inline struct value_object *
value_object(struct value *v)
{
	return (struct value_object *)v;
}

/* ---- making, sharing --------------------------------------------------- */

/* text is that of the scalar; of a string what it decodes to. */
struct value *value_new_scalar(enum json_kind kind, struct str text);
struct value *value_new_string(struct str text);
struct value *value_new_integer(uint64_t n);
struct value *value_new_boolean(bool b);
struct value *value_new_array(void);
struct value *value_new_object(void);

/* One more reference to v. */
static inline struct value *
value_ref(struct value *v)
{
	v->refs++;
	return v;
}

/* Gives one back; the last one frees.  NULL is fine. */
void value_free(struct value *v);

/* ---- looking ----------------------------------------------------------- */

static inline bool
value_is_container(const struct value *v)
{
	return v->kind == JSON_ARRAY || v->kind == JSON_OBJECT;
}

/* The text of a scalar; borrowed. */
static inline struct str
value_str(const struct value *v)
{
	const struct value_scalar *s = (const struct value_scalar *)v;

	return (struct str){ s->text + s->start, s->n };
}

/* Elements of an array; members of an object that are there. */
static inline size_t
value_count(const struct value *v)
{
	const struct value_object *o = (const struct value_object *)v;

	if (v->kind == JSON_ARRAY)
		return ((const struct value_array *)v)->n;
	return v->kind == JSON_OBJECT ? o->n - o->gone : 0;
}

static inline struct value *
value_item(const struct value *array, size_t i)
{
	const struct value_array *a = (const struct value_array *)array;

	return a->items[a->start + i];
}

#define VALUE_NONE ((size_t)-1)

/* Which of members has that key; VALUE_NONE.  Takes constant time. */
size_t value_find(const struct value *object, struct str key);

/* A member's value; NULL when there is none, or v is not an object. */
struct value *value_get(const struct value *v, const char *key);

/*
 * The member at *at or after it, passing over deleted ones; *at is then one
 * past it.  NULL at the end.
 */
const struct value_member *value_next(const struct value *object, size_t *at);

/* A number that is spelled 0 or [1-9][0-9]*, at most VALUE_INTEGER. */
bool value_integer(const struct value *v, uint64_t *n);

/*
 * The nodes of a value in document order.  Begin with value_walk(); each
 * value_step() gives a node: a scalar, or a container as it opens
 * (VALUE_OPEN) and again as it closes (VALUE_CLOSE).  w->key is the key under
 * which the node stands, NULL in an array and at the top; not set for
 * VALUE_CLOSE.
 */
enum value_step { VALUE_END, VALUE_SCALAR, VALUE_OPEN, VALUE_CLOSE };

struct value_walk {
	const struct value *top, *node;
	const struct value *key;
	unsigned depth;
	struct {
		const struct value *v;
		size_t at;
	} open[VALUE_NESTING];
};

void value_walk(struct value_walk *w, const struct value *v);
enum value_step value_step(struct value_walk *w);

/* 0 for a scalar, for a container 1 more than its deepest member. */
unsigned value_depth(const struct value *v);

/*
 * Whether they are the same value: members in any order, numbers by text.
 * Linear; ends at the first difference, and at nodes that are shared.
 */
bool value_equal(const struct value *a, const struct value *b);

/* Equal values have equal hashes.  Only good within one process. */
uint64_t value_hash(const struct value *v);

/*
 * The index of an object's members, for who puts members in (value_edit.h):
 * made anew from them all, or with one more, which is in members already.
 */
void value_index_make(struct value_object *o);
void value_index_add(struct value_object *o, size_t member);
/* The last member leaves; it was the last to be added. */
void value_index_drop(struct value_object *o);

/* ---- JSON -------------------------------------------------------------- */

/* Of text that json_check() took with JSON_ALLOW_NUL, at most VALUE_NESTING. */
struct value *value_parse(struct str checked);

/* Checks, then parses; NULL with *error when text is not one JSON value. */
struct value *value_read(struct str text, struct json_error *error);

/* Adds the compact text (section 1). */
void value_write(const struct value *v, struct buf *out);

/* The length of the compact text. */
size_t value_bytes(const struct value *v);

/* The length of s as a string of JSON, quotes included. */
size_t value_quoted_bytes(struct str s);

#endif /* OUTPUT_VALUE_H */

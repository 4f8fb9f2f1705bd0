#ifndef JSON_SPAN_H
#define JSON_SPAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/json_map.h"
#include "base/str.h"

/*
 * Reading JSON in place: values are spans of the text they stand in, nothing
 * is allocated or copied until a string is asked for.  This is the hot path
 * over transcripts.  Every function here takes text that json_check() has
 * accepted (any flags, any depth); a value span starts at its first byte and
 * ends after its last, without white space around it.
 */
enum json_kind {
	JSON_NONE, /* an empty span: no value */
	JSON_NULL,
	JSON_BOOLEAN,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT
};

/* The span of the one value in a checked text: white space cut off. */
struct str json_value(struct str text);

enum json_kind json_kind(struct str value);

/* Members of an object, or elements of an array, in order. */
struct json_iter {
	const char *p, *end;
	const struct json_map *map; /* or NULL */
	size_t at;		    /* the next place in it */
};

/*
 * `of` is an object or array; of anything else there is nothing to iterate,
 * nor are there members in an array or elements in an object.
 */
struct json_iter json_iterate(struct str of);

/* The same faster, with the map of a text that `of` may lie in, or NULL. */
struct json_iter json_map_iterate(const struct json_map *map, struct str of);

/* key is the raw string with its quotes.  False at the end. */
bool json_next_member(struct json_iter *it, struct str *key, struct str *value);
bool json_next_element(struct json_iter *it, struct str *value);

/* Whether the raw string (quotes and escapes included) spells s. */
bool json_string_is(struct str raw, const char *s);

/*
 * The value of the last member called name, or an empty span when object is
 * not one or has no such member.
 */
struct str json_get(struct str object, const char *name);

/*
 * Several members in one walk: values[i] is that of names[i], as by
 * json_get().  n is at most 16.
 */
void json_get_many(struct str object, const char *const names[],
		   struct str values[], unsigned n);

/* The same faster, with a map as above. */
void json_map_get_many(const struct json_map *map, struct str object,
		       const char *const names[], struct str values[],
		       unsigned n);
struct str json_map_get(const struct json_map *map, struct str object,
			const char *name);

/*
 * A string value's content: when it has no escapes, the span between the
 * quotes in place; else it is decoded into scratch (which is reset first) and
 * the result is borrowed from there.  A lone surrogate is U+FFFD.  Of a value
 * that is not a string the text is empty.
 */
struct str json_text(struct str string, struct buf *scratch);

/* The same, added to out. */
void json_decode(struct str string, struct buf *out);

/* Adds canonical JSON (spec/history.md section 4) of any value to out. */
void json_canonical(struct str value, struct buf *out);

/*
 * A number that is an integer within +-2^53, written in any form (10, 1e1,
 * 1.00E+1).  False for every other value.
 */
bool json_to_integer(struct str number, int64_t *v);

static inline bool
json_is_true(struct str value)
{
	return value.n == 4 && value.s[0] == 't';
}

#endif /* JSON_SPAN_H */

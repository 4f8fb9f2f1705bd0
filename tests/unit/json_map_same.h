/*
 * What json_map_text() must say of any bytes: what json_check() does, and with
 * its map every member and element is found where it is without.  Recursive,
 * as deep as it accepts.
 */
#ifndef JSON_MAP_SAME_H
#define JSON_MAP_SAME_H

#include "base/json_check.h"
#include "base/json_map.h"
#include "base/json_span.h"

static inline bool
is_same_span(struct str a, struct str b)
{
	return a.s == b.s && a.n == b.n;
}

/* Members or elements, whichever there are, and what is in them. */
static inline bool
map_same_spans(const struct json_map *map, struct str of)
{
	struct json_iter one = json_map_iterate(map, of);
	struct json_iter other = json_iterate(of);
	bool object = json_kind(of) == JSON_OBJECT, more;
	struct str key[2] = { { NULL, 0 }, { NULL, 0 } }, value[2];

	for (;;) {
		more = object ? json_next_member(&one, &key[0], &value[0])
			      : json_next_element(&one, &value[0]);
		if (more !=
		    (object ? json_next_member(&other, &key[1], &value[1])
			    : json_next_element(&other, &value[1])))
			return false;
		if (!more)
			return true;
		if (!is_same_span(key[0], key[1]) ||
		    !is_same_span(value[0], value[1]) ||
		    !map_same_spans(map, value[0]))
			return false;
	}
}

/* map is used again, as it is for one line after the other. */
static inline bool
map_same(struct json_map *map, struct str text)
{
	const unsigned all = JSON_ALLOW_NUL | JSON_ALLOW_DUPLICATES |
			     JSON_ALLOW_LONE;
	bool good = json_check(text, JSON_MAP_DEPTH, all, NULL) == 0;
	json_tokens_find *ways[JSON_TOKENS_WAYS];

	json_tokens_ways(ways);
	for (unsigned i = 0; ways[i] != NULL; i++) {
		if (json_map_text_by(ways[i], map, text) != good ||
		    json_map_text_by(ways[i], NULL, text) != good)
			return false;
		if (good && !map_same_spans(map, json_value(text)))
			return false;
	}
	return true;
}

#endif /* JSON_MAP_SAME_H */

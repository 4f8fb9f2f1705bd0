#ifndef JSON_MAP_H
#define JSON_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json_tokens.h"
#include "base/str.h"

/*
 * What one pass over a text tells: whether it is JSON, and where its values
 * end, so that whoever looks for members (json_map_get_many(),
 * json_map_iterate() of json_span.h) passes over these without reading them.
 * Memory is bounded, whatever the text is: numbers and words in arrays, and
 * values that are deep or come after very many others, are not in the map, and
 * are passed over as ever.
 */
struct json_place {
	uint32_t start, end; /* bytes of the text */
	uint32_t next;	     /* the place behind those within it */
};

#define JSON_MAP_MOST 4096 /* places */

struct json_map {
	struct str text;      /* s NULL: of none */
	struct json_place *v; /* by start */
	size_t n, cap;
};

#define JSON_MAP_INIT                   \
	{                               \
		{ NULL, 0 }, NULL, 0, 0 \
	}

/*
 * What json_check() says of a text of less than 4 GiB with all flags and the
 * highest depth that is mapped, in one pass and without a reason.  The map,
 * may be NULL, is of the text until the next one, as long as that stays.
 */
#define JSON_MAP_DEPTH 1024
bool json_map_text(struct json_map *map, struct str text);

/* The same by one way of finding tokens, for tests. */
bool json_map_text_by(json_tokens_find *find, struct json_map *map,
		      struct str text);

/* There is not text any more. */
void json_map_release(struct json_map *map);

/*
 * The number of the first place behind p, which no NULL map has; where p is
 * not in the text there is none, either.
 */
size_t json_map_behind(const struct json_map *map, const char *p);

/*
 * Where the value of the next member of an object, which ends before `end`,
 * begins, if all of them are in the map: that is place number `at`.  Else NULL.
 */
static inline const char *
json_map_member(const struct json_map *map, size_t at, const char *end)
{
	const char *p;

	if (map == NULL || at >= map->n || map->n >= JSON_MAP_MOST)
		return NULL;
	p = map->text.s + map->v[at].start;
	return p < end ? p : NULL;
}

/*
 * What is behind the value at p, if that is place number *at, which moves
 * behind it; else NULL.
 */
static inline const char *
json_map_skip(const struct json_map *map, size_t *at, const char *p)
{
	const struct json_place *place;

	if (map == NULL || *at >= map->n)
		return NULL;
	place = &map->v[*at];
	if (map->text.s + place->start != p)
		return NULL;
	*at = place->next;
	return map->text.s + place->end;
}

#endif /* JSON_MAP_H */

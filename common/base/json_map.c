#include "base/json_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_scan.h"
#include "base/utf8.h"
#include "base/xalloc.h"

/*
 * Blocks of bits tell strings from what is around them.  What is left there
 * are tokens, a byte each: the structure, the opening quotes, and the first
 * bytes of numbers and words.  They are taken one after the other through a
 * table of states; the rest of a number or word is looked at in place.
 */
#define MAPPED_DEPTH 6 /* of a block's members, and one more */
#define FEW_NUMBERS 4  /* next to each other */

enum token {
	OTHER, /* the first byte of a number or word, or of nothing */
	QUOTE,
	OPEN_OBJECT,
	OPEN_ARRAY,
	CLOSE_OBJECT,
	CLOSE_ARRAY,
	COLON,
	COMMA,
	TOKENS
};

/* What is expected. */
enum state {
	BAD,	/* nothing: there was a fault */
	VALUE,	/* the text's */
	DONE,	/* nothing more */
	FIRST,	/* an element, or the array's end */
	NEXT,	/* an element */
	BEHIND, /* an element: a comma, or the end */
	FIRST_KEY,
	KEY,
	AFTER_KEY, /* the colon */
	MEMBER,
	BEHIND_MEMBER,
	STATES,
	/* These are done and not come into. */
	PUSH_OBJECT = STATES,
	PUSH_ARRAY,
	POP
};

static const unsigned char tokens[256] = {
	['"'] = QUOTE,	      ['{'] = OPEN_OBJECT, ['['] = OPEN_ARRAY,
	['}'] = CLOSE_OBJECT, [']'] = CLOSE_ARRAY, [':'] = COLON,
	[','] = COMMA,
};

/* A value that begins where `then` is the state behind it. */
#define BEGINS(then)                                                     \
	[OTHER] = (then), [QUOTE] = (then), [OPEN_OBJECT] = PUSH_OBJECT, \
	[OPEN_ARRAY] = PUSH_ARRAY

static const unsigned char steps[STATES][TOKENS] = {
	[VALUE] = { BEGINS(DONE) },
	[FIRST] = { BEGINS(BEHIND), [CLOSE_ARRAY] = POP },
	[NEXT] = { BEGINS(BEHIND) },
	[BEHIND] = { [COMMA] = NEXT, [CLOSE_ARRAY] = POP },
	[FIRST_KEY] = { [QUOTE] = AFTER_KEY, [CLOSE_OBJECT] = POP },
	[KEY] = { [QUOTE] = AFTER_KEY },
	[AFTER_KEY] = { [COLON] = MEMBER },
	[MEMBER] = { BEGINS(BEHIND_MEMBER) },
	[BEHIND_MEMBER] = { [COMMA] = KEY, [CLOSE_OBJECT] = POP },
};

struct mapper {
	struct json_map *map; /* or NULL */
	enum state state;
	uint32_t resume; /* what lies before has been looked at */
	unsigned depth;
	bool pending;	 /* a string that is to be mapped has begun */
	uint32_t string; /* there */
	uint32_t open[MAPPED_DEPTH];	     /* places */
	unsigned char outer[JSON_MAP_DEPTH]; /* the state behind each */
	struct json_tokens tokens;
};

/* ---- numbers and words ------------------------------------------------- */

static inline bool
is_digit(const char *p, const char *end)
{
	return p < end && *p >= '0' && *p <= '9';
}

/* NULL: there is no digit. */
static inline const char *
skip_digits(const char *p, const char *end)
{
	if (!is_digit(p, end))
		return NULL;
	do
		p++;
	while (is_digit(p, end));
	return p;
}

/* What is behind the number at p; NULL: it is none. */
static inline const char *
skip_number(const char *p, const char *end)
{
	if (p < end && *p == '-')
		p++;
	if (p < end && *p == '0')
		p++;
	else if ((p = skip_digits(p, end)) == NULL)
		return NULL;
	if (p < end && *p == '.' && (p = skip_digits(p + 1, end)) == NULL)
		return NULL;
	if (p < end && (*p == 'e' || *p == 'E')) {
		p++;
		if (p < end && (*p == '+' || *p == '-'))
			p++;
		p = skip_digits(p, end);
	}
	return p;
}

static const char *
skip_word(const char *p, const char *end)
{
	static const struct str words[] = { { "true", 4 },
					    { "false", 5 },
					    { "null", 4 } };

	for (unsigned i = 0; i < 3; i++)
		if ((size_t)(end - p) >= words[i].n &&
		    memcmp(p, words[i].s, words[i].n) == 0)
			return p + words[i].n;
	return NULL;
}

/*
 * A number at p, and in an array the numbers behind it: there can be one every
 * other byte, so many are looked at together once there are some.
 */
static const char *
skip_numbers(const char *p, const char *end, bool in_array)
{
	const char *behind;
	unsigned seen = 0;
	size_t n;

	for (;;) {
		n = ++seen > FEW_NUMBERS && end - p > JSON_TOKENS_BLOCK
			    ? json_tokens_numbers(p)
			    : 0;
		behind = n > 0 ? p + n - 1 : skip_number(p, end);
		if (behind == NULL || !in_array || behind == end ||
		    *behind != ',')
			return behind;
		p = json_scan_space(behind + 1, end);
		if (p == end || (*p != '-' && !is_digit(p, end)))
			return behind;
	}
}

/* False: it is not a number or word. */
static bool
skip_scalar(struct mapper *m, const char *p, enum state state)
{
	const char *end = m->tokens.end;

	if (*p == '-' || is_digit(p, end))
		p = skip_numbers(p, end, state == BEHIND);
	else
		p = skip_word(p, end);
	if (p == NULL)
		return false;
	m->resume = (uint32_t)(p - m->tokens.start);
	return p == end || tokens[(unsigned char)*p] != OTHER ||
	       json_scan_is_space(*p);
}

/* ---- the map ----------------------------------------------------------- */

static bool
is_mapped(const struct mapper *m)
{
	return m->map != NULL && m->depth < MAPPED_DEPTH &&
	       m->map->n < JSON_MAP_MOST;
}

static void
add_place(struct json_map *map, uint32_t start, uint32_t end)
{
	XGROW(map->v, map->n + 1, map->cap);
	map->v[map->n] = (struct json_place){ start, end,
					      (uint32_t)map->n + 1 };
	map->n++;
}

/*
 * The string that begins at `start`, with `behind` for the next token: nothing
 * is between but white space.
 */
static inline void
add_string(struct mapper *m, uint32_t start, uint32_t behind)
{
	while (m->tokens.start[behind - 1] != '"')
		behind--;
	add_place(m->map, start, behind);
}

/* ---- tokens ------------------------------------------------------------ */

/* The state within the object or array that begins at p. */
static enum state
push(struct mapper *m, const char *p, enum state state)
{
	if (m->depth == JSON_MAP_DEPTH)
		return BAD;
	m->outer[m->depth] = state == VALUE    ? DONE
			     : state == MEMBER ? BEHIND_MEMBER
					       : BEHIND;
	if (m->map != NULL && m->depth < MAPPED_DEPTH) {
		m->open[m->depth] = UINT32_MAX;
		if (m->map->n < JSON_MAP_MOST) {
			m->open[m->depth] = (uint32_t)m->map->n;
			add_place(m->map, (uint32_t)(p - m->tokens.start), 0);
		}
	}
	m->depth++;
	return *p == '{' ? FIRST_KEY : FIRST;
}

/* The state behind the one that ends at p. */
static enum state
pop(struct mapper *m, const char *p)
{
	m->depth--;
	if (m->map != NULL && m->depth < MAPPED_DEPTH &&
	    m->open[m->depth] != UINT32_MAX) {
		struct json_place *place = &m->map->v[m->open[m->depth]];

		place->end = (uint32_t)(p + 1 - m->tokens.start);
		place->next = (uint32_t)m->map->n;
	}
	return m->outer[m->depth];
}

/* The same of a number or word, which is mapped where it is a member. */
static bool
take_scalar(struct mapper *m, const char *p, enum state next)
{
	if (!skip_scalar(m, p, next))
		return false;
	if (next == BEHIND_MEMBER && is_mapped(m))
		add_place(m->map, (uint32_t)(p - m->tokens.start), m->resume);
	return true;
}

/* The state behind the token at p. */
static inline enum state
take(struct mapper *m, const char *p, enum state state)
{
	enum token token = tokens[(unsigned char)*p];
	enum state next = steps[state][token];

	if (m->pending)
		add_string(m, m->string, (uint32_t)(p - m->tokens.start));
	m->pending = false;
	if (next >= STATES)
		return next == POP ? pop(m, p) : push(m, p, state);
	if (token == OTHER)
		return next != BAD && take_scalar(m, p, next) ? next : BAD;
	if (token == QUOTE && next != AFTER_KEY && is_mapped(m)) {
		m->pending = true;
		m->string = (uint32_t)(p - m->tokens.start);
	}
	return next;
}

/*
 * Members that are strings, one behind the other, as most are: four tokens
 * each.  Of another one the key and the colon.  *state is that of the first
 * token that is left; one is.
 */
static const uint32_t *
take_members(struct mapper *m, const uint32_t *at, const uint32_t *end,
	     enum state *state)
{
	const char *s = m->tokens.start;

	while (end - at > 4 && s[at[0]] == '"' && s[at[1]] == ':' &&
	       s[at[2]] == '"' && s[at[3]] == ',') {
		if (is_mapped(m))
			add_string(m, at[2], at[3]);
		at += 4;
		*state = KEY;
	}
	if (end - at > 2 && s[at[0]] == '"' && s[at[1]] == ':') {
		at += 2;
		*state = MEMBER;
	}
	return at;
}

/* What has been found.  False: there was a fault. */
static bool
take_found(struct mapper *m)
{
	const uint32_t *at = m->tokens.found, *end = at + m->tokens.n;
	enum state state = m->state;

	while (at < end && state != BAD) {
		if (state == KEY || state == FIRST_KEY)
			at = take_members(m, at, end, &state);
		if (*at >= m->resume)
			state = take(m, m->tokens.start + *at, state);
		at++;
	}
	m->state = state;
	return state != BAD;
}

/* ---- the text ---------------------------------------------------------- */

static bool
take_text(struct mapper *m, json_tokens_find *find)
{
	const char *p = m->tokens.start;
	size_t n;

	for (; p < m->tokens.end; p += n) {
		n = (size_t)(m->tokens.end - p);
		if (n > JSON_TOKENS_BYTES)
			n = JSON_TOKENS_BYTES;
		if (!find(&m->tokens, p, n) || !take_found(m))
			return false;
	}
	return true;
}

/* Whether all that is not ASCII is UTF-8. */
static bool
is_utf8(const struct mapper *m)
{
	const char *end = m->tokens.wide_end < m->tokens.end
				  ? m->tokens.wide_end
				  : m->tokens.end;

	return m->tokens.wide == NULL ||
	       utf8_valid((struct str){ m->tokens.wide,
					(size_t)(end - m->tokens.wide) });
}

bool
json_map_text_by(json_tokens_find *find, struct json_map *map, struct str text)
{
	struct mapper m;
	bool good;

	m.tokens.start = text.n == 0 ? "" : text.s;
	m.resume = 0;
	m.tokens.end = m.tokens.start + text.n;
	m.map = map;
	m.state = VALUE;
	m.depth = 0;
	m.pending = m.tokens.escaped = m.tokens.word = false;
	m.tokens.in_string = 0;
	m.tokens.wide = m.tokens.wide_end = NULL;
	if (map != NULL)
		map->n = 0;
	good = text.n <= UINT32_MAX && take_text(&m, find) && m.state == DONE &&
	       m.tokens.in_string == 0 && is_utf8(&m);
	if (map != NULL) {
		map->n = good ? map->n : 0;
		map->text = text;
	}
	return good;
}

bool
json_map_text(struct json_map *map, struct str text)
{
	return json_map_text_by(json_tokens_finder(), map, text);
}

void
json_map_release(struct json_map *map)
{
	free(map->v);
	*map = (struct json_map)JSON_MAP_INIT;
}

size_t
json_map_behind(const struct json_map *map, const char *p)
{
	size_t low = 0, left, offset;

	if (map == NULL || map->n == 0 || p < map->text.s ||
	    p >= map->text.s + map->text.n)
		return 0;
	offset = (size_t)(p - map->text.s);
	/* Which half it is cannot be foretold: a step must not be a jump. */
	for (left = map->n; left > 1; left -= left / 2)
		low += map->v[low + left / 2].start <= offset ? left / 2 : 0;
	return low + (map->v[low].start <= offset);
}

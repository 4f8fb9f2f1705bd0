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
#define MAPPED_DEPTH 6	 /* of a block's members, and one more */
#define MAPPED_MOST 4096 /* places */
#define BLOCKS 16	 /* that are read in one go */
#define FEW_NUMBERS 4	 /* next to each other */

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
	const char *start, *end;
	struct json_map *map; /* or NULL */
	enum state state;
	uint32_t resume; /* what lies before has been looked at */
	unsigned depth;
	bool pending;	    /* a string that is to be mapped has begun */
	uint32_t string;    /* there */
	uint64_t in_string; /* all bits or none, of the block before */
	bool escaped;	    /* its last byte escapes the one behind */
	bool word;	    /* it goes on in a number or word */
	const char *wide, *wide_end;	     /* all that is not ASCII */
	uint32_t open[MAPPED_DEPTH];	     /* places */
	unsigned char outer[JSON_MAP_DEPTH]; /* the state behind each */
	size_t n_found;
	uint32_t found[BLOCKS * JSON_BLOCK]; /* tokens of the blocks read */
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
		n = ++seen > FEW_NUMBERS && end - p > JSON_BLOCK
			    ? json_blocks_numbers(p)
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
	const char *end = m->end;

	if (*p == '-' || is_digit(p, end))
		p = skip_numbers(p, end, state == BEHIND);
	else
		p = skip_word(p, end);
	if (p == NULL)
		return false;
	m->resume = (uint32_t)(p - m->start);
	return p == end || tokens[(unsigned char)*p] != OTHER ||
	       json_scan_is_space(*p);
}

/* ---- the map ----------------------------------------------------------- */

static bool
is_mapped(const struct mapper *m)
{
	return m->map != NULL && m->depth < MAPPED_DEPTH &&
	       m->map->n < MAPPED_MOST;
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
	while (m->start[behind - 1] != '"')
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
		if (m->map->n < MAPPED_MOST) {
			m->open[m->depth] = (uint32_t)m->map->n;
			add_place(m->map, (uint32_t)(p - m->start), 0);
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

		place->end = (uint32_t)(p + 1 - m->start);
		place->next = (uint32_t)m->map->n;
	}
	return m->outer[m->depth];
}

/* The state behind the token at p. */
static inline enum state
take(struct mapper *m, const char *p, enum state state)
{
	enum token token = tokens[(unsigned char)*p];
	enum state next = steps[state][token];

	if (m->pending)
		add_string(m, m->string, (uint32_t)(p - m->start));
	m->pending = false;
	if (next >= STATES)
		return next == POP ? pop(m, p) : push(m, p, state);
	if (token == OTHER)
		return next != BAD && skip_scalar(m, p, next) ? next : BAD;
	if (token == QUOTE && next != AFTER_KEY && is_mapped(m)) {
		m->pending = true;
		m->string = (uint32_t)(p - m->start);
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
	const char *s = m->start;

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
	const uint32_t *at = m->found, *end = at + m->n_found;
	enum state state = m->state;

	while (at < end && state != BAD) {
		if (state == KEY || state == FIRST_KEY)
			at = take_members(m, at, end, &state);
		if (*at >= m->resume)
			state = take(m, m->start + *at, state);
		at++;
	}
	m->state = state;
	return state != BAD;
}

/* ---- blocks ------------------------------------------------------------ */

/* Whether it is the u of an escape. */
static bool
is_unicode(const struct mapper *m, const char *p)
{
	if (m->end - p < 5 || *p != 'u')
		return false;
	for (unsigned i = 1; i <= 4; i++) {
		unsigned char c = (unsigned char)p[i] | 0x20;

		if ((p[i] < '0' || p[i] > '9') && (c < 'a' || c > 'f'))
			return false;
	}
	return true;
}

/*
 * The bytes behind backslashes that escape them, but for backslashes: those
 * behind a run of an odd number.  A run that begins at an even place is odd if
 * it ends before an odd one, and the other way round; adding its first bit to
 * it finds its end.
 */
static uint64_t
find_escaped(struct mapper *m, uint64_t backslashes)
{
	const uint64_t even = UINT64_C(0x5555555555555555);
	uint64_t first = m->escaped ? 1 : 0, starts, from_even, from_odd;

	first &= ~backslashes;
	if (m->escaped)
		backslashes &= ~UINT64_C(1);
	starts = backslashes & ~(backslashes << 1);
	from_even = backslashes + (starts & even);
	m->escaped = __builtin_add_overflow(backslashes, starts & ~even,
					    &from_odd);
	return first |
	       (((from_even & ~even) | (from_odd & even)) & ~backslashes);
}

/*
 * The same, with *good false if what is escaped must not be.  Where it stands
 * in no string the text is bad anyhow, since the backslash is taken for the
 * beginning of a word.
 */
static uint64_t
check_escaped(struct mapper *m, const char *p, const struct json_block *b,
	      bool *good)
{
	uint64_t escaped = find_escaped(m, b->backslashes);
	uint64_t others = escaped & ~b->escapes;

	for (; others != 0; others &= others - 1)
		*good = *good && is_unicode(m, p + __builtin_ctzll(others));
	return escaped;
}

/* Bit i: whether the number of bits up to it is odd. */
static inline uint64_t
parities(uint64_t bits)
{
	for (unsigned by = 1; by < 64; by *= 2)
		bits ^= bits << by;
	return bits;
}

/* White space of other kinds than blanks; false: one of them is none. */
static bool
is_space(const char *p, uint64_t control)
{
	for (; control != 0; control &= control - 1)
		if (!json_scan_is_space(p[__builtin_ctzll(control)]))
			return false;
	return true;
}

/* The places of the bits of a block, which is at p. */
static inline void
add_found(struct mapper *m, const char *p, uint64_t bits)
{
	uint32_t from = (uint32_t)(p - m->start);
	uint32_t *to = m->found + m->n_found;

	for (; bits != 0; bits &= bits - 1)
		*to++ = from + (uint32_t)__builtin_ctzll(bits);
	m->n_found = (size_t)(to - m->found);
}

/* b is the block at p.  False: there is a fault in it. */
static bool
find_tokens(struct mapper *m, const char *p, const struct json_block *b)
{
	uint64_t quotes = b->quotes, inside, plain;
	bool good = true;

	if (b->backslashes != 0 || m->escaped)
		quotes &= ~check_escaped(m, p, b, &good);
	if (b->wide != 0) {
		if (m->wide == NULL)
			m->wide = p;
		m->wide_end = p + JSON_BLOCK;
	}
	/* Within a string all through. */
	if (quotes == 0 && m->in_string != 0)
		return good && b->control == 0;
	/* From an opening quote up to the byte in front of the closing one. */
	inside = m->in_string ^ (quotes == 0 ? 0 : parities(quotes));
	m->in_string = inside >> 63 != 0 ? ~UINT64_C(0) : 0;
	if (b->control != 0 &&
	    ((b->control & inside) != 0 || !is_space(p, b->control)))
		return false;
	plain = ~(inside | quotes | b->structure | b->blanks | b->control);
	add_found(m, p,
		  (b->structure & ~inside) | (quotes & inside) |
			  (plain & ~(plain << 1 | (m->word ? 1 : 0))));
	m->word = plain >> 63 != 0;
	return good;
}

/* n blocks, of which those read into `blocks` are at p. */
static bool
take_blocks_at(struct mapper *m, const char *p, const struct json_block *blocks,
	       size_t n)
{
	m->n_found = 0;
	for (size_t i = 0; i < n; i++, p += JSON_BLOCK)
		if (!find_tokens(m, p, &blocks[i]))
			return false;
	return take_found(m);
}

static bool
take_blocks(struct mapper *m, json_blocks_read *read)
{
	struct json_block blocks[BLOCKS];
	const char *p = m->start;
	char last[JSON_BLOCK];
	size_t n;

	while ((n = (size_t)(m->end - p) / JSON_BLOCK) > 0) {
		if (n > BLOCKS)
			n = BLOCKS;
		read(p, n, blocks);
		if (!take_blocks_at(m, p, blocks, n))
			return false;
		p += n * JSON_BLOCK;
	}
	n = (size_t)(m->end - p);
	if (n == 0)
		return true;
	memset(last, ' ', sizeof(last));
	memcpy(last, p, n);
	read(last, 1, blocks);
	return take_blocks_at(m, p, blocks, 1);
}

/* Whether all that is not ASCII is UTF-8. */
static bool
is_utf8(const struct mapper *m)
{
	const char *end = m->wide_end < m->end ? m->wide_end : m->end;

	return m->wide == NULL ||
	       utf8_valid((struct str){ m->wide, (size_t)(end - m->wide) });
}

bool
json_map_text_by(json_blocks_read *read, struct json_map *map, struct str text)
{
	struct mapper m;
	bool good;

	m.start = text.n == 0 ? "" : text.s;
	m.resume = 0;
	m.end = m.start + text.n;
	m.map = map;
	m.state = VALUE;
	m.depth = 0;
	m.pending = m.escaped = m.word = false;
	m.in_string = 0;
	m.wide = m.wide_end = NULL;
	if (map != NULL)
		map->n = 0;
	good = text.n <= UINT32_MAX && take_blocks(&m, read) &&
	       m.state == DONE && m.in_string == 0 && is_utf8(&m);
	if (map != NULL) {
		map->n = good ? map->n : 0;
		map->text = text;
	}
	return good;
}

bool
json_map_text(struct json_map *map, struct str text)
{
	return json_map_text_by(json_blocks_reader(), map, text);
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

#include "base/json_check.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/json_keys.h"
#include "base/utf8.h"
#include "base/word.h"
#include "base/xalloc.h"

/*
 * One pass with a stack of bits, 1 for an object and 0 for an array.  Every
 * step_* and skip_* function moves p past what it accepts; at a fault it
 * calls fault(), which always gives false, with p where the fault is.
 */
#define NEAR_LEVELS 1024 /* deeper than this the stack is allocated */
#define WORD_BITS 64

struct checker {
	const char *p, *start, *end;
	unsigned flags, depth, max_depth;
	uint64_t *stack;
	size_t stack_words;
	struct json_keys *keys; /* NULL: duplicates are allowed */
	struct json_error *error;
	bool is_utf8; /* known: what is not ASCII stands for itself */
	uint64_t near[NEAR_LEVELS / WORD_BITS];
};

__attribute__((format(printf, 2, 3), cold, noinline)) static bool
fault(struct checker *c, const char *fmt, ...)
{
	struct json_error *e = c->error;
	const char *p, *line = c->start;
	va_list ap;

	if (e == NULL)
		return false;
	e->offset = (size_t)(c->p - c->start);
	e->line = 1;
	for (p = c->start; p < c->p; p++)
		if (*p == '\n') {
			e->line++;
			line = p + 1;
		}
	e->column = (unsigned)(c->p - line) + 1;
	va_start(ap, fmt);
	(void)vsnprintf(e->reason, sizeof(e->reason), fmt, ap);
	va_end(ap);
	return false;
}

/* p is where something else was expected. */
static bool
expected(struct checker *c, const char *what)
{
	size_t left = (size_t)(c->end - c->p);
	uint32_t cp;

	if (left == 0)
		return fault(c, "unexpected end");
	if (utf8_decode(c->p, left, &cp) == 0)
		return fault(c, "invalid UTF-8");
	return fault(c, "expected %s", what);
}

static inline void
skip_space(struct checker *c)
{
	if (c->p < c->end && (unsigned char)*c->p > ' ')
		return;
	while (c->p < c->end && (*c->p == ' ' || *c->p == '\n' ||
				 *c->p == '\r' || *c->p == '\t'))
		c->p++;
}

static inline bool
at(const struct checker *c, char byte)
{
	return c->p < c->end && *c->p == byte;
}

static inline bool
at_digit(const struct checker *c)
{
	return c->p < c->end && *c->p >= '0' && *c->p <= '9';
}

/* ---- strings ----------------------------------------------------------- */

/* Four hex digits at p: their value, or -1. */
static int
hex4(const char *p, const char *end)
{
	int i, v = 0;

	if (end - p < 4)
		return -1;
	for (i = 0; i < 4; i++) {
		char d = p[i];

		if (d >= '0' && d <= '9')
			v = v * 16 + (d - '0');
		else if (d >= 'a' && d <= 'f')
			v = v * 16 + (d - 'a' + 10);
		else if (d >= 'A' && d <= 'F')
			v = v * 16 + (d - 'A' + 10);
		else
			return -1;
	}
	return v;
}

/* p is at the backslash of \u. */
static bool
skip_unicode_escape(struct checker *c)
{
	int unit = hex4(c->p + 2, c->end), low;

	if (unit < 0)
		return fault(c, "\\u without four hexadecimal digits");
	if (unit == 0 && (c->flags & JSON_ALLOW_NUL) == 0)
		return fault(c, "\\u0000 in string");
	if (unit < 0xd800 || unit > 0xdfff) {
		c->p += 6;
		return true;
	}
	low = -1;
	if (unit < 0xdc00 && c->end - c->p >= 12 && c->p[6] == '\\' &&
	    c->p[7] == 'u')
		low = hex4(c->p + 8, c->end);
	if (low >= 0xdc00 && low <= 0xdfff) {
		c->p += 12;
		return true;
	}
	if ((c->flags & JSON_ALLOW_LONE) == 0)
		return fault(c, "lone surrogate in string");
	c->p += 6;
	return true;
}

static inline bool
is_escape_letter(char letter)
{
	static const bool is_letter[256] = {
		['"'] = true, ['\\'] = true, ['/'] = true, ['b'] = true,
		['f'] = true, ['n'] = true,  ['r'] = true, ['t'] = true,
	};

	return is_letter[(unsigned char)letter];
}

static bool
skip_escape(struct checker *c)
{
	if (c->end - c->p < 2) {
		c->p = c->end;
		return fault(c, "unexpected end");
	}
	if (is_escape_letter(c->p[1])) {
		c->p += 2;
		return true;
	}
	if (c->p[1] == 'u')
		return skip_unicode_escape(c);
	return fault(c, "invalid escape in string");
}

/* Scripts other than Latin come in runs of such characters. */
static bool
skip_beyond_ascii(struct checker *c)
{
	uint32_t cp;
	unsigned n;

	do {
		n = utf8_decode(c->p, (size_t)(c->end - c->p), &cp);
		if (n == 0)
			return fault(c, "invalid UTF-8");
		c->p += n;
	} while (c->p < c->end && (unsigned char)*c->p >= 0x80);
	return true;
}

/*
 * Bytes of a string that do not stand for themselves are found many at a time:
 * the mask has the bit STEP * i for byte i, and no others.
 */
#ifdef __SSE2__

#define STOPS_BYTES 32
#define STEP 1

static inline uint64_t
stops16(const char *p, bool is_utf8)
{
	const __m128i control = _mm_set1_epi8(0x1f);
	__m128i x = _mm_loadu_si128((const __m128i *)(const void *)p);
	__m128i found = _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('"')),
				     _mm_cmpeq_epi8(x, _mm_set1_epi8('\\')));

	found = _mm_or_si128(found,
			     _mm_cmpeq_epi8(_mm_max_epu8(x, control), control));
	if (!is_utf8)
		found = _mm_or_si128(found, x);
	return (unsigned)_mm_movemask_epi8(found);
}

static inline uint64_t
find_stops(const char *p, bool is_utf8)
{
	return stops16(p, is_utf8) | stops16(p + 16, is_utf8) << 16;
}

#else

#define STOPS_BYTES WORD_BYTES
#define STEP 8

static inline uint64_t
find_stops(const char *p, bool is_utf8)
{
	uint64_t w = word_load(p);
	uint64_t found = word_zeros(w & WORD_ONES * 0xe0) |
			 word_zeros(w ^ WORD_ONES * '"') |
			 word_zeros(w ^ WORD_ONES * '\\');

	return (found | (is_utf8 ? 0 : w & WORD_HIGHS)) >> 7;
}

#endif

static inline bool
is_stop(unsigned char byte, bool is_utf8)
{
	return byte < 0x20 || byte == '"' || byte == '\\' ||
	       (byte >= 0x80 && !is_utf8);
}

/*
 * The string's end, or the first byte from p on that needs a closer look; all
 * other escapes than those of \u are passed over.
 */
static inline const char *
skip_plain(const struct checker *c, const char *p, bool *escaped)
{
	const char *end = c->end, *at;
	bool is_utf8 = c->is_utf8;
	uint64_t stops;

	/* An escape at the end of a block is still within the text. */
	while (end - p > STOPS_BYTES) {
		stops = find_stops(p, is_utf8);
		p += STOPS_BYTES;
		while (stops != 0) {
			at = p - STOPS_BYTES + __builtin_ctzll(stops) / STEP;
			if (*at != '\\' || !is_escape_letter(at[1]))
				return at;
			*escaped = true;
			if (at + 1 == p)
				p++;
			stops &= stops - 1;
			/* What is escaped was the next stop, or none. */
			if (at[1] == '"' || at[1] == '\\')
				stops &= stops - 1;
		}
	}
	while (p < end && !is_stop((unsigned char)*p, is_utf8))
		p++;
	return p;
}

/* p is at the opening quote; *escaped tells whether there is any escape. */
static bool
skip_string(struct checker *c, bool *escaped)
{
	bool good = true;

	*escaped = false;
	c->p++;
	while (good) {
		c->p = skip_plain(c, c->p, escaped);
		if (c->p == c->end)
			return fault(c, "unexpected end");
		if (*c->p == '"') {
			c->p++;
			return true;
		}
		if (*c->p == '\\') {
			*escaped = true;
			good = skip_escape(c);
		} else if ((unsigned char)*c->p >= 0x80) {
			good = skip_beyond_ascii(c);
		} else {
			return fault(c, "control character in string");
		}
	}
	return false;
}

/* ---- numbers and words ------------------------------------------------- */

static inline bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* One or more digits from p on; *end is behind them.  False: c->p is wrong. */
static inline bool
skip_digits(struct checker *c, const char *p, const char **end,
	    const char *where)
{
	if (p == c->end || !is_digit(*p)) {
		c->p = p;
		return expected(c, where);
	}
	do
		p++;
	while (p < c->end && is_digit(*p));
	*end = p;
	return true;
}

static bool
skip_number(struct checker *c)
{
	const char *p = c->p, *end = c->end;

	if (*p == '-')
		p++;
	if (p < end && *p == '0') {
		p++;
		if (p < end && is_digit(*p)) {
			c->p = p;
			return fault(c, "leading zero in number");
		}
	} else if (!skip_digits(c, p, &p, "a digit after the minus sign")) {
		return false;
	}
	if (p < end && *p == '.' &&
	    !skip_digits(c, p + 1, &p, "a digit after the decimal point"))
		return false;
	if (p < end && (*p == 'e' || *p == 'E')) {
		p++;
		if (p < end && (*p == '+' || *p == '-'))
			p++;
		if (!skip_digits(c, p, &p, "a digit in the exponent"))
			return false;
	}
	c->p = p;
	return true;
}

static bool
skip_word(struct checker *c, struct str word)
{
	for (size_t i = 0; i < word.n; i++, c->p++)
		if (!at(c, word.s[i]))
			return expected(c, word.s);
	return true;
}

/* ---- structure --------------------------------------------------------- */

static inline bool
in_object(const struct checker *c)
{
	unsigned top = c->depth - 1;

	return (c->stack[top / WORD_BITS] >> top % WORD_BITS & 1) != 0;
}

static void
grow_stack(struct checker *c)
{
	size_t words = c->stack_words * 2;
	uint64_t *stack = xreallocarray(c->stack == c->near ? NULL : c->stack,
					words, sizeof(*stack));

	if (c->stack == c->near)
		memcpy(stack, c->near, sizeof(c->near));
	c->stack = stack;
	c->stack_words = words;
}

/* p is at the bracket. */
static bool
push(struct checker *c, bool object)
{
	uint64_t bit = UINT64_C(1) << c->depth % WORD_BITS;
	unsigned word = c->depth / WORD_BITS;
	uint64_t below;

	if (c->depth == c->max_depth)
		return fault(c, "nested deeper than %u", c->max_depth);
	if (word == c->stack_words)
		grow_stack(c);
	/* A word is first written by its lowest level. */
	below = c->depth % WORD_BITS == 0 ? 0 : c->stack[word];
	c->stack[word] = object ? below | bit : below & ~bit;
	if (object && c->keys != NULL)
		json_keys_open(c->keys);
	c->depth++;
	c->p++;
	return true;
}

/* The reason quotes the key, cut so that it fits. */
__attribute__((cold, noinline)) static bool
duplicate(struct checker *c, struct str raw)
{
	struct buf quoted = BUF_INIT;

	json_keys_quote(raw, &quoted, sizeof(c->error->reason) - 32);
	c->p = raw.s;
	(void)fault(c, "duplicate key %s", quoted.data);
	buf_release(&quoted);
	return false;
}

/* p is at the closing bracket. */
static bool
pop(struct checker *c)
{
	bool object = in_object(c);
	struct str again;

	if (object && c->keys != NULL && json_keys_close(c->keys, &again))
		return duplicate(c, again);
	c->depth--;
	c->p++;
	return true;
}

/* A key and its colon; p is where the key must begin. */
static bool
skip_key(struct checker *c)
{
	const char *start = c->p;
	bool escaped;

	if (!at(c, '"'))
		return expected(c, "a key in double quotes");
	if (!skip_string(c, &escaped))
		return false;
	if (c->keys != NULL)
		json_keys_add(c->keys,
			      (struct str){ start, (size_t)(c->p - start) },
			      escaped);
	skip_space(c);
	if (!at(c, ':'))
		return expected(c, "\":\"");
	c->p++;
	return true;
}

/*
 * The opening of an array or object.  *more: a value must follow; else the
 * container was empty and is closed again.
 */
static bool
enter(struct checker *c, bool *more)
{
	bool object = *c->p == '{';

	if (!push(c, object))
		return false;
	skip_space(c);
	*more = !at(c, object ? '}' : ']');
	if (!*more)
		return pop(c);
	return !object || skip_key(c);
}

/* A value up to its end, or up to the first value within it: *more. */
static bool
step_value(struct checker *c, bool *more)
{
	bool escaped;

	*more = false;
	if (c->p == c->end)
		return fault(c, "unexpected end");
	switch (*c->p) {
	case '"':
		return skip_string(c, &escaped);
	case '{':
	case '[':
		return enter(c, more);
	case 't':
		return skip_word(c, STR("true"));
	case 'f':
		return skip_word(c, STR("false"));
	case 'n':
		return skip_word(c, STR("null"));
	case '-':
		return skip_number(c);
	default:
		if (at_digit(c))
			return skip_number(c);
		return expected(c, "a value");
	}
}

/*
 * After a value: closing brackets, up to a comma (*more: a value must follow)
 * or the end of the outermost value.
 */
static bool
step_after(struct checker *c, bool *more)
{
	*more = false;
	while (c->depth > 0) {
		bool object = in_object(c);

		skip_space(c);
		if (at(c, ',')) {
			c->p++;
			*more = true;
			if (!object)
				return true;
			skip_space(c);
			return skip_key(c);
		}
		if (!at(c, object ? '}' : ']'))
			return expected(c, object ? "\",\" or \"}\""
						  : "\",\" or \"]\"");
		if (!pop(c))
			return false;
	}
	return true;
}

static bool
check(struct checker *c)
{
	bool more;

	if (c->end - c->p >= 3 && memcmp(c->p, "\xef\xbb\xbf", 3) == 0)
		return fault(c, "byte order mark");
	do {
		do {
			skip_space(c);
			if (!step_value(c, &more))
				return false;
		} while (more);
		if (!step_after(c, &more))
			return false;
	} while (more);
	skip_space(c);
	if (c->p != c->end)
		return fault(c, "trailing data after the value");
	return true;
}

int
json_check(struct str text, unsigned max_depth, unsigned flags,
	   struct json_error *error)
{
	struct json_keys keys = JSON_KEYS_INIT;
	struct checker c;
	bool good;

	c.start = c.p = text.n == 0 ? "" : text.s;
	c.end = c.p + text.n;
	c.flags = flags;
	c.depth = 0;
	c.max_depth = max_depth;
	c.stack = c.near;
	c.stack_words = NEAR_LEVELS / WORD_BITS;
	c.keys = (flags & JSON_ALLOW_DUPLICATES) != 0 ? NULL : &keys;
	c.error = error;
	c.is_utf8 = utf8_valid(text);
	good = check(&c);
	if (c.stack != c.near)
		free(c.stack);
	json_keys_release(&keys);
	return good ? 0 : -1;
}

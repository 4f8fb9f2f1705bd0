#include "base/json_span.h"

#include "base/json_scan.h"

struct str
json_value(struct str text)
{
	const char *p = text.s, *end = text.n == 0 ? p : p + text.n;

	p = json_scan_space(p, end);
	while (end != p && json_scan_is_space(end[-1]))
		end--;
	return (struct str){ p, (size_t)(end - p) };
}

enum json_kind
json_kind(struct str value)
{
	if (value.n == 0)
		return JSON_NONE;
	switch (value.s[0]) {
	case 'n':
		return JSON_NULL;
	case 't':
	case 'f':
		return JSON_BOOLEAN;
	case '"':
		return JSON_STRING;
	case '[':
		return JSON_ARRAY;
	case '{':
		return JSON_OBJECT;
	default:
		return JSON_NUMBER;
	}
}

/* ---- skipping ---------------------------------------------------------- */

/*
 * p is at an opening bracket; gives what is after the one that closes it.
 * Brackets need not be told apart, the text is known to be well formed.
 */
static const char *
skip_container(const char *p, const char *end)
{
	enum { OTHER, QUOTE, OPEN, CLOSE };
	static const unsigned char what[256] = {
		['"'] = QUOTE, ['['] = OPEN,  ['{'] = OPEN,
		[']'] = CLOSE, ['}'] = CLOSE,
	};
	size_t depth = 0;

	while (p < end) {
		switch (what[(unsigned char)*p++]) {
		case QUOTE:
			p = json_scan_string(p, end);
			break;
		case OPEN:
			depth++;
			break;
		case CLOSE:
			if (--depth == 0)
				return p;
			break;
		default:
			break;
		}
	}
	return end;
}

static const char *
skip_scalar(const char *p, const char *end)
{
	while (p < end && *p != ',' && *p != ']' && *p != '}' &&
	       !json_scan_is_space(*p))
		p++;
	return p;
}

static inline const char *
skip_value(const char *p, const char *end)
{
	if (p == end)
		return end;
	if (*p == '"')
		return json_scan_string(p + 1, end);
	if (*p == '{' || *p == '[')
		return skip_container(p, end);
	return skip_scalar(p, end);
}

/* ---- members and elements ---------------------------------------------- */

struct json_iter
json_map_iterate(const struct json_map *map, struct str of)
{
	if (of.n < 2 || (of.s[0] != '{' && of.s[0] != '['))
		return (struct json_iter){ NULL, NULL, NULL, 0 };
	return (struct json_iter){ of.s + 1, of.s + of.n - 1, map,
				   json_map_behind(map, of.s) };
}

struct json_iter
json_iterate(struct str of)
{
	return json_map_iterate(NULL, of);
}

/*
 * To the next member or element, if there is one.  it->end is at the bracket
 * that closes the container and so tells which kind it is: whoever asks an
 * array for members, or an object for elements, finds none.
 */
static inline bool
advance(struct json_iter *it, char bracket)
{
	if (it->p == it->end || *it->end != bracket)
		return false;
	it->p = json_scan_space(it->p, it->end);
	if (it->p < it->end && *it->p == ',')
		it->p = json_scan_space(it->p + 1, it->end);
	return it->p < it->end;
}

static inline void
take_value(struct json_iter *it, struct str *value)
{
	const char *start = it->p;

	it->p = json_map_skip(it->map, &it->at, start);
	if (it->p == NULL)
		it->p = skip_value(start, it->end);
	*value = (struct str){ start, (size_t)(it->p - start) };
}

/* The end of the key in front of a value: a colon is between, and blanks. */
static inline const char *
key_before(const char *value)
{
	while (value[-1] != '"')
		value--;
	return value;
}

static inline bool
next_member(struct json_iter *it, struct str *key, struct str *value)
{
	const char *p, *v;

	if (!advance(it, '}'))
		return false;
	v = json_map_member(it->map, it->at, it->end);
	if (v != NULL && v > it->p) {
		p = key_before(v);
	} else {
		p = json_scan_string(it->p + 1, it->end);
		v = json_scan_space(p, it->end);
		if (v < it->end)
			v++; /* the colon */
		v = json_scan_space(v, it->end);
	}
	*key = (struct str){ it->p, (size_t)(p - it->p) };
	it->p = v;
	take_value(it, value);
	return true;
}

bool
json_next_member(struct json_iter *it, struct str *key, struct str *value)
{
	return next_member(it, key, value);
}

bool
json_next_element(struct json_iter *it, struct str *value)
{
	if (!advance(it, ']'))
		return false;
	take_value(it, value);
	return true;
}

/* Most keys differ from a name in the first byte already. */
static inline bool
key_is(struct str raw, const char *name)
{
	const char *p = raw.s + 1, *end = raw.s + raw.n - 1, *n = name;

	while (p < end && *p == *n && *p != '\\') {
		p++;
		n++;
	}
	if (p == end)
		return *n == '\0';
	return *p == '\\' && json_string_is(raw, name);
}

struct str
json_map_get(const struct json_map *map, struct str object, const char *name)
{
	struct str value;

	json_map_get_many(map, object, &name, &value, 1);
	return value;
}

struct str
json_get(struct str object, const char *name)
{
	return json_map_get(NULL, object, name);
}

void
json_map_get_many(const struct json_map *map, struct str object,
		  const char *const names[], struct str values[], unsigned n)
{
	struct json_iter it = json_map_iterate(map, object);
	struct str key, value;

	for (unsigned i = 0; i < n; i++)
		values[i] = (struct str){ NULL, 0 };
	while (next_member(&it, &key, &value))
		for (unsigned i = 0; i < n; i++)
			if (key_is(key, names[i]))
				values[i] = value;
}

void
json_get_many(struct str object, const char *const names[], struct str values[],
	      unsigned n)
{
	json_map_get_many(NULL, object, names, values, n);
}

/* ---- numbers ----------------------------------------------------------- */

/* A number taken apart: the digits, without the point, times 10^exponent. */
struct decimal {
	const char *first,
		*last; /* significant digits; maybe a point between */
	bool negative;
	int64_t exponent; /* of the digit at last */
};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Saturates far above what any number of digits in memory can outweigh. */
static int64_t
read_exponent(const char *p, const char *end)
{
	const int64_t limit = INT64_MAX / 16;
	bool negative = p < end && *p == '-';
	int64_t v = 0;

	if (p < end && !is_digit(*p))
		p++;
	for (; p < end; p++)
		if (v < limit)
			v = v * 10 + (*p - '0');
	return negative ? -v : v;
}

/* False for zero. */
static bool
take_apart(struct str number, struct decimal *d)
{
	const char *p = number.s, *end = p + number.n, *mantissa_end, *point;

	d->negative = *p == '-';
	p += d->negative;
	for (mantissa_end = p; mantissa_end < end; mantissa_end++)
		if (*mantissa_end == 'e' || *mantissa_end == 'E')
			break;
	d->exponent = mantissa_end == end
			      ? 0
			      : read_exponent(mantissa_end + 1, end);
	point = memchr(p, '.', (size_t)(mantissa_end - p));
	if (point == NULL)
		point = mantissa_end;
	while (p < mantissa_end && (*p == '0' || *p == '.'))
		p++;
	if (p == mantissa_end)
		return false;
	d->first = p;
	for (p = mantissa_end - 1; *p == '0' || *p == '.'; p--)
		;
	d->last = p;
	/* The digit before the point has the exponent as written. */
	d->exponent += p < point ? point - 1 - p : point - p;
	return true;
}

bool
json_to_integer(struct str number, int64_t *v)
{
	const uint64_t limit = UINT64_C(1) << 53;
	struct decimal d;
	uint64_t value = 0;

	if (json_kind(number) != JSON_NUMBER)
		return false;
	*v = 0;
	if (!take_apart(number, &d))
		return true;
	if (d.exponent < 0 || d.exponent > 16 || d.last - d.first > 16)
		return false;
	for (const char *p = d.first; p <= d.last; p++)
		if (*p != '.')
			value = value * 10 + (uint64_t)(*p - '0');
	for (; d.exponent > 0; d.exponent--) {
		if (value > limit)
			return false;
		value *= 10;
	}
	if (value > limit)
		return false;
	*v = d.negative ? -(int64_t)value : (int64_t)value;
	return true;
}

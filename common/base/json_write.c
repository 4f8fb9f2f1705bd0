#include "base/json_write.h"

#include <assert.h>
#include <inttypes.h>

#include "base/word.h"

void
json_begin(struct json_writer *w, struct buf *out)
{
	*w = (struct json_writer){ .out = out };
}

/* Whether what is open at this level may be an object, or an array. */
static bool
is_in(const struct json_writer *w, bool object)
{
	return w->depth > JSON_WRITE_CHECKED ||
	       (w->depth > 0 && (w->objects >> (w->depth - 1) & 1) == object);
}

/* What stands between this value or key and the one before it. */
static void
separate(struct json_writer *w)
{
	if (w->comma)
		buf_addc(w->out, ',');
	w->comma = true;
}

/* The same for a value, which must have its place. */
static void
begin_value(struct json_writer *w)
{
	assert(w->keyed || is_in(w, false) || (w->depth == 0 && !w->comma));
	w->keyed = false;
	separate(w);
}

static void
open_bracket(struct json_writer *w, char bracket)
{
	uint64_t bit = w->depth < JSON_WRITE_CHECKED ? UINT64_C(1) << w->depth
						     : 0;

	begin_value(w);
	buf_addc(w->out, bracket);
	w->objects = bracket == '{' ? w->objects | bit : w->objects & ~bit;
	w->depth++;
	w->comma = false;
}

static void
close_bracket(struct json_writer *w, char bracket)
{
	assert(w->depth > 0 && !w->keyed && is_in(w, bracket == '}'));
	w->depth--;
	buf_addc(w->out, bracket);
	w->comma = true;
}

void
json_open_object(struct json_writer *w)
{
	open_bracket(w, '{');
}

void
json_close_object(struct json_writer *w)
{
	close_bracket(w, '}');
}

void
json_open_array(struct json_writer *w)
{
	open_bracket(w, '[');
}

void
json_close_array(struct json_writer *w)
{
	close_bracket(w, ']');
}

void
json_key_str(struct json_writer *w, struct str key)
{
	assert(!w->keyed && is_in(w, true));
	separate(w);
	json_quote(w->out, key);
	buf_addc(w->out, ':');
	w->comma = false;
	w->keyed = true;
}

void
json_key(struct json_writer *w, const char *key)
{
	json_key_str(w, str_of(key));
}

void
json_string(struct json_writer *w, struct str s)
{
	begin_value(w);
	json_quote(w->out, s);
}

void
json_integer(struct json_writer *w, int64_t v)
{
	begin_value(w);
	buf_addf(w->out, "%" PRId64, v);
}

void
json_boolean(struct json_writer *w, bool v)
{
	begin_value(w);
	buf_adds(w->out, v ? "true" : "false");
}

void
json_null(struct json_writer *w)
{
	begin_value(w);
	buf_adds(w->out, "null");
}

void
json_raw(struct json_writer *w, struct str value)
{
	begin_value(w);
	buf_add_str(w->out, value);
}

void
json_member_string(struct json_writer *w, const char *key, struct str s)
{
	json_key(w, key);
	json_string(w, s);
}

void
json_member_integer(struct json_writer *w, const char *key, int64_t v)
{
	json_key(w, key);
	json_integer(w, v);
}

void
json_member_boolean(struct json_writer *w, const char *key, bool v)
{
	json_key(w, key);
	json_boolean(w, v);
}

void
json_member_null(struct json_writer *w, const char *key)
{
	json_key(w, key);
	json_null(w);
}

unsigned
json_escape(char c, char out[6])
{
	static const char letters[256] = {
		['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n',  ['\f'] = 'f',
		['\r'] = 'r', ['"'] = '"',  ['\\'] = '\\',
	};
	static const char hex[] = "0123456789abcdef";
	unsigned char byte = (unsigned char)c;

	out[0] = '\\';
	out[1] = letters[byte];
	if (out[1] != '\0')
		return 2;
	if (byte >= 0x20) {
		out[0] = c;
		return 1;
	}
	out[1] = 'u';
	out[2] = out[3] = '0';
	out[4] = hex[byte >> 4];
	out[5] = hex[byte & 15];
	return 6;
}

/* The first byte that has to be escaped. */
static const char *
skip_plain(const char *p, const char *end)
{
	for (; end - p >= WORD_BYTES; p += WORD_BYTES) {
		uint64_t w = word_load(p);
		uint64_t mask = word_mask(w, word_below(w, 0x20) |
						     word_equal(w, '"') |
						     word_equal(w, '\\'));

		if (mask != 0)
			return p + word_first(mask);
	}
	while (p < end && (unsigned char)*p >= 0x20 && *p != '"' && *p != '\\')
		p++;
	return p;
}

void
json_quote(struct buf *out, struct str s)
{
	const char *p = s.s, *end = s.n == 0 ? p : p + s.n, *next;
	char escape[6];

	buf_addc(out, '"');
	for (; p != end; p = next) {
		next = skip_plain(p, end);
		buf_add(out, p, (size_t)(next - p));
		if (next != end)
			buf_add(out, escape, json_escape(*next++, escape));
	}
	buf_addc(out, '"');
}

#include "output/value.h"

#include <assert.h>

#include "base/json_scan.h"
#include "base/json_write.h"
#include "base/word.h"
#include "base/xalloc.h"
#include "output/value_edit.h"

/* ---- reading ----------------------------------------------------------- */

/*
 * Builds a value from checked text without recursion.  Literals and digits
 * are made once and shared: they are the bulk of what large values hold.
 */
#define DIGITS 10
#define WORDS 3 /* null, true, false */

struct builder {
	const char *p, *end;
	struct buf scratch;
	struct value *digits[DIGITS], *words[WORDS];
	unsigned depth;
	struct {
		struct value *v, *key;
	} open[VALUE_NESTING];
};

static struct value *
build_string(struct builder *b)
{
	const char *start = b->p;
	struct str raw;

	b->p = json_scan_string(start + 1, b->end);
	raw = (struct str){ start, (size_t)(b->p - start) };
	return value_new_string(json_text(raw, &b->scratch));
}

static struct value *
shared(struct value **slot, enum json_kind kind, struct str text)
{
	if (*slot == NULL)
		*slot = value_new_scalar(kind, text);
	return value_ref(*slot);
}

static bool
ends_number(char c)
{
	return c == ',' || c == ']' || c == '}' || json_scan_is_space(c);
}

static struct value *
build_number(struct builder *b)
{
	struct str text = { b->p, 0 };

	while (b->p < b->end && !ends_number(*b->p))
		b->p++;
	text.n = (size_t)(b->p - text.s);
	if (text.n == 1)
		return shared(&b->digits[text.s[0] - '0'], JSON_NUMBER, text);
	return value_new_scalar(JSON_NUMBER, text);
}

/* The value at p; a container is only opened. */
static struct value *
build_value(struct builder *b)
{
	switch (*b->p) {
	case '{':
		b->p++;
		return value_new_object();
	case '[':
		b->p++;
		return value_new_array();
	case '"':
		return build_string(b);
	case 'n':
		b->p += 4;
		return shared(&b->words[0], JSON_NULL, STR("null"));
	case 't':
		b->p += 4;
		return shared(&b->words[1], JSON_BOOLEAN, STR("true"));
	case 'f':
		b->p += 5;
		return shared(&b->words[2], JSON_BOOLEAN, STR("false"));
	default:
		return build_number(b);
	}
}

/*
 * Moves to the next value within the innermost container, past commas, colons
 * and keys; closes the containers that end here.  False: all is closed.
 */
static bool
build_next(struct builder *b)
{
	while (b->depth > 0) {
		struct value *in = b->open[b->depth - 1].v;

		b->p = json_scan_space(b->p, b->end);
		if (*b->p == ']' || *b->p == '}') {
			b->p++;
			b->depth--;
			if (in->kind == JSON_OBJECT)
				value_index_make(value_object(in));
			continue;
		}
		if (*b->p == ',')
			b->p = json_scan_space(b->p + 1, b->end);
		if (in->kind == JSON_OBJECT) {
			b->open[b->depth - 1].key = build_string(b);
			b->p = json_scan_space(b->p, b->end) + 1;
			b->p = json_scan_space(b->p, b->end);
		}
		return true;
	}
	return false;
}

struct value *
value_parse(struct str checked)
{
	struct str text = json_value(checked);
	struct builder b = { .p = text.s,
			     .end = text.s + text.n,
			     .scratch = BUF_INIT };
	struct value *top = NULL, *v;
	size_t i;

	do {
		v = build_value(&b);
		if (b.depth == 0)
			top = v;
		else if (b.open[b.depth - 1].v->kind == JSON_ARRAY)
			value_push(b.open[b.depth - 1].v, v);
		else
			value_put_new(b.open[b.depth - 1].v,
				      b.open[b.depth - 1].key, v);
		if (value_is_container(v)) {
			assert(b.depth < VALUE_NESTING);
			b.open[b.depth++].v = v;
		}
	} while (build_next(&b));
	for (i = 0; i < DIGITS; i++)
		value_free(b.digits[i]);
	for (i = 0; i < WORDS; i++)
		value_free(b.words[i]);
	buf_release(&b.scratch);
	return top;
}

struct value *
value_read(struct str text, struct json_error *error)
{
	if (json_check(text, VALUE_NESTING, JSON_ALLOW_NUL, error) != 0)
		return NULL;
	return value_parse(text);
}

/* ---- writing ----------------------------------------------------------- */

void
value_write(const struct value *v, struct buf *out)
{
	struct value_walk w;
	enum value_step step;
	bool comma = false;

	value_walk(&w, v);
	while ((step = value_step(&w)) != VALUE_END) {
		bool object = w.node->kind == JSON_OBJECT;

		if (step == VALUE_CLOSE) {
			buf_addc(out, object ? '}' : ']');
			comma = true;
			continue;
		}
		if (comma)
			buf_addc(out, ',');
		if (w.key != NULL) {
			json_quote(out, value_str(w.key));
			buf_addc(out, ':');
		}
		if (step == VALUE_OPEN)
			buf_addc(out, object ? '{' : '[');
		else if (w.node->kind == JSON_STRING)
			json_quote(out, value_str(w.node));
		else
			buf_add_str(out, value_str(w.node));
		comma = step != VALUE_OPEN;
	}
}

size_t
value_bytes(const struct value *v)
{
	struct value_walk w;
	enum value_step step;
	size_t bytes = 0;

	value_walk(&w, v);
	while ((step = value_step(&w)) != VALUE_END) {
		size_t members;

		if (step == VALUE_CLOSE)
			continue;
		if (w.key != NULL)
			bytes += value_quoted_bytes(value_str(w.key)) + 1;
		if (step == VALUE_OPEN) {
			members = value_count(w.node);
			bytes += 2 + (members > 0 ? members - 1 : 0);
		} else if (w.node->kind == JSON_STRING) {
			bytes += value_quoted_bytes(value_str(w.node));
		} else {
			bytes += value_str(w.node).n;
		}
	}
	return bytes;
}

size_t
value_quoted_bytes(struct str s)
{
	size_t n = s.n + 2, i = 0;
	char escape[6];

	while (i < s.n) {
		for (; s.n - i >= WORD_BYTES; i += WORD_BYTES) {
			uint64_t w = word_load(s.s + i);

			if (word_mask(w, word_below(w, 0x20) |
						 word_equal(w, '"') |
						 word_equal(w, '\\')) != 0)
				break;
		}
		if (i < s.n)
			n += json_escape(s.s[i++], escape) - 1;
	}
	return n;
}

#ifndef VALUE_GEN_H
#define VALUE_GEN_H

/*
 * Random values for the properties of spec/output.md section 10: at least
 * three levels deep, arrays and objects at the root, repeated characters,
 * characters of four bytes, strings around 64 bytes and long ones, reserved
 * names, U+0000, numbers that a double would spoil.
 */
#include "base/buf.h"
#include "base/json_write.h"
#include "output/value.h"
#include "output/value_edit.h"
#include "test.h"

struct lcg {
	uint32_t state;
};

/* x * 1664525 + 1013904223 mod 2^32; the high bits are the good ones. */
__attribute__((unused)) static unsigned
lcg_pick(struct lcg *g, unsigned n)
{
	g->state = g->state * 1664525u + 1013904223u;
	return (unsigned)(((uint64_t)g->state * n) >> 32);
}

__attribute__((unused)) static void
gen_characters(struct lcg *g, struct buf *out, unsigned n)
{
	static const char *const pieces[] = { "a",    "b",  "x",  "xx", "é",
					      "😀",    "😁",  "\n", "\"", "\\",
					      "\x01", "ab", "€" };
	unsigned kind = lcg_pick(g, 4), i;

	for (i = 0; i < n; i++)
		if (kind == 0)
			buf_addc(out, 'x');
		else if (kind == 1)
			buf_adds(out, lcg_pick(g, 2) ? "ab" : "a");
		else if (lcg_pick(g, 30) == 0)
			buf_addc(out, '\0');
		else
			buf_adds(out,
				 pieces[lcg_pick(g, sizeof(pieces) /
							    sizeof(char *))]);
}

__attribute__((unused)) static struct value *
gen_string(struct lcg *g)
{
	static const unsigned lengths[] = { 0, 1, 3, 10, 40, 63, 64, 65, 300 };
	struct buf text = BUF_INIT;
	struct value *v;

	gen_characters(g, &text, lengths[lcg_pick(g, 9)]);
	v = value_new_string(buf_str(&text));
	buf_release(&text);
	return v;
}

/* A string that is before with its front dropped and something added. */
__attribute__((unused)) static struct value *
gen_slide(struct lcg *g, struct str before)
{
	struct buf text = BUF_INIT;
	size_t at = before.n == 0 ? 0 : lcg_pick(g, (unsigned)before.n + 1);
	struct value *v;

	while (at < before.n && ((unsigned char)before.s[at] & 0xc0) == 0x80)
		at++;
	buf_add_str(&text, str_from(before, at));
	gen_characters(g, &text, lcg_pick(g, 12));
	v = value_new_string(buf_str(&text));
	buf_release(&text);
	return v;
}

__attribute__((unused)) static struct value *
gen_scalar(struct lcg *g)
{
	static const char *const numbers[] = { "0",
					       "1",
					       "2",
					       "-0",
					       "1.0",
					       "1e400",
					       "12345678901234567890",
					       "0.1",
					       "9007199254740993" };

	switch (lcg_pick(g, 6)) {
	case 0:
		return value_new_scalar(JSON_NULL, STR("null"));
	case 1:
		return value_new_boolean(lcg_pick(g, 2) != 0);
	case 2:
		return value_new_scalar(JSON_NUMBER,
					str_of(numbers[lcg_pick(g, 9)]));
	default:
		return gen_string(g);
	}
}

__attribute__((unused)) static const char *
gen_key(struct lcg *g)
{
	static const char *const keys[] = {
		"a",	"b",	     "c",	    "0",	"5",
		"",	"é",	     "a b",	    "log",	"n",
		"a\"b", "__proto__", "constructor", "prototype"
	};

	return keys[lcg_pick(g, lcg_pick(g, 12) == 0 ? 14 : 11)];
}

/* Up to `deep` levels. */
__attribute__((unused)) static struct value * /* NOLINTNEXTLINE */
gen_value(struct lcg *g, unsigned deep)
{
	unsigned n = lcg_pick(g, 6), i;
	struct value *v;

	if (deep == 0 || lcg_pick(g, 4) == 0)
		return gen_scalar(g);
	if (lcg_pick(g, 2) == 0) {
		v = value_new_array();
		for (i = 0; i < n; i++)
			value_push(v, gen_value(g, deep - 1));
		return v;
	}
	v = value_new_object();
	for (i = 0; i < n * (lcg_pick(g, 8) == 0 ? 4 : 1); i++) {
		struct buf key = BUF_INIT;

		buf_adds(&key, gen_key(g));
		if (value_find(v, buf_str(&key)) != VALUE_NONE)
			buf_addf(&key, "%u", i);
		if (value_find(v, buf_str(&key)) == VALUE_NONE)
			value_put(v, value_new_string(buf_str(&key)),
				  gen_value(g, deep - 1));
		buf_release(&key);
	}
	return v;
}

/* An array or object at the root, and at least three levels of them. */
__attribute__((unused)) static struct value *
gen_root(struct lcg *g)
{
	struct value *v = gen_value(g, 6);

	while (value_depth(v) < 3) {
		value_free(v);
		v = gen_value(g, 6);
	}
	return v;
}

/* What v becomes after a few random changes somewhere within it. */
__attribute__((unused)) static struct value * /* NOLINTNEXTLINE */
gen_changed(struct lcg *g, struct value *v, unsigned deep)
{
	struct value *copy, **slot, *old;
	size_t n = value_count(v), at;

	if (v->kind == JSON_STRING && lcg_pick(g, 3) > 0)
		return gen_slide(g, value_str(v));
	if (deep == 0 || lcg_pick(g, 10) == 0)
		return gen_value(g, deep);
	if (!value_is_container(v) || n == 0)
		return lcg_pick(g, 2) == 0 ? value_ref(v) : gen_scalar(g);
	copy = value_ref(v);
	(void)value_own(&copy);
	at = lcg_pick(g, (unsigned)n);
	if (v->kind == JSON_ARRAY && lcg_pick(g, 3) == 0) {
		old = gen_value(g, deep - 1);
		value_insert(copy, at, &old, 1);
	} else if (v->kind == JSON_ARRAY && lcg_pick(g, 3) == 0) {
		value_remove(copy, at, 1, &old);
		if (lcg_pick(g, 2) == 0)
			value_push(copy, old);
		else
			value_free(old);
	} else if (v->kind == JSON_OBJECT && lcg_pick(g, 5) == 0) {
		struct value_member m = value_delete(copy, at);

		value_free(m.key);
		value_free(m.value);
		value_tidy(copy);
	} else {
		slot = value_slot(copy, at);
		old = *slot;
		*slot = gen_changed(g, old, deep - 1);
		value_free(old);
	}
	return copy;
}

/* The value of JSON text, which is right. */
__attribute__((unused)) static struct value *
value_of(const char *json)
{
	struct json_error error;
	struct value *v = value_read(str_of(json), &error);

	if (v == NULL) {
		printf("Bail out! %s: %s\n", json, error.reason);
		exit(1);
	}
	return v;
}

/* Compares a value with its JSON text, byte by byte. */
__attribute__((unused)) static bool
is_value(const struct value *got, const char *want, const char *name)
{
	struct buf text = BUF_INIT;
	bool good;

	if (got != NULL)
		value_write(got, &text);
	else
		buf_adds(&text, "(none)");
	good = is_bytes(text.data, text.len, want, strlen(want), name);
	buf_release(&text);
	return good;
}

#endif /* VALUE_GEN_H */

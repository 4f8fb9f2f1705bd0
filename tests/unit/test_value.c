/* The value tree: what goes in comes out, equality, sharing. */
#include "output/value.h"

#include "value_gen.h"

static void
is_kept(const char *text, const char *want, const char *name)
{
	struct value *v = value_of(text);
	size_t bytes = value_bytes(v);

	is_value(v, want, name);
	is_int((long long)bytes, (long long)strlen(want), "its bytes");
	value_free(v);
}

static void
round_trips(void)
{
	is_kept(" [ 1.0 , 1e400,12345678901234567890, -0 ] ",
		"[1.0,1e400,12345678901234567890,-0]",
		"output 1: a number is its text");
	is_kept("{\"b\":1,\"a\":{\"\":[]},\"\\u0062b\":{}}",
		"{\"b\":1,\"a\":{\"\":[]},\"bb\":{}}",
		"output 1: the order of members is kept");
	is_kept("\"\\u0000\\u001f\\b\\f\\n\\r\\t\\/\\u007f\\ud83d\\ude00\\\"\"",
		"\"\\u0000\\u001f\\b\\f\\n\\r\\t/\x7f😀\\\"\"",
		"output 1: what is escaped, U+0000 among it");
	is_kept("[true,false,null,[[[]]],{}]", "[true,false,null,[[[]]],{}]",
		"literals and empty containers");
}

static void
is_refused(const char *text, const char *name)
{
	struct json_error error;
	struct value *v = value_read(str_of(text), &error);

	ok(v == NULL, "output 1: %s", name);
	value_free(v);
}

static void
refusals(void)
{
	struct buf deep = BUF_INIT;
	struct value *v;
	unsigned i;

	is_refused("{\"a\":1,\"\\u0061\":2}", "duplicate names are refused");
	is_refused("\"\\ud800\"", "a lone surrogate is refused");
	is_refused("[1,]", "no JSON is refused");
	for (i = 0; i < 64; i++)
		buf_addc(&deep, '[');
	for (i = 0; i < 64; i++)
		buf_addc(&deep, ']');
	v = value_read(buf_str(&deep), NULL);
	if (ok(v != NULL, "output 1: 64 levels are read"))
		is_int(value_depth(v), 64, "and counted");
	value_free(v);
	buf_reset(&deep);
	for (i = 0; i < 65; i++)
		buf_addc(&deep, '[');
	for (i = 0; i < 65; i++)
		buf_addc(&deep, ']');
	is_refused(deep.data, "65 levels are refused");
	buf_release(&deep);
}

static void
equality(void)
{
	static const struct {
		const char *a, *b;
		bool equal;
	} rows[] = {
		{ "{\"a\":1,\"b\":[2]}", "{\"b\":[2],\"a\":1}", true },
		{ "[1,2]", "[2,1]", false },
		{ "1.0", "1", false },
		{ "\"1\"", "1", false },
		{ "{\"a\":1}", "{\"a\":1,\"b\":2}", false },
		{ "{\"a\":1}", "{\"b\":1}", false },
		{ "[[],{}]", "[[],{}]", true },
		{ "[[],{}]", "[{},[]]", false },
		{ "null", "false", false },
		{ "{\"a\":{\"x\":1,\"y\":2},\"b\":3}",
		  "{\"b\":3,\"a\":{\"y\":2,\"x\":1}}", true },
		{ "{\"a\":{\"x\":1,\"y\":2},\"b\":3}",
		  "{\"b\":4,\"a\":{\"y\":2,\"x\":1}}", false },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct value *a = value_of(rows[i].a);
		struct value *b = value_of(rows[i].b);

		ok(value_equal(a, b) == rows[i].equal &&
			   value_equal(b, a) == rows[i].equal,
		   "output 1: %s and %s", rows[i].a, rows[i].b);
		ok((value_hash(a) == value_hash(b)) == rows[i].equal,
		   "their hashes");
		value_free(a);
		value_free(b);
	}
}

/* Many members: found, deleted, put back, popped. */
static void
members(void)
{
	struct value *v = value_new_object();
	struct value_member gone[1000];
	struct buf key = BUF_INIT;
	unsigned i, wrong = 0;

	for (i = 0; i < 2000; i++) {
		buf_reset(&key);
		buf_addf(&key, "k%u", i);
		value_put(v, value_new_string(buf_str(&key)),
			  value_new_integer(i));
	}
	for (i = 0; i < 1000; i++)
		gone[i] = value_delete(v, 2 * i);
	for (i = 0; i < 2000; i++) {
		buf_reset(&key);
		buf_addf(&key, "k%u", i);
		wrong += (value_get(v, key.data) != NULL) != (i % 2 == 1);
	}
	is_int(wrong, 0, "half of 2,000 members are deleted");
	/* Enough to make the index anew while there are gaps. */
	for (i = 0; i < 3000; i++) {
		buf_reset(&key);
		buf_addf(&key, "m%u", i);
		value_put(v, value_new_string(buf_str(&key)),
			  value_new_integer(i));
	}
	for (i = 3000; i-- > 0;) {
		struct value_member m = value_pop(v);

		value_free(m.key);
		value_free(m.value);
	}
	for (i = 1000; i-- > 0;)
		value_restore(v, 2 * i, gone[i]);
	for (i = 0, wrong = 0; i < 2000; i++) {
		uint64_t n;

		buf_reset(&key);
		buf_addf(&key, "k%u", i);
		wrong += value_get(v, key.data) == NULL ||
			 !value_integer(value_get(v, key.data), &n) || n != i;
		buf_reset(&key);
		buf_addf(&key, "m%u", i);
		wrong += value_get(v, key.data) != NULL;
	}
	is_int(wrong, 0, "and are back where they were");
	buf_release(&key);
	value_free(v);
}

static void
integers(void)
{
	static const struct {
		const char *text;
		bool is;
	} rows[] = {
		{ "0", true },	    { "9007199254740991", true },
		{ "-0", false },    { "9007199254740992", false },
		{ "1.0", false },   { "1e2", false },
		{ "-1", false },    { "99999999999999999999", false },
		{ "\"1\"", false },
	};
	size_t i;
	uint64_t n;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct value *v = value_of(rows[i].text);

		ok(value_integer(v, &n) == rows[i].is,
		   "output 1: %s is %san integer", rows[i].text,
		   rows[i].is ? "" : "not ");
		value_free(v);
	}
}

/* A changed copy leaves the value as it was; text in, text out. */
static void
properties(void)
{
	struct lcg g = { 7 };
	unsigned i, wrong = 0, changed = 0;

	for (i = 0; i < 2000; i++) {
		struct value *v = gen_value(&g, 4), *again, *other;
		struct buf text = BUF_INIT, later = BUF_INIT;

		value_write(v, &text);
		wrong += value_bytes(v) != text.len;
		again = value_read(buf_str(&text), NULL);
		wrong += again == NULL || !value_equal(v, again) ||
			 value_hash(v) != value_hash(again);
		other = gen_changed(&g, v, 4);
		changed += !value_equal(v, other);
		wrong += value_equal(v, other) != value_equal(other, v);
		wrong += value_equal(v, other) &&
			 value_hash(v) != value_hash(other);
		value_write(v, &later);
		wrong += !str_eq(buf_str(&text), buf_str(&later));
		value_free(v);
		value_free(again);
		value_free(other);
		buf_release(&text);
		buf_release(&later);
	}
	is_int(wrong, 0, "2,000 random values: written, read, shared");
	ok(changed > 1000, "most of the copies differ");
}

int
main(void)
{
	round_trips();
	refusals();
	equality();
	members();
	integers();
	properties();
	return done();
}

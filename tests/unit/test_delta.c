/*
 * ops-diff's library: the vectors of spec/output.md section 3; P1, P8, P9, P10
 * and P13.
 */
#include "output/delta.h"

#include <time.h>

#include "output/apply.h"
#include "output/overlap.h"
#include "output/units.h"
#include "value_gen.h"

static void
vectors(void)
{
	static const struct {
		const char *before, *after, *ops;
		unsigned verbs;
	} rows[] = {
		{ "{\"v\":\"hello world\"}", "{\"v\":\"world\"}",
		  "[[\"t\",[\"v\"],6]]", 6 },
		{ "{\"v\":\"abcdefgh\"}", "{\"v\":\"defghxyz\"}",
		  "[[\"t\",[\"v\"],3],[\"a\",[\"v\"],\"xyz\"]]", 6 },
		{ "{\"v\":\"café au lait\"}", "{\"v\":\"au lait!\"}",
		  "[[\"t\",[\"v\"],5],[\"a\",[\"v\"],\"!\"]]", 6 },
		{ "{\"v\":\"😀😁😂\"}", "{\"v\":\"😁😂😀\"}",
		  "[[\"t\",[\"v\"],2],[\"a\",[\"v\"],\"😀\"]]", 6 },
		{ "{\"v\":\"xxxxxxxxxxxxxxxxxxxx\"}", "{\"v\":\"xxxxxxxxxxy\"}",
		  "[[\"t\",[\"v\"],10],[\"a\",[\"v\"],\"y\"]]", 6 },
		{ "{\"v\":\"aaaaaaaaaaaaaaaaab\"}", "{\"v\":\"aaaab!\"}",
		  "[[\"t\",[\"v\"],13],[\"a\",[\"v\"],\"!\"]]", 6 },
		{ "{\"v\":\"abc\"}", "{\"v\":\"zzz\"}",
		  "[[\"s\",[\"v\"],\"zzz\"]]", 6 },
		{ "{\"v\":[1,2,3,4]}", "{\"v\":[1,4]}",
		  "[[\"p\",[\"v\"],1,2,[]]]", 6 },
		{ "{\"v\":[1,2]}", "{\"v\":[3,1,2,4]}",
		  "[[\"s\",[\"v\",0],3],[\"s\",[\"v\",1],1],"
		  "[\"p\",[\"v\"],2,0,[2,4]]]",
		  6 },
		{ "{\"v\":[]}", "{\"v\":[1,2]}", "[[\"s\",[\"v\"],[1,2]]]", 6 },
		{ "{\"v\":{\"x\":1,\"y\":2}}", "{\"v\":{\"y\":3,\"z\":1}}",
		  "[[\"s\",[\"v\",\"y\"],3],[\"s\",[\"v\",\"z\"],1],"
		  "[\"d\",[\"v\",\"x\"]]]",
		  6 },
		{ "{\"v\":[3,1,2]}", "{\"v\":[1,2,3]}",
		  "[[\"m\",[\"v\"],[1,2,0]]]", 7 },
		{ "{\"v\":[{\"k\":1,\"n\":2},0]}",
		  "{\"v\":[0,{\"n\":2,\"k\":1}]}", "[[\"m\",[\"v\"],[1,0]]]",
		  7 },
		/* and what the text says */
		{ "{\"v\":[3,1,2]}", "{\"v\":[1,2,3]}",
		  "[[\"s\",[\"v\",0],1],[\"s\",[\"v\",1],2],[\"s\",[\"v\",2],3]"
		  "]",
		  6 },
		{ "[2,1,2]", "[2,2,1]", "[[\"m\",[],[0,2,1]]]", 7 },
		{ "[1,2,2,1]", "[2,1,1,2]", "[[\"m\",[],[1,0,3,2]]]", 7 },
		{ "[1,2,2]", "[2,1,1]",
		  "[[\"s\",[0],2],[\"s\",[1],1],[\"s\",[2],1]]", 7 },
		{ "[1,2]", "[1,2]", "[]", 7 },
		{ "{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", "[]", 6 },
		{ "1", "1.0", "[[\"r\",1.0]]", 6 },
		{ "\"ab\"", "\"abc\"", "[[\"r\",\"abc\"]]", 6 },
		{ "{}", "[]", "[[\"r\",[]]]", 6 },
		{ "[[],{}]", "[{},[]]", "[[\"s\",[0],{}],[\"s\",[1],[]]]", 6 },
		{ "[1,2]", "[]", "[[\"r\",[]]]", 6 },
		{ "[]", "[1]", "[[\"r\",[1]]]", 6 },
		{ "[1,2,3]", "[1,2,3,4]", "[[\"p\",[],3,0,[4]]]", 6 },
		{ "[2,3]", "[1,2,3]", "[[\"p\",[],0,0,[1]]]", 6 },
		{ "[1,[2]]", "[1,[3],4]",
		  "[[\"s\",[1,0],3],[\"p\",[],2,0,[4]]]", 6 },
		{ "[1,[2,5],4]", "[1,[2,6]]",
		  "[[\"s\",[1,1],6],[\"p\",[],2,1,[]]]", 6 },
		{ "{\"__proto__\":1,\"b\":2}", "{\"__proto__\":1,\"b\":3}",
		  "[[\"r\",{\"__proto__\":1,\"b\":3}]]", 6 },
		{ "{\"o\":{\"b\":2}}", "{\"o\":{\"b\":2,\"prototype\":3}}",
		  "[[\"s\",[\"o\"],{\"b\":2,\"prototype\":3}]]", 6 },
		{ "{\"o\":{\"constructor\":1}}", "{\"o\":{\"constructor\":1}}",
		  "[]", 6 },
		{ "{\"v\":\"\"}", "{\"v\":\"x\"}", "[[\"a\",[\"v\"],\"x\"]]",
		  6 },
		{ "{\"v\":\"x\"}", "{\"v\":\"\"}", "[[\"s\",[\"v\"],\"\"]]",
		  6 },
		{ "{\"v\":\"a\\u0000b\"}", "{\"v\":\"\\u0000bc\"}",
		  "[[\"t\",[\"v\"],1],[\"a\",[\"v\"],\"c\"]]", 6 },
	};
	struct buf text = BUF_INIT, name = BUF_INIT;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct value *a = value_of(rows[i].before);
		struct value *b = value_of(rows[i].after);
		struct delta_options options = DELTA_OPTIONS;
		struct ops ops = OPS_INIT;

		options.verbs = rows[i].verbs;
		delta(a, b, &options, &ops);
		buf_reset(&text);
		ops_write(&ops, &text);
		buf_reset(&name);
		buf_addf(&name, "output 3: %s -> %s", rows[i].before,
			 rows[i].after);
		is_string(text.data, rows[i].ops, name.data);
		ops_release(&ops);
		value_free(a);
		value_free(b);
	}
	buf_release(&text);
	buf_release(&name);
}

static void
scan(void)
{
	static const struct {
		size_t scan;
		const char *ops;
	} rows[] = {
		{ 0, "[[\"s\",[0],\"6789x\"]]" },
		{ 3, "[[\"s\",[0],\"6789x\"]]" },
		{ 4, "[[\"t\",[0],6],[\"a\",[0],\"x\"]]" },
		{ 100, "[[\"t\",[0],6],[\"a\",[0],\"x\"]]" },
	};
	struct value *a = value_of("[\"0123456789\"]");
	struct value *b = value_of("[\"6789x\"]");
	struct buf text = BUF_INIT;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct delta_options options = { rows[i].scan, 6 };
		struct ops ops = OPS_INIT;

		delta(a, b, &options, &ops);
		buf_reset(&text);
		ops_write(&ops, &text);
		is_string(text.data, rows[i].ops,
			  "output 3: only the last `scan` units are searched");
		ops_release(&ops);
	}
	value_free(a);
	value_free(b);
	buf_release(&text);
}

/* Folds what delta() says: the second value, whatever the options. */
static unsigned
turns_into(struct value *a, struct value *b,
	   const struct delta_options *options, struct ops *ops)
{
	struct fail fail = FAIL_INIT;
	struct replica r;
	unsigned wrong;
	size_t at;

	delta(a, b, options, ops);
	(void)replica_init(&r, a, &fail);
	wrong = apply_batch(&r, ops, &at, &fail) != 0 ||
		!value_equal(r.value, b) || r.bytes != value_bytes(b);
	if (wrong)
		printf("# %s\n", fail.message.data);
	replica_release(&r);
	fail_release(&fail);
	return wrong;
}

static void
random_pairs(void)
{
	static const struct delta_options options[] = {
		{ DELTA_SCAN, 6 }, { DELTA_SCAN, 7 }, { 20, 6 }, { 0, 7 }
	};
	struct lcg g = { 1 };
	unsigned i, wrong = 0, slides = 0, moves = 0;
	size_t k;

	for (i = 0; i < 3000; i++) {
		struct value *a = gen_root(&g), *b = NULL;
		struct ops ops = OPS_INIT;

		b = i % 4 == 0 ? gen_root(&g) : gen_changed(&g, a, 5);
		for (k = lcg_pick(&g, 8); k > 0; k--) {
			struct value *next = gen_changed(&g, b, 5);

			value_free(b);
			b = next;
		}
		wrong += turns_into(a, b, &options[i % 4], &ops);
		for (k = 0; k < ops.n; k++) {
			slides += ops.v[k].verb == 't';
			moves += ops.v[k].verb == 'm';
		}
		ops_reset(&ops);
		wrong += turns_into(b, a, &options[i % 4], &ops);
		ops_reset(&ops);
		delta(a, a, &options[i % 4], &ops);
		wrong += ops.n != 0;
		ops_release(&ops);
		value_free(a);
		value_free(b);
	}
	is_int(wrong, 0, "P1: fold(a, diff(a, b)) = b, 3,000 pairs both ways");
	ok(slides > 40 && moves > 10, "P1: %u slides, %u reorderings", slides,
	   moves);
}

static size_t
longest(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n;

	for (; n > 0; n--)
		if (str_eq(str_from(a, a.n - n), (struct str){ b.s, n }))
			break;
	return n;
}

static void
brute_force(void)
{
	struct lcg g = { 3 };
	unsigned i, wrong = 0, far = 0;

	for (i = 0; i < 4000; i++) {
		struct buf a = BUF_INIT, b = BUF_INIT;
		size_t want;

		gen_characters(&g, &a, lcg_pick(&g, 400));
		if (lcg_pick(&g, 4) > 0) {
			struct value *v = gen_slide(&g, buf_str(&a));

			buf_add_str(&b, value_str(v));
			value_free(v);
		} else {
			gen_characters(&g, &b, lcg_pick(&g, 400));
		}
		want = longest(buf_str(&a), buf_str(&b));
		far += want > 64;
		wrong += overlap(buf_str(&a), buf_str(&b)) != want;
		buf_release(&a);
		buf_release(&b);
	}
	is_int(wrong, 0,
	       "P8: the overlap is the longest there is, 4,000 pairs");
	ok(far > 200, "P8: of which %u are longer than the probe", far);
}

/*
 * Text that hits the probe everywhere and never fits: the matcher takes over,
 * and 4 MB take no square of it.
 */
static void
repetitive(void)
{
	struct buf a = BUF_INIT, b = BUF_INIT;
	size_t i, n = (size_t)2 << 20;

	for (i = 0; i < n; i++)
		buf_addc(&a, 'x');
	for (i = 0; i < n / 2; i++)
		buf_addc(&b, 'x');
	buf_addc(&b, 'y');
	is_int((long long)overlap(buf_str(&a), buf_str(&b)), (long long)n / 2,
	       "P8: 2 MB of one character");
	buf_addc(&a, 'z');
	is_int((long long)overlap(buf_str(&a), buf_str(&b)), 0,
	       "P8: and one other at the end");
	buf_release(&a);
	buf_release(&b);
}

/* A window of varied text, 50 KB, that moves by 32 characters. */
static void
window(void)
{
	struct value *a = value_of("{\"text\":\"\",\"n\":0}"), *b;
	struct delta_options options = DELTA_OPTIONS;
	struct ops ops = OPS_INIT;
	struct buf text = BUF_INIT;
	unsigned i;

	for (i = 0; text.len < 51200 + 32; i++)
		buf_addf(&text, "%u: line %x\n", i, i * 2654435761u);
	buf_truncate(&text, 51200 + 32);
	value_free(*value_slot(a, 0));
	*value_slot(a, 0) = value_new_string((struct str){ text.data, 51200 });
	b = value_ref(a);
	(void)value_own(&b);
	value_free(*value_slot(b, 0));
	*value_slot(b, 0) = value_new_string(str_from(buf_str(&text), 32));
	delta(a, b, &options, &ops);
	ok(ops.n == 2 && ops.v[0].verb == 't' && ops.v[0].index == 32 &&
		   ops.v[1].verb == 'a',
	   "output 10: a slide of 32 characters is one t and one a");
	ops_reset(&ops);

	/* 1,000 slides, with a counter written between them. */
	for (i = 0; i < 1000; i++) {
		struct buf line = BUF_INIT;

		buf_addf(&line, "%031u\n", i);
		(void)value_own(value_slot(b, 0));
		value_append(value_slot(b, 0), buf_str(&line));
		value_drop_front(*value_slot(b, 0), 32);
		value_free(*value_slot(b, 1));
		*value_slot(b, 1) = value_new_integer(i + 1);
		buf_release(&line);
	}
	is_int(turns_into(a, b, &options, &ops), 0, "P9: 1,000 slides");
	ok(ops.n <= 3, "P9: and a counter in one flush are %zu ops", ops.n);
	ops_release(&ops);
	value_free(a);
	value_free(b);
	buf_release(&text);
}

/* 500 growing writes: the ops against the whole values. */
static void
growing(void)
{
	struct value *v = value_of("{\"text\":\"\",\"n\":0}"), *last;
	struct delta_options options = DELTA_OPTIONS;
	struct ops ops = OPS_INIT;
	struct buf text = BUF_INIT, line = BUF_INIT;
	size_t whole = 0, said = 0;
	unsigned i;

	for (i = 0; i < 500; i++) {
		last = value_ref(v);
		(void)value_own(&v);
		(void)value_own(value_slot(v, 0));
		buf_reset(&line);
		buf_addf(&line, "%u: one more line of an ordinary log\n", i);
		value_append(value_slot(v, 0), buf_str(&line));
		delta(last, v, &options, &ops);
		buf_reset(&text);
		ops_write(&ops, &text);
		ops_reset(&ops);
		said += text.len;
		whole += value_bytes(v);
		value_free(last);
	}
	ok(said * 100 <= whole,
	   "output 10: 500 growing writes in %zu bytes of ops, %zu of values",
	   said, whole);
	value_free(v);
	ops_release(&ops);
	buf_release(&text);
	buf_release(&line);
}

/* `field i`, with texts that a seed decides; n of them. */
static struct value *
fields(struct lcg *g, unsigned n)
{
	struct value *v = value_new_object();
	struct buf key = BUF_INIT;
	unsigned i;

	for (i = 0; i < n; i++) {
		buf_reset(&key);
		buf_addf(&key, "field %u", i);
		value_put(v, value_new_string(buf_str(&key)),
			  value_new_integer(lcg_pick(g, 1u << 30)));
	}
	buf_release(&key);
	return v;
}

/* Processor time of a flush, of which each field is another op. */
static double
flush_time(struct value *a, struct value *b, size_t n, unsigned *wrong)
{
	struct delta_options options = DELTA_OPTIONS;
	struct timespec from, to;
	struct buf text = BUF_INIT;
	struct ops ops = OPS_INIT;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	*wrong += turns_into(a, b, &options, &ops);
	ops_write(&ops, &text);
	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	*wrong += ops.n != n;
	ops_release(&ops);
	buf_release(&text);
	return (double)(to.tv_sec - from.tv_sec) * 1e9 +
	       (double)(to.tv_nsec - from.tv_nsec);
}

/*
 * The least of many rounds, in processor time of our own and as a ratio, so
 * that no load decides: 10 where the cost is linear, 100 where it is square.
 */
static void
linear_flush(void)
{
	struct lcg g = { 10 };
	double few = 1e18, many = 1e18, t;
	unsigned i, wrong = 0;

	for (i = 0; i < 12; i++) {
		struct value *a = fields(&g, 250), *b = fields(&g, 250);
		struct value *c = fields(&g, 2500), *d = fields(&g, 2500);

		t = flush_time(a, b, 250, &wrong);
		few = t < few ? t : few;
		t = flush_time(c, d, 2500, &wrong);
		many = t < many ? t : many;
		value_free(a);
		value_free(b);
		value_free(c);
		value_free(d);
	}
	is_int(wrong, 0, "P10: each changed field is an op, and they fold");
	ok(many < 40 * few, "P10: 2,500 changed fields cost %.1f times 250",
	   many / few);
}

/* Puts the value under a key of an object, in the place of any other. */
static void
put(struct value **object, const char *key, struct value *v)
{
	size_t at = value_find(*object, str_of(key));

	(void)value_own(object);
	if (at == VALUE_NONE) {
		value_put_as(*object, key, v);
		return;
	}
	value_free(*value_slot(*object, at));
	*value_slot(*object, at) = v;
}

/*
 * A member is written, and then what holds it is written anew: what was under
 * it is not in the result, and in one flush not in any op.
 */
static void
child_then_parent(void)
{
	struct value *a = value_of("{\"a\":{\"x\":1}}"), *b = value_ref(a);
	struct delta_options options = DELTA_OPTIONS;
	struct lcg g = { 13 };
	struct ops ops = OPS_INIT;
	struct buf text = BUF_INIT;
	unsigned i, wrong = 0;

	put(&b, "a", value_of("{\"x\":1,\"b\":99}"));
	put(&b, "a", value_of("{\"c\":2}"));
	wrong = turns_into(a, b, &options, &ops);
	value_write(b, &text);
	ok(wrong == 0 && str_is(buf_str(&text), "{\"a\":{\"c\":2}}"),
	   "P13: the vector");
	value_free(a);
	value_free(b);
	for (i = 0; i < 1000; i++) {
		struct value *before = value_new_object(), *child, *parent;

		value_put_as(before, "a", fields(&g, lcg_pick(&g, 12)));
		value_put_as(before, "other", gen_value(&g, 3));
		child = value_ref(before);
		put(&child, "a", fields(&g, lcg_pick(&g, 12)));
		put(value_slot(child, 0), "mark", value_of("\"written\""));
		parent = value_ref(child);
		put(&parent, "a",
		    lcg_pick(&g, 3) == 0 ? gen_value(&g, 3)
					 : fields(&g, lcg_pick(&g, 12)));
		/* In one flush, and with one between. */
		ops_reset(&ops);
		wrong += turns_into(before, parent, &options, &ops);
		buf_reset(&text);
		ops_write(&ops, &text);
		wrong += memmem(text.data, text.len, "written", 7) != NULL;
		ops_reset(&ops);
		wrong += turns_into(before, child, &options, &ops);
		ops_reset(&ops);
		wrong += turns_into(child, parent, &options, &ops);
		buf_reset(&text);
		value_write(parent, &text);
		wrong += memmem(text.data, text.len, "written", 7) != NULL;
		value_free(before);
		value_free(child);
		value_free(parent);
	}
	is_int(wrong, 0, "P13: 1,000 children and then their parents");
	ops_release(&ops);
	buf_release(&text);
}

static void
units(void)
{
	struct lcg g = { 5 };
	unsigned i, wrong = 0;

	for (i = 0; i < 2000; i++) {
		struct buf s = BUF_INIT;
		size_t at = 0, count = 0, offset;
		bool split;

		gen_characters(&g, &s, lcg_pick(&g, 60));
		while (at < s.len) {
			unsigned char c = (unsigned char)s.data[at];
			unsigned n = c < 0x80	? 1
				     : c < 0xe0 ? 2
				     : c < 0xf0 ? 3
						: 4;

			offset = units_offset(buf_str(&s), count, &split);
			wrong += split || offset != at;
			wrong += units_tail(
					 str_from(buf_str(&s), at),
					 units_count(str_from(buf_str(&s), at)))
					 .n != s.len - at;
			if (n == 4) {
				offset = units_offset(buf_str(&s), count + 1,
						      &split);
				wrong += !split || offset != at;
				count++;
			}
			count++;
			at += n;
		}
		wrong += units_count(buf_str(&s)) != count;
		wrong += units_offset(buf_str(&s), count + 1, &split) != s.len;
		wrong += split;
		buf_release(&s);
	}
	is_int(wrong, 0, "output 2: units and bytes of 2,000 strings");
	is_int((long long)units_tail(STR("a😀b"), 2).n, 1,
	       "a tail of 2 units does not split a pair");
}

int
main(void)
{
	units();
	vectors();
	scan();
	random_pairs();
	brute_force();
	repetitive();
	window();
	growing();
	linear_flush();
	child_then_parent();
	return done();
}

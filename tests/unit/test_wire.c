/* Wire ops: spec/output.md section 5.1; P2, P3, P4, P15. */
#include "output/wire.h"

#include "output/apply.h"
#include "output/delta.h"
#include "value_gen.h"

/* Reads a logical batch that is right. */
static void
read_ops(const char *json, struct ops *ops)
{
	struct value *batch = value_of(json);
	struct fail fail = FAIL_INIT;
	struct op op;
	size_t i;

	for (i = 0; i < value_count(batch); i++) {
		if (op_read(value_item(batch, i), 7, &op, &fail) != 0)
			abort();
		ops_add(ops, op.verb, op.path, op.value, op.index, op.remove);
		op_release(&op);
	}
	value_free(batch);
}

/* Decodes a batch; -1 with the code of the first fault. */
static int
decode(struct wire_decoder *d, struct str text, struct ops *ops,
       struct fail *fail)
{
	struct value *batch = value_read(text, NULL);
	struct op op;
	size_t i;
	int rc = 0;

	wire_begin(d);
	for (i = 0; rc >= 0 && i < value_count(batch); i++) {
		rc = wire_decode(d, value_item(batch, i), &op, fail);
		if (rc > 0)
			ops_add(ops, op.verb, op.path, op.value, op.index,
				op.remove);
		if (rc > 0)
			op_release(&op);
	}
	value_free(batch);
	return rc < 0 ? -1 : 0;
}

#define P "[\"content\",0,\"text\"]"

static void
vector(void)
{
	static const char *const rows[][2] = {
		{ "[[\"r\",{}]]", "[[\"r\",{}]]" },
		{ "[[\"a\"," P ",\"1\"]]", "[[\"a\"," P ",\"1\"]]" },
		{ "[[\"a\"," P ",\"2\"]]",
		  "[[\"#\",0," P "],[\"a\",0,\"2\"]]" },
		{ "[[\"a\"," P ",\"3\"]]", "[[\"a\",0,\"3\"]]" },
		{ "[[\"t\"," P ",4096],[\"a\"," P ",\"x\"],[\"s\",[\"n\"],7]]",
		  "[[\"t\",0,4096],[\"a\",\"x\"],[\"s\",[\"n\"],7]]" },
		{ "[[\"r\",{}]]", "[[\"r\",{}]]" },
		{ "[[\"a\"," P ",\"4\"]]", "[[\"a\"," P ",\"4\"]]" },
		/* and what the text says */
		{ "[[\"d\",[\"a\"]],[\"d\",[\"a\"]],[\"p\",[\"a\"],0,1,[2]]]",
		  "[[\"d\",[\"a\"]],[\"d\"],[\"p\",0,1,[2]]]" },
		{ "[[\"s\",[\"a\",0],1]]", "[[\"s\",[\"a\",0],1]]" },
		{ "[[\"s\",[\"a\",\"0\"],1]]", "[[\"s\",[\"a\",\"0\"],1]]" },
		{ "[[\"s\",[\"a\",0],1],[\"m\",[\"a\",0],[1,0]]]",
		  "[[\"#\",0,[\"a\",0]],[\"s\",0,1],[\"m\",[1,0]]]" },
		{ "[[\"s\",[\"x\"],1],[\"r\",2],[\"s\",[\"x\"],1]]",
		  "[[\"s\",[\"x\"],1],[\"r\",2],[\"s\",[\"x\"],1]]" },
		{ "[]", "[]" },
	};
	struct wire_encoder e;
	struct wire_decoder d;
	struct fail fail = FAIL_INIT;
	struct buf text = BUF_INIT, back = BUF_INIT;
	size_t i;

	wire_encoder_init(&e);
	wire_decoder_init(&d, 7);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ops ops = OPS_INIT, again = OPS_INIT;

		read_ops(rows[i][0], &ops);
		buf_reset(&text);
		wire_encode(&e, &ops, &text);
		is_string(text.data, rows[i][1], "output 5.1: the vector");
		buf_reset(&back);
		(void)decode(&d, buf_str(&text), &again, &fail);
		ops_write(&again, &back);
		is_string(back.data, rows[i][0], "and back");
		ops_release(&ops);
		ops_release(&again);
	}
	is_int((long long)e.numbered, 2, "numbers that were written");
	is_int((long long)d.numbered, 2, "and read");
	wire_encoder_release(&e);
	wire_decoder_release(&d);
	buf_release(&text);
	buf_release(&back);
	fail_release(&fail);
}

static void
refusals(void)
{
	static const char *const rows[][2] = {
		{ "[[\"a\",5,\"x\"]]", "bad_ref" },
		{ "[[\"a\",\"x\"]]", "bad_ref" },
		{ "[[\"d\"]]", "bad_ref" },
		{ "[[\"#\",0,[\"a\"]],[\"d\"]]", "bad_ref" },
		{ "[[\"#\",0,[\"a\"]],[\"#\",0,[\"b\"]]]", "bad_ref" },
		{ "[[\"#\",0,[\"a\"]],[\"#\",0,[\"a\"]]]", "" },
		{ "[[\"#\",0,[]],[\"p\",0,0,0,[]]]", "" },
		{ "[[\"#\",0,[]],[\"s\",0,1]]", "bad_ref" },
		{ "[[\"#\",0,[]],[\"d\",0]]", "bad_ref" },
		{ "[[\"#\",0,[]],[\"a\",0,\"x\"]]", "bad_ref" },
		{ "[[\"#\",0,[]],[\"t\",0,1]]", "bad_ref" },
		{ "[[\"p\",[],0,0,[]],[\"t\",1]]", "bad_ref" },
		{ "[[\"p\",[],0,0,[]],[\"p\",0,0,[]]]", "" },
		{ "[[\"s\",[],1]]", "bad_op" },
		{ "[[\"s\",[\"a\"],1],[\"r\",1],[\"s\",2]]", "bad_ref" },
		{ "[[\"#\",0,[\"a\"]],[\"r\",1],[\"s\",0,2]]", "bad_ref" },
		{ "[[\"#\",0.5,[\"a\"]]]", "bad_op" },
		{ "[[\"#\",\"0\",[\"a\"]]]", "bad_op" },
		{ "[[\"#\",-1,[\"a\"]]]", "bad_op" },
		{ "[[\"#\",0]]", "bad_op" },
		{ "[[\"#\",0,[\"a\"],1]]", "bad_op" },
		{ "[[\"#\",0,\"a\"]]", "bad_op" },
		{ "[[\"#\",0,[\"__proto__\"]]]", "unsafe_path" },
		{ "[[\"s\",1.5,2]]", "bad_op" },
		{ "[[\"s\",\"a\",2]]", "bad_op" },
		{ "[[\"s\",[\"prototype\"],2]]", "unsafe_path" },
		{ "[[\"s\",[\"a\"],1],[\"a\",5]]", "bad_op" },
		{ "[[\"s\",[\"a\"],1],[\"t\",5]]", "" },
		{ "[[\"s\",[\"a\"],1],[\"s\",5]]", "" },
		{ "[[\"s\",[\"a\"],1],[\"d\",5]]", "bad_ref" },
		{ "[[\"s\"]]", "bad_op" },
		{ "[[\"p\",[\"a\"],0,1]]", "bad_op" },
		{ "[[\"p\",0,1]]", "bad_op" },
		{ "[[\"r\"]]", "bad_op" },
		{ "[[]]", "bad_op" },
		{ "[7]", "bad_op" },
		{ "[[\"m\",[\"a\"],[0]]]", "bad_op" },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct wire_decoder d;
		struct fail fail = FAIL_INIT;
		struct ops ops = OPS_INIT;

		wire_decoder_init(&d, 6);
		(void)decode(&d, str_of(rows[i][0]), &ops, &fail);
		ok(strcmp(fail.kind == FAIL_NONE ? "" : fail.code,
			  rows[i][1]) == 0,
		   "output 5.1: %s: %s (%s)", rows[i][0],
		   rows[i][1][0] == '\0' ? "right" : rows[i][1],
		   fail.message.data);
		ops_release(&ops);
		wire_decoder_release(&d);
		fail_release(&fail);
	}
}

/* A fault changes neither the table nor what a short form means. */
static void
after_a_fault(void)
{
	struct wire_decoder d;
	struct fail fail = FAIL_INIT;
	struct ops ops = OPS_INIT;
	struct op op;
	struct value *batch = value_of(
		"[[\"s\",[\"a\"],1],[\"s\",[\"b\"],1,2],[\"d\",9],[\"t\",2]]");
	struct buf text = BUF_INIT;

	wire_decoder_init(&d, 6);
	is_int(wire_decode(&d, value_item(batch, 0), &op, &fail), 1, "an op");
	op_release(&op);
	is_int(wire_decode(&d, value_item(batch, 1), &op, &fail), -1,
	       "a fault");
	is_int(wire_decode(&d, value_item(batch, 2), &op, &fail), -1,
	       "another");
	is_int(wire_decode(&d, value_item(batch, 3), &op, &fail), 1,
	       "a short form");
	op_write(&op, &text);
	is_string(text.data, "[\"t\",[\"a\"],2]",
		  "output 5.2: is that of the last op that was right");
	op_release(&op);
	wire_decoder_release(&d);
	ops_release(&ops);
	value_free(batch);
	buf_release(&text);
	fail_release(&fail);
}

/* More ids than a decoder keeps; paths that are too long to keep. */
static void
tables(void)
{
	struct wire_decoder d;
	struct fail fail = FAIL_INIT;
	struct value *raw = value_of("[\"#\",0,[\"a\"]]");
	struct buf key = BUF_INIT;
	struct op op;
	unsigned i;
	int rc = 0;

	wire_decoder_init(&d, 6);
	for (i = 0; rc == 0 && i <= WIRE_NUMBERS_MOST; i++) {
		struct value **id = value_slot(raw, 1);

		value_free(*id);
		*id = value_new_integer(i);
		rc = wire_decode(&d, raw, &op, &fail);
	}
	is_int(i, WIRE_NUMBERS_MOST + 1, "output 5.1: 1,048,576 ids");
	is_string(fail.code, "too_large", "and one more is too_large");
	wire_decoder_release(&d);
	fail_release(&fail);

	fail = (struct fail)FAIL_INIT;
	wire_decoder_init(&d, 6);
	while (key.len < (size_t)1 << 20)
		buf_addc(&key, 'k');
	for (i = 0, rc = 0; rc == 0 && i < 100; i++) {
		struct value **id = value_slot(raw, 1), *path;

		value_free(*id);
		*id = value_new_integer(i);
		path = value_new_array();
		value_push(path, value_new_string(buf_str(&key)));
		id = value_slot(raw, 2);
		value_free(*id);
		*id = path;
		rc = wire_decode(&d, raw, &op, &fail);
	}
	is_int(i, 64, "output 9: of ids for keys of 1 MB the 64th");
	is_string(fail.code, "too_large", "is too_large");
	wire_decoder_release(&d);
	fail_release(&fail);
	value_free(raw);
	buf_release(&key);
}

/* More paths than an encoder remembers: the later ones stay in full. */
static void
many_paths(void)
{
	struct wire_encoder e;
	struct wire_decoder d;
	struct fail fail = FAIL_INIT;
	struct ops ops = OPS_INIT, again = OPS_INIT;
	struct buf text = BUF_INIT, a = BUF_INIT, b = BUF_INIT;
	unsigned round, i;

	wire_encoder_init(&e);
	wire_decoder_init(&d, 6);
	for (round = 0; round < 2; round++)
		for (i = 0; i < WIRE_PATHS_MOST + 10; i++) {
			struct value *path = value_new_array();

			value_push(path, value_new_integer(i));
			ops_add(&ops, 'd', path, NULL, 0, 0);
			value_free(path);
		}
	wire_encode(&e, &ops, &text);
	is_int((long long)e.numbered, WIRE_PATHS_MOST,
	       "output 5.1: 65,536 paths are remembered");
	ops_write(&ops, &a);
	(void)decode(&d, buf_str(&text), &again, &fail);
	ops_write(&again, &b);
	ok(str_eq(buf_str(&a), buf_str(&b)), "and all come back");
	wire_encoder_release(&e);
	wire_decoder_release(&d);
	ops_release(&ops);
	ops_release(&again);
	buf_release(&text);
	buf_release(&a);
	buf_release(&b);
	fail_release(&fail);
}

/* ---- properties -------------------------------------------------------- */

struct reader {
	struct wire_decoder d;
	struct replica r;
};

static void
reader_begin(struct reader *x)
{
	wire_decoder_init(&x->d, 7);
	(void)replica_init(&x->r, NULL, NULL);
}

static void
reader_end(struct reader *x)
{
	wire_decoder_release(&x->d);
	replica_release(&x->r);
}

/* Gives 1 when what it was sent cannot be decoded and folded. */
static unsigned
reader_take(struct reader *x, struct str wire)
{
	struct fail fail = FAIL_INIT;
	struct ops ops = OPS_INIT;
	unsigned wrong = 0;
	size_t at;

	if (decode(&x->d, wire, &ops, &fail) != 0 ||
	    apply_batch(&x->r, &ops, &at, &fail) != 0) {
		printf("# %s\n", fail.message.data);
		wrong = 1;
	}
	ops_release(&ops);
	fail_release(&fail);
	return wrong;
}

/*
 * P2, P3, P4, P15: a value that is changed 60 times and flushed at random,
 * with a base now and then.  Three readers: one from the start; one that
 * starts afresh at each base; one with an encoder of its own that comes late.
 */
static unsigned
stream(struct lcg *g, unsigned *numbered)
{
	struct delta_options options = { DELTA_SCAN, 7 };
	struct value *now = gen_root(g), *sent = NULL, *late_sent = NULL;
	struct wire_encoder e, late_e;
	struct reader whole, fresh, late;
	struct buf text = BUF_INIT, in = BUF_INIT, out = BUF_INIT;
	unsigned wrong = 0, i, start = lcg_pick(g, 50);

	wire_encoder_init(&e);
	wire_encoder_init(&late_e);
	reader_begin(&whole);
	reader_begin(&fresh);
	reader_begin(&late);
	for (i = 0; i <= 60; i++) {
		struct value *next = gen_changed(g, now, 4);
		bool base = sent == NULL || lcg_pick(g, 12) == 0;
		struct ops ops = OPS_INIT, back = OPS_INIT;
		struct fail fail = FAIL_INIT;

		value_free(now);
		now = next;
		if (i < 60 && lcg_pick(g, 3) > 0)
			continue;
		if (base)
			ops_add(&ops, 'r', NULL, now, 0, 0);
		else
			delta(sent, now, &options, &ops);
		value_free(sent);
		sent = value_ref(now);
		buf_reset(&text);
		wire_encode(&e, &ops, &text);
		if (base) {
			reader_end(&fresh);
			reader_begin(&fresh);
		}
		wrong += reader_take(&whole, buf_str(&text));
		wrong += reader_take(&fresh, buf_str(&text));
		wrong += !value_equal(whole.r.value, now);
		wrong += !value_equal(fresh.r.value, now);
		buf_reset(&in);
		ops_write(&ops, &in);
		ops_release(&ops);

		/* The late one: the same state by other ops. */
		if (i < start)
			continue;
		ops = (struct ops)OPS_INIT;
		if (late_sent == NULL)
			ops_add(&ops, 'r', NULL, now, 0, 0);
		else
			delta(late_sent, now, &options, &ops);
		value_free(late_sent);
		late_sent = value_ref(now);
		buf_reset(&text);
		wire_encode(&late_e, &ops, &text);
		wrong += reader_take(&late, buf_str(&text));
		wrong += !value_equal(late.r.value, whole.r.value);
		ops_release(&ops);
		ops_release(&back);
		fail_release(&fail);
	}
	*numbered += (unsigned)e.numbered;
	wire_encoder_release(&e);
	wire_encoder_release(&late_e);
	reader_end(&whole);
	reader_end(&fresh);
	reader_end(&late);
	value_free(now);
	value_free(sent);
	value_free(late_sent);
	buf_release(&text);
	buf_release(&in);
	buf_release(&out);
	return wrong;
}

/* The other verbs: a, p, m, of which the last two also take the root. */
static void
more(struct ops *ops, unsigned verb, struct value *path, struct value *v)
{
	struct value *root = value_new_array();
	struct value *text = value_of("\"x\"");
	struct value *items = value_of("[{\"a\":[]},1]");
	struct value *order = value_of("[2,0,1]");

	value_push(items, value_ref(v));
	if (verb == 12)
		ops_add(ops, 'a', path, text, 0, 0);
	else if (verb == 13)
		ops_add(ops, 'p', path, items, 3, 1);
	else if (verb == 14)
		ops_add(ops, 'p', root, items, 0, 2);
	else
		ops_add(ops, 'm', root, order, 0, 0);
	value_free(root);
	value_free(text);
	value_free(items);
	value_free(order);
}

/* decode(encode(x)) = x, byte for byte, with paths that come again. */
static unsigned
codec(struct lcg *g)
{
	static const char *const paths[] = { "[\"a\"]", "[\"a\",0]",
					     "[\"a\",\"0\"]", "[\"b\"]",
					     "[\"a\\\",0\"]" };
	struct wire_encoder e;
	struct wire_decoder d;
	struct buf text = BUF_INIT, in = BUF_INIT, out = BUF_INIT;
	unsigned wrong = 0, i, k;

	wire_encoder_init(&e);
	wire_decoder_init(&d, 7);
	for (i = 0; i < 20; i++) {
		struct ops ops = OPS_INIT, back = OPS_INIT;
		struct fail fail = FAIL_INIT;

		for (k = lcg_pick(g, 6); k > 0; k--) {
			struct value *path = value_of(paths[lcg_pick(g, 5)]);
			struct value *v = gen_value(g, 2);
			unsigned verb = lcg_pick(g, 16);

			if (verb == 0)
				ops_add(&ops, 'r', NULL, v, 0, 0);
			else if (verb < 6)
				ops_add(&ops, 's', path, v, 0, 0);
			else if (verb < 9)
				ops_add(&ops, 't', path, NULL, verb, 0);
			else if (verb < 12)
				ops_add(&ops, 'd', path, NULL, 0, 0);
			else
				more(&ops, verb, path, v);
			value_free(path);
			value_free(v);
		}
		buf_reset(&text);
		wire_encode(&e, &ops, &text);
		wrong += decode(&d, buf_str(&text), &back, &fail) != 0;
		buf_reset(&in);
		buf_reset(&out);
		ops_write(&ops, &in);
		ops_write(&back, &out);
		wrong += !str_eq(buf_str(&in), buf_str(&out));
		ops_release(&ops);
		ops_release(&back);
		fail_release(&fail);
	}
	wrong += e.numbered != d.numbered;
	wire_encoder_release(&e);
	wire_decoder_release(&d);
	buf_release(&text);
	buf_release(&in);
	buf_release(&out);
	return wrong;
}

static void
properties(void)
{
	struct lcg g = { 2 };
	unsigned i, wrong = 0, numbered = 0;

	for (i = 0; i < 100; i++)
		wrong += stream(&g, &numbered);
	is_int(wrong, 0, "P2, P4, P15: 100 streams of 60 changes");
	ok(numbered > 50, "with %u numbered paths", numbered);
	for (i = 0, wrong = 0; i < 300; i++)
		wrong += codec(&g);
	is_int(wrong, 0, "P3: 300 streams decode to what was encoded");
}

int
main(void)
{
	vector();
	refusals();
	after_a_fault();
	tables();
	many_paths();
	properties();
	return done();
}

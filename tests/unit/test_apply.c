/* Ops: the vectors of spec/output.md section 2, each refusal, P11. */
#include "output/apply.h"

#include "value_gen.h"

/* Folds a batch as it came: what becomes of value, or the code. */
static void
fold(struct replica *r, const struct value *batch, unsigned verbs,
     struct fail *fail)
{
	struct op op;
	size_t i;

	apply_begin(r);
	for (i = 0; i < value_count(batch); i++) {
		int rc = op_read(value_item(batch, i), verbs, &op, fail);

		if (rc == 0)
			rc = apply_op(r, &op, fail);
		op_release(&op);
		if (rc != 0) {
			apply_undo(r);
			return;
		}
	}
	apply_commit(r);
}

/* want: JSON, or the code of a refusal that leaves the value as it is. */
static void
becomes(const char *value, const char *ops, unsigned verbs, const char *want)
{
	struct value *batch = value_of(ops);
	struct value *before = value_of(value);
	struct fail fail = FAIL_INIT;
	struct buf name = BUF_INIT;
	struct replica r;

	buf_addf(&name, "output 2: %s %s", value, ops);
	(void)replica_init(&r, before, &fail);
	fold(&r, batch, verbs, &fail);
	if (fail.kind != FAIL_NONE) {
		is_string(fail.code, want, name.data);
		is_value(r.value, value, "  and nothing is changed");
	} else {
		is_value(r.value, want, name.data);
	}
	is_int((long long)r.bytes, (long long)value_bytes(r.value),
	       "  its bytes are counted");
	replica_release(&r);
	is_value(before, value, "  and a replica of it is not touched");
	value_free(before);
	value_free(batch);
	fail_release(&fail);
	buf_release(&name);
}

static void
vectors(void)
{
	static const char *const rows[][3] = {
		{ "{\"xs\":[1,2,3]}", "[[\"s\",[\"xs\",3],9]]",
		  "{\"xs\":[1,2,3,9]}" },
		{ "{\"xs\":[1,2,3]}", "[[\"s\",[\"xs\",5],9]]", "bad_path" },
		{ "{\"xs\":[1,2,3]}", "[[\"p\",[\"xs\"],0,1000000000,[]]]",
		  "{\"xs\":[]}" },
		{ "{\"s\":\"abcdefgh\"}",
		  "[[\"t\",[\"s\"],3],[\"a\",[\"s\"],\"xyz\"]]",
		  "{\"s\":\"defghxyz\"}" },
		{ "[1,2]", "[[\"p\",[],5,0,[3]]]", "[1,2,3]" },
		{ "{\"o\":{\"5\":1}}", "[[\"s\",[\"o\",5],2]]",
		  "{\"o\":{\"5\":2}}" },
		{ "{\"a\":[1]}", "[[\"s\",[\"a\",\"0\"],2]]", "bad_path" },
		{ "{\"a\":\"x😀y\"}", "[[\"t\",[\"a\"],2]]", "split_pair" },
		{ "{\"a\":\"x😀y\"}", "[[\"t\",[\"a\"],3]]", "{\"a\":\"y\"}" },
		{ "{\"a\":1}", "[[\"d\",[\"zz\"]]]", "{\"a\":1}" },
		{ "{\"a\":[1]}", "[[\"d\",[\"a\",1]]]", "bad_path" },
		{ "null", "[[\"s\",[\"a\"],2]]", "bad_path" },
		{ "{\"a\":1}", "[[\"s\",[\"__proto__\"],2]]", "unsafe_path" },
		{ "{\"a\":1}", "[[\"r\",{\"__proto__\":2}]]",
		  "{\"__proto__\":2}" },
		{ "{\"a\":1}", "[[\"s\",[\"a\"]]]", "bad_op" },
		{ "{\"a\":1}", "[[\"s\",[],2]]", "bad_op" },
		{ "{\"a\":1}", "[[\"s\",\"a\",2]]", "bad_op" },
		{ "{\"a\":1}", "[[\"t\",[\"a\"],1.5]]", "bad_op" },
		{ "{\"a\":1}", "[[]]", "bad_op" },
		{ "{\"a\":1}", "[[\"q\",[\"a\"],2]]", "bad_op" },
		/* and what the text says */
		{ "{\"a\":1}", "[1]", "bad_op" },
		{ "{\"a\":1}", "[{\"r\":1}]", "bad_op" },
		{ "{\"a\":1}", "[[1,[\"a\"]]]", "bad_op" },
		{ "{\"a\":1}", "[[\"r\"]]", "bad_op" },
		{ "{\"a\":1}", "[[\"r\",1,2]]", "bad_op" },
		{ "{\"a\":1}", "[[\"rr\",1]]", "bad_op" },
		{ "{\"a\":1}", "[[\"\",1]]", "bad_op" },
		{ "{\"a\":1}", "[[\"d\",[\"a\"],1]]", "bad_op" },
		{ "{\"a\":\"x\"}", "[[\"a\",[\"a\"],1]]", "bad_op" },
		{ "{\"a\":\"x\"}", "[[\"t\",[\"a\"],-1]]", "bad_op" },
		{ "{\"a\":\"x\"}", "[[\"t\",[\"a\"],-0]]", "bad_op" },
		{ "{\"a\":\"x\"}", "[[\"t\",[\"a\"],1e0]]", "bad_op" },
		{ "{\"a\":\"x\"}", "[[\"t\",[\"a\"],9007199254740992]]",
		  "bad_op" },
		{ "{\"a\":\"x\"}", "[[\"t\",[\"a\"],9007199254740991]]",
		  "{\"a\":\"\"}" },
		{ "[1]", "[[\"p\",[],0,0,\"ab\"]]", "bad_op" },
		{ "[1]", "[[\"p\",[],0,1.0,[]]]", "bad_op" },
		{ "[1]", "[[\"p\",[],0,0]]", "bad_op" },
		{ "[1,2]", "[[\"m\",[],[1,0]]]", "bad_op" },
		{ "{\"a\":1}", "[[\"s\",[\"constructor\",\"x\"],2]]",
		  "unsafe_path" },
		{ "{\"a\":1}", "[[\"d\",[\"prototype\"]]]", "unsafe_path" },
		{ "{\"a\":1}", "[[\"s\",[1.5],2]]", "unsafe_path" },
		{ "{\"a\":1}", "[[\"s\",[null],2]]", "unsafe_path" },
		{ "{\"a\":1}", "[[\"s\",[[\"a\"]],2]]", "unsafe_path" },
		{ "{\"a\":1}", "[[\"s\",[-1],2]]", "unsafe_path" },
		/* the order of the checks */
		{ "{\"a\":1}", "[[\"t\",[\"__proto__\"],\"x\"]]",
		  "unsafe_path" },
		{ "{\"a\":1}", "[[\"q\",[\"__proto__\"]]]", "bad_op" },
		{ "{\"a\":1}", "[[\"t\",[\"zz\"],\"x\"]]", "bad_op" },
		{ "{\"a\":\"😀\"}", "[[\"t\",[\"b\"],1]]", "bad_path" },
		{ "{\"a\":1}", "[[\"s\",[\"b\",\"c\"],2]]", "bad_path" },
		{ "{\"a\":1}", "[[\"s\",[\"a\",\"c\"],2]]", "bad_path" },
		{ "{\"a\":1}", "[[\"d\",[\"b\",\"c\"]]]", "bad_path" },
		{ "{\"a\":1}", "[[\"a\",[\"a\"],\"x\"]]", "bad_path" },
		{ "{\"a\":1}", "[[\"a\",[\"b\"],\"x\"]]", "bad_path" },
		{ "{\"a\":\"x\"}", "[[\"p\",[\"a\"],0,0,[]]]", "bad_path" },
		{ "{\"a\":[1]}", "[[\"d\",[\"a\",\"0\"]]]", "bad_path" },
		{ "{\"a\":[\"x\"]}", "[[\"a\",[\"a\",0],\"y\"]]",
		  "{\"a\":[\"xy\"]}" },
		{ "\"x\"", "[[\"p\",[],0,0,[]]]", "bad_path" },
		{ "{\"b\":1,\"a\":2}", "[[\"s\",[\"b\"],3],[\"s\",[\"c\"],4]]",
		  "{\"b\":3,\"a\":2,\"c\":4}" },
		{ "[1,2,3]", "[[\"d\",[0]],[\"d\",[1]]]", "[2]" },
		{ "[1,2,3]", "[[\"p\",[],1,1,[7,8,9]]]", "[1,7,8,9,3]" },
		{ "[]", "[[\"p\",[],0,0,[1]],[\"p\",[],0,1,[]]]", "[]" },
		{ "{\"a\":{\"x\":1}}",
		  "[[\"s\",[\"a\",\"b\"],99],[\"s\",[\"a\"],{\"c\":2}]]",
		  "{\"a\":{\"c\":2}}" },
		{ "{\"a\":\"\\u0000x\"}", "[[\"t\",[\"a\"],1]]",
		  "{\"a\":\"x\"}" },
		{ "{\"a\":\"x\"}",
		  "[[\"a\",[\"a\"],\"\\u0000\\ud83d\\ude00\"]]",
		  "{\"a\":\"x\\u0000😀\"}" },
		{ "{\"n\":1.0}", "[[\"s\",[\"m\"],1e400]]",
		  "{\"n\":1.0,\"m\":1e400}" },
		/* an integer is a member's digits where it meets an object */
		{ "{\"o\":{}}", "[[\"s\",[\"o\",7],1]]", "{\"o\":{\"7\":1}}" },
		{ "{\"5\":{\"6\":\"x\",\"7\":[]}}",
		  "[[\"a\",[5,6],\"y\"],[\"p\",[5,7],0,0,[1]]]",
		  "{\"5\":{\"6\":\"xy\",\"7\":[1]}}" },
		{ "{\"5\":1,\"05\":2}", "[[\"d\",[5]]]", "{\"05\":2}" },
		/* a name never is an element, nor a part of a string */
		{ "{\"a\":[{\"x\":1}]}", "[[\"s\",[\"a\",\"0\",\"x\"],2]]",
		  "bad_path" },
		{ "{\"a\":[1]}", "[[\"s\",[\"a\",\"length\"],0]]", "bad_path" },
		{ "{\"a\":\"abc\"}", "[[\"s\",[\"a\",0],\"x\"]]", "bad_path" },
		{ "{\"a\":\"abc\"}", "[[\"d\",[\"a\",0]]]", "bad_path" },
		{ "[]", "[[\"d\",[0]]]", "bad_path" },
		/* what was deleted comes back last; payloads are not searched */
		{ "{\"a\":1,\"b\":2}", "[[\"d\",[\"a\"]],[\"s\",[\"a\"],3]]",
		  "{\"b\":2,\"a\":3}" },
		{ "{\"a\":[]}",
		  "[[\"s\",[\"b\"],{\"constructor\":1}],"
		  "[\"p\",[\"a\"],0,0,[{\"prototype\":1}]]]",
		  "{\"a\":[{\"prototype\":1}],\"b\":{\"constructor\":1}}" },
		/* a batch is atomic */
		{ "{\"a\":1,\"s\":\"abc\",\"xs\":[1,2,3]}",
		  "[[\"s\",[\"a\"],2],[\"s\",[\"b\"],3],[\"d\",[\"a\"]],"
		  "[\"t\",[\"s\"],1],[\"a\",[\"s\"],\"z\"],"
		  "[\"p\",[\"xs\"],1,1,[7,8]],[\"s\",[\"xs\",4],5],"
		  "[\"d\",[\"xs\",0]],[\"s\",[\"zz\",\"y\"],1]]",
		  "bad_path" },
		{ "[[1],2]", "[[\"r\",{\"x\":1}],[\"s\",[\"x\"],2],[0]]",
		  "bad_op" },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		becomes(rows[i][0], rows[i][1], 6, rows[i][2]);
	becomes("{\"a\":[3,1,2]}", "[[\"m\",[\"a\"],[1,2,0]]]", 7,
		"{\"a\":[1,2,3]}");
	becomes("[1,2]", "[[\"m\",[],[1,0]]]", 7, "[2,1]");
	becomes("[1,2]", "[[\"m\",[],[0,0]]]", 7, "bad_op");
	becomes("[1,2]", "[[\"m\",[],[0,2]]]", 7, "bad_op");
	becomes("[1,2]", "[[\"m\",[],[0]]]", 7, "bad_path");
	becomes("{\"a\":1}", "[[\"m\",[\"a\"],[]]]", 7, "bad_path");
	becomes("[1,2]", "[[\"m\",[],[1,0]],[\"d\",[7]]]", 7, "bad_path");
	/* what is reordered may be changed before it is put back */
	becomes("[[1],[2],[3]]",
		"[[\"m\",[],[1,2,0]],[\"s\",[0,0],9],[\"s\",[2],8],"
		"[\"m\",[],[2,0,1]],[\"d\",[7]]]",
		7, "bad_path");
	becomes("[[1],[2],[3]]",
		"[[\"m\",[],[1,2,0]],[\"s\",[0,0],9],[\"m\",[],[2,0,1]]]", 7,
		"[[1],[9],[3]]");
}

/*
 * A value that another holds, with members that were deleted from it: the
 * copy that is written to has no gaps where they were.
 */
static void
shared(void)
{
	struct value *v = value_of("{\"o\":{\"a\":0,\"b\":{\"x\":1},"
				   "\"c\":{\"x\":\"y\"},\"d\":[1]}}");
	struct value *first = value_of("[[\"d\",[\"o\",\"a\"]]]");
	struct value *then = value_of("[[\"s\",[\"o\",\"b\",\"x\"],2],"
				      "[\"a\",[\"o\",\"c\",\"x\"],\"z\"],"
				      "[\"p\",[\"o\",\"d\"],1,0,[2]]]");
	struct fail fail = FAIL_INIT;
	struct value *held;
	struct replica r;

	(void)replica_init(&r, v, &fail);
	value_free(v);
	fold(&r, first, 6, &fail);
	held = value_ref(r.value);
	fold(&r, then, 6, &fail);
	is_value(r.value,
		 "{\"o\":{\"b\":{\"x\":2},\"c\":{\"x\":\"yz\"},\"d\":[1,2]}}",
		 "output 2: what a segment names, in a value that is shared");
	is_value(held,
		 "{\"o\":{\"b\":{\"x\":1},\"c\":{\"x\":\"y\"},\"d\":[1]}}",
		 "and what is held stays as it is");
	replica_release(&r);
	value_free(held);
	value_free(first);
	value_free(then);
	fail_release(&fail);
}

static void
says(const char *ops, const char *want)
{
	struct value *batch = value_of(ops), *v = value_of("{\"n\":1}");
	struct fail fail = FAIL_INIT;
	struct replica r;

	(void)replica_init(&r, v, &fail);
	fold(&r, batch, 6, &fail);
	is_string(fail.message.data, want,
		  "output 1.2: what a message carries");
	replica_release(&r);
	value_free(v);
	value_free(batch);
	fail_release(&fail);
}

static void
messages(void)
{
	says("[[\"s\",[\"n\",\"deep\"],1]]",
	     "path [\"n\",\"deep\"] does not resolve");
	says("[[\"q\"]]", "\"q\" is not a verb; legal: r, s, d, a, t, p");
	says("[[\"s\",[\"n\"]]]",
	     "\"s\" with 2 members; legal: [\"s\",path,value]");
	says("[[\"s\",[\"__proto__\"],1]]",
	     "\"__proto__\" is a reserved name; legal: any other name");
	says("[[\"a\",[\"n\"],\"x\"]]",
	     "path [\"n\"] does not lead to a string");
	says("[[\"s\",[\"n\"],\"😀\"],[\"t\",[\"n\"],1]]",
	     "path [\"n\"]: 1 units would cut a surrogate pair in half");
}

static void
limits(void)
{
	struct buf text = BUF_INIT;
	unsigned i;

	/* 55 levels in an array are 56, 56 under a member are too many */
	buf_adds(&text, "[[\"s\",[0],");
	for (i = 0; i < 55; i++)
		buf_addc(&text, '[');
	for (i = 0; i < 55; i++)
		buf_addc(&text, ']');
	buf_adds(&text, "],[\"d\",[0]]]");
	becomes("[]", text.data, 6, "[]");
	buf_reset(&text);
	buf_adds(&text, "[[\"s\",[\"a\"],");
	for (i = 0; i < 56; i++)
		buf_addc(&text, '[');
	for (i = 0; i < 56; i++)
		buf_addc(&text, ']');
	buf_adds(&text, "]]");
	becomes("{}", text.data, 6, "too_large");
	buf_reset(&text);
	buf_adds(&text, "[[\"r\",");
	for (i = 0; i < 57; i++)
		buf_addc(&text, '[');
	for (i = 0; i < 57; i++)
		buf_addc(&text, ']');
	buf_adds(&text, "]]");
	becomes("{}", text.data, 6, "too_large");
	buf_reset(&text);
	buf_adds(&text, "[[\"s\",[0");
	for (i = 0; i < 56; i++)
		buf_adds(&text, ",0");
	buf_adds(&text, "],1]]");
	becomes("[]", text.data, 6, "too_large");
	buf_release(&text);
}

/* 64 MiB and one byte more. */
static void
largest(void)
{
	struct value *v = value_of("{\"s\":\"\"}"), *path = value_of("[\"s\"]");
	struct buf half = BUF_INIT;
	struct fail fail = FAIL_INIT;
	struct ops ops = OPS_INIT;
	struct replica r;
	struct value *text;
	size_t at;

	while (half.len < VALUE_BYTES / 2 - 4)
		buf_addc(&half, 'x');
	text = value_new_string(buf_str(&half));
	(void)replica_init(&r, v, &fail);
	ops_add(&ops, 'a', path, text, 0, 0);
	ops_add(&ops, 'a', path, text, 0, 0);
	is_int(apply_batch(&r, &ops, &at, &fail), 0,
	       "output 1: a value of 67,108,864 bytes");
	is_int((long long)r.bytes, VALUE_BYTES, "of just as many");
	value_free(text);
	text = value_new_string(STR("y"));
	ops_reset(&ops);
	ops_add(&ops, 'a', path, text, 0, 0);
	is_int(apply_batch(&r, &ops, &at, &fail), -1, "and not one more");
	is_string(fail.code, "too_large", "is too_large");
	value_free(text);
	value_free(path);
	value_free(v);
	ops_release(&ops);
	buf_release(&half);
	replica_release(&r);
	fail_release(&fail);
}

/* Random paths into v, most of which lead somewhere. */
static struct value *
gen_path(struct lcg *g, const struct value *v)
{
	struct value *path = value_new_array();

	while (lcg_pick(g, 5) > 0) {
		size_t n = value_count(v), at;

		if (n == 0 || !value_is_container(v))
			break;
		at = lcg_pick(g, (unsigned)n + (lcg_pick(g, 4) == 0));
		if (v->kind == JSON_ARRAY) {
			value_push(path, value_new_integer(at));
			if (at == n)
				break;
			v = value_item(v, at);
		} else {
			const struct value_member *m = NULL;
			size_t pos = 0;

			for (at++; at > 0 && pos != VALUE_NONE; at--) {
				m = value_next(v, &pos);
				if (m == NULL)
					break;
			}
			if (m == NULL) {
				value_push(path, value_new_string(
							 str_of(gen_key(g))));
				break;
			}
			value_push(path, value_ref(m->key));
			v = m->value;
		}
	}
	return path;
}

static struct value *
gen_op(struct lcg *g, struct value *v)
{
	static const char *const verbs = "rsdatpmq";
	struct value *op = value_new_array();
	char verb[2] = { verbs[lcg_pick(g, lcg_pick(g, 20) == 0 ? 8 : 7)], 0 };

	if (verb[0] == 'r' && lcg_pick(g, 5) > 0)
		verb[0] = 's';
	value_push(op, value_new_string(str_of(verb)));
	if (verb[0] != 'r')
		value_push(op, gen_path(g, v));
	switch (verb[0]) {
	case 'a':
		value_push(op, gen_string(g));
		break;
	case 't':
		value_push(op, value_new_integer(lcg_pick(g, 8)));
		break;
	case 'p':
		value_push(op, value_new_integer(lcg_pick(g, 5)));
		value_push(op, value_new_integer(lcg_pick(g, 3)));
		value_push(op, value_of(lcg_pick(g, 2) ? "[]" : "[1,[2]]"));
		break;
	case 'm':
		value_push(op, value_of(lcg_pick(g, 2) ? "[1,0]" : "[2,0,1]"));
		break;
	case 'd':
		break;
	default:
		value_push(op, gen_value(g, 2));
	}
	if (lcg_pick(g, 40) == 0)
		value_push(op, gen_scalar(g));
	return op;
}

/*
 * P11: of each verb a form that is right; with every other number of members,
 * and in every place with what may not stand there, it is refused.
 */
static void
malformed(void)
{
	/* What each member may be instead: v verb, p path, * anything, */
	/* x text, n integer, l list, o order of two. */
	static const char *const forms[][2] = {
		{ "[\"r\",1]", "v*" },
		{ "[\"s\",[\"o\",\"x\"],1]", "vp*" },
		{ "[\"d\",[\"o\",\"x\"]]", "vp" },
		{ "[\"a\",[\"s\"],\"x\"]", "vpx" },
		{ "[\"t\",[\"s\"],1]", "vpn" },
		{ "[\"p\",[\"xs\"],0,1,[]]", "vPnnl" },
		{ "[\"m\",[\"xs\"],[1,0]]", "vPo" },
	};
	/* and where that is right: a root is a path of p and m alone. */
	static const char *const others[][2] = {
		{ "null", "*" },
		{ "true", "*" },
		{ "1", "*n" },
		{ "-1", "*" },
		{ "-0", "*" },
		{ "1.0", "*" },
		{ "1e2", "*" },
		{ "9007199254740992", "*" },
		{ "\"x\"", "*x" },
		{ "\"\"", "*x" },
		{ "\"rr\"", "*x" },
		{ "{}", "*" },
		{ "[]", "*Plo" },
		{ "[{}]", "*l" },
		{ "[1.5]", "*l" },
		{ "[null]", "*l" },
		{ "[\"__proto__\"]", "*l" },
		{ "[\"s\",true]", "*l" },
		{ "[1,1]", "*pPl" },
	};
	unsigned tried = 0, wrong = 0;
	struct fail fail = FAIL_INIT;
	size_t i, k, m, n;
	struct op op;

	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct value *raw = value_of(forms[i][0]), *was, **slot;

		n = value_count(raw);
		wrong += op_read(raw, 7, &op, &fail) != 0;
		op_release(&op);
		for (k = 0; k <= n + 1; k++) {
			struct value *other = value_new_array();

			for (m = 0; m < k; m++)
				value_push(other,
					   m < n ? value_ref(value_item(raw, m))
						 : value_new_integer(0));
			wrong += k != n && op_read(other, 7, &op, &fail) == 0;
			value_free(other);
		}
		for (m = 0; m < n; m++)
			for (k = 0; k < sizeof(others) / sizeof(others[0]);
			     k++) {
				if (strchr(others[k][1], forms[i][1][m]))
					continue;
				slot = value_slot(raw, m);
				was = *slot;
				*slot = value_of(others[k][0]);
				tried++;
				if (op_read(raw, 7, &op, &fail) == 0) {
					printf("# %s with %s\n", forms[i][0],
					       others[k][0]);
					op_release(&op);
					wrong++;
				}
				value_free(*slot);
				*slot = was;
			}
		value_free(raw);
	}
	is_int(wrong, 0, "P11: every malformed op is refused");
	ok(tried > 250, "P11: %u of them", tried);
	fail_release(&fail);
}

/*
 * Random batches: each is folded on the value, and op by op on a second one;
 * a refused batch leaves the first byte for byte as it was.
 */
static void
atomic_batches(void)
{
	struct lcg g = { 11 };
	unsigned i, k, wrong = 0, refused = 0, taken = 0;

	for (i = 0; i < 6000; i++) {
		struct value *v = gen_value(&g, 4);
		struct value *batch = value_new_array();
		struct buf before = BUF_INIT, after = BUF_INIT;
		struct fail fail = FAIL_INIT;
		struct replica r;

		(void)replica_init(&r, v, &fail);
		value_write(v, &before);
		for (k = 0; k < 1 + lcg_pick(&g, 4); k++)
			value_push(batch, gen_op(&g, v));
		fold(&r, batch, 7, &fail);
		value_write(r.value, &after);
		if (fail.kind != FAIL_NONE) {
			refused++;
			wrong += !str_eq(buf_str(&before), buf_str(&after));
			wrong += fail.message.len == 0;
		} else {
			taken++;
		}
		wrong += r.bytes != after.len;
		wrong += value_depth(r.value) > VALUE_DEPTH;
		buf_reset(&after);
		value_write(v, &after);
		wrong += !str_eq(buf_str(&before), buf_str(&after));
		replica_release(&r);
		value_free(v);
		value_free(batch);
		fail_release(&fail);
		buf_release(&before);
		buf_release(&after);
	}
	is_int(wrong, 0, "P11: a refused batch leaves every byte");
	ok(refused > 1000 && taken > 500, "P11: %u refused, %u taken", refused,
	   taken);
}

/* 50,000 slides take time in their number, not in its square. */
static void
slides(void)
{
	struct value *v = value_of("{\"s\":\"\",\"xs\":[]}");
	struct value *batch = value_of("[[\"a\",[\"s\"],\"0123456789\"],"
				       "[\"p\",[\"xs\"],9999,0,[1]],"
				       "[\"t\",[\"s\"],9],[\"d\",[\"xs\",0]]]");
	struct fail fail = FAIL_INIT;
	struct replica r;
	unsigned i;

	(void)replica_init(&r, v, &fail);
	for (i = 0; i < 50000; i++)
		fold(&r, batch, 6, &fail);
	ok(fail.kind == FAIL_NONE, "50,000 slides");
	is_int((long long)value_str(value_get(r.value, "s")).n, 50000,
	       "a unit each is left");
	is_int((long long)value_count(value_get(r.value, "xs")), 0,
	       "and no element");
	replica_release(&r);
	value_free(batch);
	value_free(v);
	fail_release(&fail);
}

int
main(void)
{
	vectors();
	shared();
	messages();
	limits();
	largest();
	malformed();
	atomic_batches();
	slides();
	return done();
}

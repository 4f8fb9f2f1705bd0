#include "output/op.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/json_write.h"
#include "base/utf8.h"
#include "base/xalloc.h"

static const struct op_shape shapes[] = {
	{ 'r', 2, true, "[\"r\",value]" },
	{ 's', 3, false, "[\"s\",path,value]" },
	{ 'd', 2, false, "[\"d\",path]" },
	{ 'a', 3, false, "[\"a\",path,text]" },
	{ 't', 3, false, "[\"t\",path,units]" },
	{ 'p', 5, true, "[\"p\",path,index,remove,items]" },
	{ 'm', 3, true, "[\"m\",path,permutation]" },
};

/* ---- reading ----------------------------------------------------------- */

void
op_quote(struct buf *out, const struct value *v)
{
	struct buf text = BUF_INIT;
	struct str cut;

	value_write(v, &text);
	cut = utf8_prefix(buf_str(&text), FAIL_QUOTE_CHARS);
	buf_add_str(out, cut);
	if (cut.n < text.len)
		buf_adds(out, "…");
	buf_release(&text);
}

/* Refuses v, of which `what` says what is wrong with it. */
static int
refuse(struct fail *fail, const char *code, const struct value *v,
       const char *what, const char *legal)
{
	struct buf quoted = BUF_INIT;

	op_quote(&quoted, v);
	(void)fail_refuse(fail, code, "%s %s; legal: %s", quoted.data, what,
			  legal);
	buf_release(&quoted);
	return -1;
}

const struct op_shape *
op_shape(const struct value *raw, unsigned verbs, struct fail *fail)
{
	const char *legal = verbs == OP_VERBS ? "r, s, d, a, t, p"
					      : "r, s, d, a, t, p, m";
	struct str verb;
	size_t i;

	if (raw->kind != JSON_ARRAY || value_count(raw) == 0 ||
	    value_item(raw, 0)->kind != JSON_STRING) {
		(void)refuse(fail, "bad_op", raw, "is not an op",
			     "an array that begins with a verb");
		return NULL;
	}
	verb = value_str(value_item(raw, 0));
	for (i = 0; verb.n == 1 && i < verbs; i++)
		if (shapes[i].verb == verb.s[0])
			return &shapes[i];
	(void)refuse(fail, "bad_op", value_item(raw, 0), "is not a verb",
		     legal);
	return NULL;
}

bool
op_is_reserved(struct str name)
{
	return str_is(name, "__proto__") || str_is(name, "constructor") ||
	       str_is(name, "prototype");
}

int
op_check_path(const struct op_shape *shape, const struct value *path,
	      struct fail *fail)
{
	const char *legal = "strings and integers from 0 to 9007199254740991";
	size_t i, n = value_count(path);
	uint64_t integer;

	if (path->kind != JSON_ARRAY)
		return refuse(fail, "bad_op", path, "is not a path",
			      shape->legal);
	if (n == 0 && !shape->root)
		return fail_refuse(fail, "bad_op",
				   "\"%c\" with the path []; legal: "
				   "a path of at least one segment",
				   shape->verb);
	for (i = 0; i < n; i++) {
		const struct value *segment = value_item(path, i);

		if (segment->kind == JSON_STRING) {
			if (op_is_reserved(value_str(segment)))
				return refuse(fail, "unsafe_path", segment,
					      "is a reserved name",
					      "any other name");
		} else if (!value_integer(segment, &integer)) {
			return refuse(fail, "unsafe_path", segment,
				      "is not a segment", legal);
		}
	}
	return 0;
}

int
op_check_length(const struct value *path, struct fail *fail)
{
	size_t n = value_count(path);

	if (n <= OP_PATH_MOST)
		return 0;
	return fail_refuse(fail, "too_large",
			   "a path of %zu segments; legal: at most %d", n,
			   OP_PATH_MOST);
}

/* Whether it has each of 0 to n-1 once. */
static bool
is_permutation(const struct value *v)
{
	size_t n = value_count(v), i;
	unsigned char *seen;
	uint64_t at;
	bool good = v->kind == JSON_ARRAY;

	seen = xcalloc(n + 1, 1);
	for (i = 0; good && i < n; i++) {
		good = value_integer(value_item(v, i), &at) && at < n &&
		       seen[at] == 0;
		if (good)
			seen[at] = 1;
	}
	free(seen);
	return good;
}

static int
take_splice(const struct op_shape *shape, struct value *const *payload,
	    struct op *op, struct fail *fail)
{
	if (!value_integer(payload[0], &op->index))
		return refuse(fail, "bad_op", payload[0], "is not an index",
			      shape->legal);
	if (!value_integer(payload[1], &op->remove))
		return refuse(fail, "bad_op", payload[1],
			      "is not a number of elements", shape->legal);
	if (payload[2]->kind != JSON_ARRAY)
		return refuse(fail, "bad_op", payload[2],
			      "is not an array of elements", shape->legal);
	op->value = value_ref(payload[2]);
	return 0;
}

int
op_take_payload(const struct op_shape *shape, struct value *const *payload,
		struct op *op, struct fail *fail)
{
	op->verb = shape->verb;
	switch (shape->verb) {
	case 'd':
		return 0;
	case 'a':
		if (payload[0]->kind != JSON_STRING)
			return refuse(fail, "bad_op", payload[0], "is not text",
				      shape->legal);
		break;
	case 't':
		if (!value_integer(payload[0], &op->index))
			return refuse(fail, "bad_op", payload[0],
				      "is not a number of units", shape->legal);
		return 0;
	case 'p':
		return take_splice(shape, payload, op, fail);
	case 'm':
		if (!is_permutation(payload[0]))
			return refuse(fail, "bad_op", payload[0],
				      "is not a permutation of 0 to its length",
				      shape->legal);
		break;
	default: /* r, s */
		break;
	}
	op->value = value_ref(payload[0]);
	return 0;
}

int
op_read(const struct value *raw, unsigned verbs, struct op *op,
	struct fail *fail)
{
	const struct op_shape *shape = op_shape(raw, verbs, fail);
	struct value *payload[OP_MEMBERS] = { NULL };
	size_t n = value_count(raw), i;
	unsigned before; /* the payload */

	*op = (struct op){ 0 };
	if (shape == NULL)
		return -1;
	if (n != shape->members)
		return fail_refuse(fail, "bad_op",
				   "\"%c\" with %zu members; legal: %s",
				   shape->verb, n, shape->legal);
	before = shape->verb == 'r' ? 1 : 2;
	if (before == 2 && op_check_path(shape, value_item(raw, 1), fail) != 0)
		return -1;
	for (i = before; i < n; i++)
		payload[i - before] = value_item(raw, i);
	if (op_take_payload(shape, payload, op, fail) != 0)
		return -1;
	if (before == 1)
		return 0;
	if (op_check_length(value_item(raw, 1), fail) != 0) {
		op_release(op);
		return -1;
	}
	op->path = value_ref(value_item(raw, 1));
	return 0;
}

void
op_release(struct op *op)
{
	value_free(op->path);
	value_free(op->value);
	*op = (struct op){ 0 };
}

bool
op_batch_is_base(const struct value *batch)
{
	const struct value *op;

	if (batch->kind != JSON_ARRAY || value_count(batch) == 0)
		return false;
	op = value_item(batch, 0);
	return op->kind == JSON_ARRAY && value_count(op) > 0 &&
	       value_item(op, 0)->kind == JSON_STRING &&
	       str_is(value_str(value_item(op, 0)), "r");
}

/* ---- writing, batches -------------------------------------------------- */

void
op_write_payload(const struct op *op, struct buf *out)
{
	if (op->verb == 't' || op->verb == 'p')
		buf_addf(out, ",%" PRIu64, op->index);
	if (op->verb == 'p')
		buf_addf(out, ",%" PRIu64, op->remove);
	if (op->value != NULL) {
		buf_addc(out, ',');
		value_write(op->value, out);
	}
}

void
op_write(const struct op *op, struct buf *out)
{
	buf_addf(out, "[\"%c\"", op->verb);
	if (op->path != NULL) {
		buf_addc(out, ',');
		value_write(op->path, out);
	}
	op_write_payload(op, out);
	buf_addc(out, ']');
}

void
ops_add(struct ops *ops, char verb, struct value *path, struct value *value,
	uint64_t index, uint64_t remove)
{
	XGROW(ops->v, ops->n + 1, ops->cap);
	ops->v[ops->n++] = (struct op){
		.verb = verb,
		.path = path == NULL ? NULL : value_ref(path),
		.value = value == NULL ? NULL : value_ref(value),
		.index = index,
		.remove = remove,
	};
}

void
ops_reset(struct ops *ops)
{
	while (ops->n > 0)
		op_release(&ops->v[--ops->n]);
}

void
ops_release(struct ops *ops)
{
	ops_reset(ops);
	free(ops->v);
	*ops = (struct ops)OPS_INIT;
}

void
ops_write(const struct ops *ops, struct buf *out)
{
	size_t i;

	buf_addc(out, '[');
	for (i = 0; i < ops->n; i++) {
		if (i > 0)
			buf_addc(out, ',');
		op_write(&ops->v[i], out);
	}
	buf_addc(out, ']');
}

#include "output/batch.h"

#include <inttypes.h>

#include "output/ndjson.h"

/* ---- reading ----------------------------------------------------------- */

static int
wrong_member(const struct value *key, const struct value *v, const char *legal,
	     struct fail *fail)
{
	struct buf name = BUF_INIT, quoted = BUF_INIT;

	op_quote(&name, key);
	op_quote(&quoted, v);
	(void)fail_refuse(fail, "bad_line", "%s: %s given; legal: %s",
			  name.data, quoted.data, legal);
	buf_release(&name);
	buf_release(&quoted);
	return -1;
}

static int
read_member(const struct value_member *m, struct batch *b, struct str *base,
	    struct fail *fail)
{
	struct str key = value_str(m->key), text;

	if (str_is(key, "ops")) {
		if (m->value->kind != JSON_ARRAY)
			return wrong_member(m->key, m->value, "an array of ops",
					    fail);
		b->ops = m->value;
		return 0;
	}
	if (str_is(key, "seq") || str_is(key, "atMs")) {
		bool seq = key.n == 3;

		if (!value_integer(m->value, seq ? &b->seq : &b->at_ms))
			return wrong_member(m->key, m->value,
					    "an integer from 0", fail);
		*(seq ? &b->has_seq : &b->has_at) = true;
		return 0;
	}
	if (!str_is(key, "base") && !str_is(key, "wire"))
		return wrong_member(m->key, m->value,
				    "the members seq, base, wire, atMs, ops",
				    fail);
	if (m->value->kind != JSON_BOOLEAN)
		return wrong_member(m->key, m->value, "true or false", fail);
	text = value_str(m->value);
	if (str_is(key, "wire")) {
		b->has_wire = true;
		b->wire = str_is(text, "true");
	} else {
		*base = key;
		b->base = str_is(text, "true");
	}
	return 0;
}

/* The members of a batch line; *at_fault: that which is wrong. */
static int
read_members(const struct value *v, struct batch *b, struct str *at_fault,
	     struct fail *fail)
{
	struct str base = { NULL, 0 };
	const struct value_member *m;
	size_t at = 0;

	while ((m = value_next(v, &at)) != NULL) {
		*at_fault = value_str(m->key);
		if (read_member(m, b, &base, fail) != 0)
			return -1;
	}
	*at_fault = base;
	if (b->ops == NULL) {
		*at_fault = (struct str){ NULL, 0 };
		return fail_refuse(fail, "bad_line",
				   "ops: missing; legal: an array of ops");
	}
	if (base.s != NULL && b->base != op_batch_is_base(b->ops))
		return fail_refuse(fail, "bad_line",
				   "base: %s given; legal: true when the first "
				   "op is an \"r\", else false",
				   b->base ? "true" : "false");
	return 0;
}

int
batch_read(struct str line, const struct value *v, struct batch *b,
	   struct fail *fail)
{
	struct str at_fault = { NULL, 0 };
	int rc = 0;

	*b = (struct batch){ .ops = v };
	if (v->kind == JSON_OBJECT) {
		b->ops = NULL;
		rc = read_members(v, b, &at_fault, fail);
	} else if (v->kind != JSON_ARRAY) {
		rc = fail_refuse(fail, "bad_line",
				 "no batch; legal: an array of ops, or an "
				 "object with the member ops");
	}
	if (rc != 0)
		return ndjson_blame(line, at_fault, fail);
	b->base = op_batch_is_base(b->ops);
	return 0;
}

int
batch_read_one(const struct value *v, struct batch *b, struct fail *fail)
{
	struct buf quoted = BUF_INIT;

	if (v->kind == JSON_ARRAY || v->kind == JSON_OBJECT)
		return batch_read(STR(""), v, b, fail);
	op_quote(&quoted, v);
	(void)fail_refuse(fail, "bad_op",
			  "%s is not a batch; legal: an array of ops",
			  quoted.data);
	buf_release(&quoted);
	return -1;
}

int
batch_follow(struct batch_sequence *s, const struct batch *b, struct fail *fail)
{
	if (s->known && b->has_seq && !b->base && b->seq != s->last + 1)
		return fail_refuse(fail, "gap",
				   "expected seq %" PRIu64 ", given %" PRIu64,
				   s->last + 1, b->seq);
	s->known = b->has_seq;
	s->last = b->seq;
	return 0;
}

int
batch_refuse_at(struct fail *fail, uint64_t batch, size_t op)
{
	struct buf message = BUF_INIT;
	const char *code = fail->code;

	buf_add_str(&message, buf_str(&fail->message));
	if (op == BATCH_NO_OP)
		(void)fail_refuse(fail, code, "batch %" PRIu64 ": %s", batch,
				  message.data);
	else
		(void)fail_refuse(fail, code, "batch %" PRIu64 ", op %zu: %s",
				  batch, op, message.data);
	fail_member_integer(fail, "batch", (int64_t)batch);
	if (op != BATCH_NO_OP)
		fail_member_integer(fail, "op", (int64_t)op);
	buf_release(&message);
	return -1;
}

/* ---- writing ----------------------------------------------------------- */

void
batch_write(struct buf *out, const struct batch *b, struct str ops)
{
	buf_addf(out, "{\"seq\":%" PRIu64 ",\"base\":%s", b->seq,
		 b->base ? "true" : "false");
	if (b->has_at)
		buf_addf(out, ",\"atMs\":%" PRIu64, b->at_ms);
	if (b->wire)
		buf_adds(out, ",\"wire\":true");
	buf_adds(out, ",\"ops\":");
	buf_add_str(out, ops);
	buf_addc(out, '}');
}

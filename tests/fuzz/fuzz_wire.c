/*
 * Wire batches, one a line, of one stream.  What a decoder takes is a right
 * logical op; encoded anew and decoded by a fresh pair it is the same op.
 */
#include <stdint.h>
#include <stdlib.h>

#include "output/wire.h"

static void
require(bool holds)
{
	if (!holds)
		abort();
}

/* Decodes what can be decoded. */
static void
decode(struct wire_decoder *d, const struct value *batch, struct ops *ops,
       bool all)
{
	struct fail fail = FAIL_INIT;
	struct op op;
	size_t i;

	wire_begin(d);
	for (i = 0; i < value_count(batch); i++) {
		int rc = wire_decode(d, value_item(batch, i), &op, &fail);

		require(rc >= 0 || (!all && fail.message.len > 0));
		if (rc > 0)
			ops_add(ops, op.verb, op.path, op.value, op.index,
				op.remove);
		if (rc > 0)
			op_release(&op);
		fail_release(&fail);
	}
}

/* A decoded op passes the checks of logical ones. */
static void
check(const struct ops *ops)
{
	struct fail fail = FAIL_INIT;
	struct buf text = BUF_INIT;
	struct value *batch;
	struct op op;
	size_t i;

	ops_write(ops, &text);
	batch = value_read(buf_str(&text), NULL);
	require(batch != NULL && value_count(batch) == ops->n);
	for (i = 0; i < ops->n; i++) {
		require(op_read(value_item(batch, i), 7, &op, &fail) == 0);
		op_release(&op);
	}
	value_free(batch);
	buf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct str rest = { (const char *)p, n };
	struct wire_decoder first, second;
	struct wire_encoder encoder;

	wire_decoder_init(&first, 7);
	wire_decoder_init(&second, 7);
	wire_encoder_init(&encoder);
	while (rest.n > 0) {
		const char *end = memchr(rest.s, '\n', rest.n);
		size_t length = end == NULL ? rest.n : (size_t)(end - rest.s);
		struct value *v = value_read((struct str){ rest.s, length },
					     NULL);
		struct ops ops = OPS_INIT, again = OPS_INIT;
		struct buf wire = BUF_INIT, a = BUF_INIT, b = BUF_INIT;

		rest = str_from(rest, length + (end != NULL));
		if (v != NULL && v->kind == JSON_ARRAY &&
		    value_depth(v) < VALUE_NESTING - 4) {
			decode(&first, v, &ops, false);
			check(&ops);
			wire_encode(&encoder, &ops, &wire);
			value_free(v);
			v = value_read(buf_str(&wire), NULL);
			require(v != NULL);
			decode(&second, v, &again, true);
			ops_write(&ops, &a);
			ops_write(&again, &b);
			require(str_eq(buf_str(&a), buf_str(&b)));
		}
		value_free(v);
		ops_release(&ops);
		ops_release(&again);
		buf_release(&wire);
		buf_release(&a);
		buf_release(&b);
	}
	wire_decoder_release(&first);
	wire_decoder_release(&second);
	wire_encoder_release(&encoder);
	return 0;
}

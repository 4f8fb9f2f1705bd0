/*
 * A value and batches for it, one a line.  A batch is taken whole, and then
 * the replica's count of its bytes is right; or refused, and then no byte has
 * changed.  What delta() says of the way from the first value to the last
 * turns the one into the other.
 */
#include <stdint.h>
#include <stdlib.h>

#include "output/apply.h"
#include "output/delta.h"

static void
require(bool holds)
{
	if (!holds)
		abort();
}

static void
fold(struct replica *r, const struct value *batch, struct fail *fail)
{
	struct op op;
	size_t i;

	apply_begin(r);
	for (i = 0; i < value_count(batch); i++) {
		int rc = op_read(value_item(batch, i), 7, &op, fail);

		if (rc == 0)
			rc = apply_op(r, &op, fail);
		op_release(&op);
		if (rc != 0) {
			require(fail->message.len > 0);
			apply_undo(r);
			return;
		}
	}
	apply_commit(r);
}

static void
take(struct replica *r, struct value *batch)
{
	struct fail fail = FAIL_INIT;
	struct buf before = BUF_INIT, after = BUF_INIT;

	if (r->value != NULL)
		value_write(r->value, &before);
	fold(r, batch, &fail);
	if (r->value != NULL)
		value_write(r->value, &after);
	if (fail.kind != FAIL_NONE)
		require(str_eq(buf_str(&before), buf_str(&after)));
	require(r->bytes == after.len);
	require(r->value == NULL || value_depth(r->value) <= VALUE_DEPTH);
	fail_release(&fail);
	buf_release(&before);
	buf_release(&after);
}

static void
compare(struct value *a, struct value *b, unsigned verbs)
{
	struct delta_options options = { DELTA_SCAN, verbs };
	struct fail fail = FAIL_INIT;
	struct ops ops = OPS_INIT;
	struct replica r;
	size_t at;

	require(replica_init(&r, a, &fail) == 0);
	delta(a, b, &options, &ops);
	require(apply_batch(&r, &ops, &at, &fail) == 0);
	require(value_equal(r.value, b) && r.bytes == value_bytes(b));
	require((ops.n == 0) == value_equal(a, b));
	ops_release(&ops);
	replica_release(&r);
	fail_release(&fail);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct str rest = { (const char *)p, n };
	struct fail fail = FAIL_INIT;
	struct value *first = NULL;
	struct replica r;

	require(replica_init(&r, NULL, &fail) == 0);
	while (rest.n > 0) {
		const char *end = memchr(rest.s, '\n', rest.n);
		size_t length = end == NULL ? rest.n : (size_t)(end - rest.s);
		struct value *v = value_read((struct str){ rest.s, length },
					     NULL);

		rest = str_from(rest, length + (end != NULL));
		if (v != NULL && first == NULL &&
		    replica_set(&r, v, &fail) == 0)
			first = value_ref(v);
		else if (v != NULL && v->kind == JSON_ARRAY)
			take(&r, v);
		value_free(v);
	}
	if (first != NULL) {
		compare(first, r.value, 6);
		compare(r.value, first, 7);
	}
	value_free(first);
	replica_release(&r);
	fail_release(&fail);
	return 0;
}

#include "output/folder.h"

void
folder_init(struct folder *f, bool wire, unsigned verbs)
{
	*f = (struct folder){ .wire = wire, .verbs = verbs };
	wire_decoder_init(&f->d, verbs);
}

void
folder_release(struct folder *f)
{
	replica_release(&f->r);
	wire_decoder_release(&f->d);
}

/* 1: an op to apply; 0: none; -1: a fault. */
static int
read_op(struct folder *f, const struct value *raw, bool wire, struct op *op,
	struct fail *fail)
{
	if (wire)
		return wire_decode(&f->d, raw, op, fail);
	return op_read(raw, f->verbs, op, fail) != 0 ? -1 : 1;
}

int
folder_take(struct folder *f, const struct batch *b, struct fail *fail)
{
	bool wire = b->has_wire ? b->wire : f->wire;
	struct op op;
	size_t i, n = value_count(b->ops);

	if (batch_follow(&f->sequence, b, fail) != 0)
		return batch_refuse_at(fail, f->batches, BATCH_NO_OP);
	if (f->r.value == NULL && !b->base) {
		(void)fail_refuse(fail, "no_base",
				  "no value to apply ops to; legal: a batch "
				  "that begins with \"r\"");
		return batch_refuse_at(fail, f->batches, BATCH_NO_OP);
	}
	apply_begin(&f->r);
	wire_begin(&f->d);
	for (i = 0; i < n; i++) {
		int rc = read_op(f, value_item(b->ops, i), wire, &op, fail);

		if (rc > 0)
			rc = apply_op(&f->r, &op, fail);
		op_release(&op);
		if (rc < 0) {
			apply_undo(&f->r);
			return batch_refuse_at(fail, f->batches, i);
		}
	}
	apply_commit(&f->r);
	f->batches++;
	return 0;
}

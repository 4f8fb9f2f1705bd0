#ifndef OUTPUT_APPLY_H
#define OUTPUT_APPLY_H

#include "output/op.h"

/*
 * A value to which batches are applied (spec/output.md section 2).  A batch is
 * atomic: what it has changed is logged, so that a refusal takes it all back,
 * and the cost is that of the changes and not of the value.
 *
 *	apply_begin(&r);
 *	for each op
 *		if (apply_op(&r, &op, &fail) != 0)
 *			return apply_undo(&r);
 *	apply_commit(&r);
 */
struct undo;

struct replica {
	struct value *value; /* NULL: none yet */
	size_t bytes;	     /* compact bytes of it */
	struct undo *log;
	size_t n, cap;
	size_t bytes_before; /* of the batch */
};

/* Takes a reference to value, which may be NULL.  -1: too_large. */
int replica_init(struct replica *r, struct value *value, struct fail *fail);
void replica_release(struct replica *r);

/* Another value, outside any batch.  -1: too_large, and r is as it was. */
int replica_set(struct replica *r, struct value *value, struct fail *fail);

void apply_begin(struct replica *r);

/*
 * 0, or -1: no_base, bad_path, split_pair, too_large; what is wrong without
 * the place of the op.  The op may be released afterwards.
 */
int apply_op(struct replica *r, const struct op *op, struct fail *fail);

void apply_commit(struct replica *r);
void apply_undo(struct replica *r);

/* All of a batch; at a refusal r is as it was, and *at is the op's number. */
int apply_batch(struct replica *r, const struct ops *ops, size_t *at,
		struct fail *fail);

/*
 * What stands at a path, borrowed; NULL with bad_path when nothing does.
 * The path was checked.
 */
struct value *apply_look(struct value *value, const struct value *path,
			 struct fail *fail);

#endif /* OUTPUT_APPLY_H */

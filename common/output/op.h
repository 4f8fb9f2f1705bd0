#ifndef OUTPUT_OP_H
#define OUTPUT_OP_H

#include "output/value.h"
#include "tool/fail.h"

/*
 * One change of a value (spec/output.md section 2), checked: what the rest of
 * this family works with.  An op owns a reference to each of its values.
 */
struct op {
	char verb;	     /* r s d a t p, or m */
	struct value *path;  /* array of segments; NULL of r */
	struct value *value; /* r s: value; a: text; p: items; m: permutation */
	uint64_t index;	     /* p: where; t: how many units */
	uint64_t remove;     /* p */
};

/* A batch. */
struct ops {
	struct op *v;
	size_t n, cap;
};

#define OPS_INIT           \
	{                  \
		NULL, 0, 0 \
	}
#define OP_VERBS 6	/* the default vocabulary; 7 has m as well */
#define OP_MEMBERS 5	/* the most that an op has */
#define OP_PATH_MOST 56 /* segments */

/* How an op of a verb is made up. */
struct op_shape {
	char verb;
	unsigned members; /* with the verb and the path */
	bool root;	  /* its path may be [] */
	const char *legal;
};

/*
 * Checks of one op as it came, in the order of section 2; each refuses with
 * the code and what is wrong, without saying where the op stands.
 */

/* An array with a known verb first: its shape.  NULL: bad_op. */
const struct op_shape *op_shape(const struct value *raw, unsigned verbs,
				struct fail *fail);

/* 0, or -1: bad_op, unsafe_path. */
int op_check_path(const struct op_shape *shape, const struct value *path,
		  struct fail *fail);

/*
 * Takes what stands after the path; the members are borrowed, the op gets
 * references of its own.  0, or -1: bad_op.
 */
int op_take_payload(const struct op_shape *shape, struct value *const *payload,
		    struct op *op, struct fail *fail);

/* A limit, hence after all these.  0, or -1: too_large. */
int op_check_length(const struct value *path, struct fail *fail);

/* All of it for a logical op: 0, or -1 with nothing to release. */
int op_read(const struct value *raw, unsigned verbs, struct op *op,
	    struct fail *fail);

void op_release(struct op *op);

/* Names that no segment may be: `__proto__` and its like. */
bool op_is_reserved(struct str name);

/* The op as it was, in compact JSON. */
void op_write(const struct op *op, struct buf *out);

/* What stands after its path, each with a comma before it. */
void op_write_payload(const struct op *op, struct buf *out);

/* Adds an op with new references; what an op does not have is NULL or 0. */
void ops_add(struct ops *ops, char verb, struct value *path,
	     struct value *value, uint64_t index, uint64_t remove);
void ops_reset(struct ops *ops); /* empty again, memory kept */
void ops_release(struct ops *ops);
void ops_write(const struct ops *ops, struct buf *out);

/* The token test of section 1.1: whether the batch gives a whole value. */
static inline bool
ops_is_base(const struct ops *ops)
{
	return ops->n > 0 && ops->v[0].verb == 'r';
}

/* The same of a batch as it came, logical or wire. */
bool op_batch_is_base(const struct value *batch);

/* Adds JSON of v for a message: no longer than messages are. */
void op_quote(struct buf *out, const struct value *v);

#endif /* OUTPUT_OP_H */

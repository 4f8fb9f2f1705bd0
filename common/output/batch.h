#ifndef OUTPUT_BATCH_H
#define OUTPUT_BATCH_H

#include "output/op.h"

/*
 * A batch as it travels (spec/output.md section 1.1): a bare array of ops, or
 * a batch line, which is an object around it.
 */
struct batch {
	const struct value *ops; /* an array; borrowed from what was read */
	bool base;		 /* by the token test */
	bool has_seq, has_at, has_wire;
	uint64_t seq, at_ms;
	bool wire; /* as the line says; false without */
};

/*
 * line: the text of v, by which a fault says where it is; empty for one of a
 * list.  0, or -1: bad_line.
 */
int batch_read(struct str line, const struct value *v, struct batch *b,
	       struct fail *fail);

/*
 * A batch of a list of them: as batch_read(), but bad_op for what is neither
 * an array nor an object.
 */
int batch_read_one(const struct value *v, struct batch *b, struct fail *fail);

/* The lines of one stream: where a line must continue the one before. */
struct batch_sequence {
	bool known;
	uint64_t last;
};

/* 0, or -1: gap. */
int batch_follow(struct batch_sequence *s, const struct batch *b,
		 struct fail *fail);

/*
 * Says where in a refusal: `batch 2, op 1: ...`, and members batch and op.
 * BATCH_NO_OP: it is about the whole batch.  Gives -1.
 */
#define BATCH_NO_OP ((size_t)-1)
int batch_refuse_at(struct fail *fail, uint64_t batch, size_t op);

/* A line for ops that are JSON text, without its LF. */
void batch_write(struct buf *out, const struct batch *b, struct str ops);

#endif /* OUTPUT_BATCH_H */

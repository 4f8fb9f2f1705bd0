#ifndef OUTPUT_FOLDER_H
#define OUTPUT_FOLDER_H

#include "output/apply.h"
#include "output/batch.h"
#include "output/wire.h"

/*
 * Folds the batches of one stream, logical or wire, op by op: a fault is that
 * of the first op that has one, and the value is what it was before its batch.
 */
struct folder {
	struct replica r;
	struct wire_decoder d;
	struct batch_sequence sequence;
	unsigned verbs;
	bool wire;	  /* what batches without a word about it are */
	uint64_t batches; /* that were folded */
};

/* Starts without a value; see replica_set(). */
void folder_init(struct folder *f, bool wire, unsigned verbs);
void folder_release(struct folder *f);

/*
 * 0, or -1 with the refusal, which says where: members batch and op, but for
 * no_base and gap, of which op is left out.
 */
int folder_take(struct folder *f, const struct batch *b, struct fail *fail);

#endif /* OUTPUT_FOLDER_H */

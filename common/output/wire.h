#ifndef OUTPUT_WIRE_H
#define OUTPUT_WIRE_H

#include "output/op.h"

/*
 * Ops as they travel (spec/output.md section 5.1): a path that comes again is
 * given a number, and one that is the path of the op before is left out.  A
 * base makes both sides forget, so that what comes after the last base stands
 * for itself.  One encoder and one decoder for each stream and each reader.
 */
struct wire_table;

struct wire_encoder {
	struct wire_table *table; /* path to number, or seen once */
	uint64_t next;		  /* number */
	uint64_t numbered;	  /* how many `#` were written */
};

struct wire_decoder {
	struct wire_table *table; /* number to path */
	unsigned verbs;
	uint64_t numbered;    /* how many `#` were read */
	struct value *before; /* path of the op before in the batch, or NULL */
};

#define WIRE_PATHS_MOST 65536	    /* that an encoder remembers */
#define WIRE_NUMBERS_MOST 1048576   /* that a decoder does */
#define WIRE_BYTES_MOST VALUE_BYTES /* of their paths, on either side */

void wire_encoder_init(struct wire_encoder *e);
void wire_encoder_release(struct wire_encoder *e);

/* Adds the batch, a JSON array of wire ops, to out. */
void wire_encode(struct wire_encoder *e, const struct ops *ops,
		 struct buf *out);

void wire_decoder_init(struct wire_decoder *d, unsigned verbs);
void wire_decoder_release(struct wire_decoder *d);

/* A batch begins: a short form does not reach back over it. */
void wire_begin(struct wire_decoder *d);

/*
 * One wire op.  1: *op is the logical op, to be released; 0: it only defines
 * a number; -1: bad_op, unsafe_path, bad_ref or too_large, and nothing has
 * changed.
 */
int wire_decode(struct wire_decoder *d, const struct value *raw, struct op *op,
		struct fail *fail);

#endif /* OUTPUT_WIRE_H */

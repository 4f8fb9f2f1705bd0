#ifndef OUTPUT_DELTA_H
#define OUTPUT_DELTA_H

#include "output/op.h"

/*
 * The ops that turn one value into another (spec/output.md section 3).
 * Linear in both.
 */
struct delta_options {
	size_t scan;	/* units of an old string's end that are searched */
	unsigned verbs; /* 6; 7 also emits m */
};

#define DELTA_SCAN 2097152
#define DELTA_OPTIONS                \
	{                            \
		DELTA_SCAN, OP_VERBS \
	}

/* Adds them to ops; none when the values are equal. */
void delta(const struct value *before, struct value *after,
	   const struct delta_options *options, struct ops *ops);

/* The same of two strings at a path: s, or t and a, or nothing. */
void delta_text(struct str before, struct value *after, struct value *path,
		size_t scan, struct ops *ops);

#endif /* OUTPUT_DELTA_H */

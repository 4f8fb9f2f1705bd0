#ifndef OUTPUT_RECOVER_H
#define OUTPUT_RECOVER_H

#include "output/apply.h"
#include "output/wire.h"

/*
 * Reading a journal (spec/output.md sections 8.1 and 8.4): from its last base
 * on, so that the cost does not depend on what lies before that.
 */
#define RECOVER_BLOCK 65536
#define RECOVER_PAYLOAD_MOST 99999999 /* bytes: eight digits */

struct recovered {
	bool exists;	       /* has a whole header */
	struct buf id, kind;   /* of the header */
	struct replica r;      /* no value: there is no base */
	struct value *memos;   /* object; NULL without a base */
	struct wire_decoder d; /* the numbers of paths since the base */
	int64_t seq;	       /* of the last line; -1: there is none */
	int64_t batch_seq;     /* of the last batch; -1 */
	uint64_t replayed;     /* D lines after the last base */
	uint64_t bytes_read, torn, end; /* end: of the last whole line */
	bool settled, is_error, retired;
	/* Of everything, where all was read. */
	uint64_t lines, batches, bases;
};

/*
 * Reads the journal in fd, whose name is for messages.  all: from the start.
 * 0, or -1: not_text, damaged, or FAIL_ENVIRONMENT.  To be released in either
 * case.
 */
int recover(int fd, const char *name, bool all, unsigned verbs,
	    struct recovered *r, struct fail *fail);
void recovered_release(struct recovered *r);

/* CRC-32 (IEEE) of a line: of its class and its payload. */
uint32_t recover_crc(char class, struct str payload);

#endif /* OUTPUT_RECOVER_H */

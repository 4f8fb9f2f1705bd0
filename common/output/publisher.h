#ifndef OUTPUT_PUBLISHER_H
#define OUTPUT_PUBLISHER_H

#include "output/delta.h"
#include "output/journal.h"
#include "output/pace.h"

/*
 * Says how a value changes (spec/output.md section 5.3): the ops from what was
 * published to what is now, to a journal first and then to whoever listens.
 */
struct publisher {
	struct pace pace;
	struct delta_options options;
	struct value *published; /* NULL: nothing yet */
	bool owed;		 /* the next batch is a base */
	uint64_t rebase_every;	 /* 0: only when asked */
	uint64_t since;		 /* batches since and including the last base */
	uint64_t seq, batches, bytes;
	bool virtual_time; /* lines have atMs */

	struct journal *journal; /* NULL: none */
	struct value *memos;	 /* object; borrowed; NULL: none */
	bool journaled;		 /* it has a base of ours */

	/* Takes a batch line.  0, or -1 with *fail.  NULL: nobody listens. */
	int (*put)(void *ctx, struct buf *line, struct fail *fail);
	void *ctx;
};

/* Such a one. */
int publisher_to_stdout(void *ctx, struct buf *line, struct fail *fail);

enum publish_as {
	PUBLISH_CHANGE, /* ops, unless a base is due; nothing without a change */
	PUBLISH_BASE,	/* a base */
	PUBLISH_MEMO	/* a base, and in the journal an M line */
};

void publisher_init(struct publisher *p, int64_t min_ms, int64_t bytes_per_s,
		    unsigned verbs);
void publisher_release(struct publisher *p);

/*
 * Publishes value at `now`.  The state is committed before anything is
 * written.  0, or -1 with FAIL_ENVIRONMENT, also for what the journal refuses.
 */
int publisher_flush(struct publisher *p, struct value *value, int64_t now,
		    enum publish_as as, struct fail *fail);

/* The line that settles the journal, if there is one. */
int publisher_settle(struct publisher *p, bool is_error, struct fail *fail);

#endif /* OUTPUT_PUBLISHER_H */

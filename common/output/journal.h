#ifndef OUTPUT_JOURNAL_H
#define OUTPUT_JOURNAL_H

#include "output/recover.h"
#include "tool/facts.h"

/*
 * Writing a journal (spec/output.md section 8.2): one line is one transaction,
 * written under the lock under which the file's end was read.
 *
 *	journal_lock(&j, ...)	j.now is what the file says
 *	journal_batch(&j, ...)
 *	journal_unlock(&j)
 */
enum journal_fsync { JOURNAL_ALWAYS, JOURNAL_BASE, JOURNAL_NONE };

#define JOURNAL_LOCK_MS 10000
#define JOURNAL_REBASE_EVERY 50
#define JOURNAL_MARKER                                                        \
	"[The tool was interrupted before it finished. What it had produced " \
	"until then is above.]"

struct journal_options {
	const char *id, *kind; /* for the header of a new file */
	enum journal_fsync fsync;
	int64_t lock_ms;
	unsigned verbs;
};

struct journal {
	struct journal_options options;
	struct buf path, name; /* name: for messages */
	int fd;		       /* -1: not open */
	bool locked;
	bool made;    /* by the last lock, and nothing is in it yet */
	bool foreign; /* at the last lock there were lines of others */
	struct recovered now;
	bool known;	       /* now is that of the file, up to now.end */
	struct wire_encoder e; /* goes on from the last base */
	bool numbers;	       /* e may give numbers to paths */
};

/* The path is taken from CTX_CWD.  0, or -1 with FAIL_ENVIRONMENT. */
int journal_init(struct journal *j, const struct facts *facts, const char *path,
		 const struct journal_options *options, struct fail *fail);
void journal_release(struct journal *j);

enum journal_for {
	JOURNAL_READ,	/* a shared lock; the file must be there */
	JOURNAL_CHECK,	/* the same, and all of it is read */
	JOURNAL_CHANGE, /* the file must be there */
	JOURNAL_CREATE /* it is made; and is gone again if nothing is written */
};

/*
 * Locks, and sees what the file holds now, without reading again what is
 * known.  0, or -1: not_found, not_file, not_text, damaged, busy, or
 * FAIL_ENVIRONMENT.
 */
int journal_lock(struct journal *j, enum journal_for what, struct fail *fail);
void journal_unlock(struct journal *j);

/* Whether it can be continued: 0, or -1 as journal_lock(). */
int journal_try(struct journal *j, struct fail *fail);

/* -1: retired, or settled. */
int journal_open_end(const struct journal *j, struct fail *fail);

/*
 * Each adds a line and gives its bytes, or -1 with FAIL_ENVIRONMENT: the file
 * then ends where it did.  It is as durable as options.fsync says.
 *
 * The value of now is not changed by a batch: who has folded the ops there
 * before (journal_fold()), or replaces it with a base, says so.
 */
int64_t journal_batch(struct journal *j, const struct ops *ops,
		      struct fail *fail);
/* A base of now.r.value, B; M: with memos that are new. */
int64_t journal_base(struct journal *j, char class, struct fail *fail);
int64_t journal_settle(struct journal *j, bool is_error, struct fail *fail);
int64_t journal_retire(struct journal *j, struct fail *fail);

/* A base and then a settling line in one write. */
int64_t journal_interrupt(struct journal *j, struct fail *fail);

/*
 * The file anew: header, last base, settling line.  0, or -1 with
 * FAIL_ENVIRONMENT and nothing changed.
 */
int journal_compact(struct journal *j, uint64_t *after, struct fail *fail);

/* How many batches stand since and including the last base; 0 without one. */
uint64_t journal_since_base(const struct journal *j);

#endif /* OUTPUT_JOURNAL_H */

#ifndef OUTPUT_SPILL_H
#define OUTPUT_SPILL_H

#include <stdbool.h>

#include "base/buf.h"
#include "tool/fail.h"

/*
 * The raw output in a file (spec/output.md section 6.3): before a limit is
 * crossed only its start is held, and from then on every byte is written, by
 * blocking writes.
 */
enum spill_when { SPILL_AUTO, SPILL_ALWAYS, SPILL_NEVER };

struct spill {
	enum spill_when when;
	struct buf dir;	  /* absolute; made when it is needed */
	const char *kind; /* the file is <kind>-<16 random hex>.log */
	struct buf path;  /* of the file; empty: there is none */
	int fd;		  /* -1 without one */
	long long size;	  /* of the file */
	struct buf held;  /* bytes before there is one */
};

/* dir is copied. */
void spill_init(struct spill *s, enum spill_when when, struct str dir,
		const char *kind);
void spill_release(struct spill *s);

/* Makes the file and writes what is held.  0, or -1: spill_failed. */
int spill_open(struct spill *s, struct fail *fail);

/*
 * Adds bytes to the file, or holds them; crossed: a limit is, so that there
 * must be one.  0, or -1: spill_failed.
 */
int spill_add(struct spill *s, struct str bytes, bool crossed,
	      struct fail *fail);

/* The file is used no longer; another may be made. */
void spill_close(struct spill *s);

/* As spill_close, and the file is removed: there was nothing to keep. */
void spill_discard(struct spill *s);

/*
 * Goes on with a file: cut back to `size` bytes.  1: and its last byte is LF;
 * 0: it is not, or the file is empty; -1: it cannot be continued.
 */
int spill_resume(struct spill *s, struct str path, long long size);

#endif /* OUTPUT_SPILL_H */

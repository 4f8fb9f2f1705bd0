#ifndef CONTEXT_NOTEBOOK_H
#define CONTEXT_NOTEBOOK_H

#include <sys/stat.h>

#include "context/ledger.h"
#include "tool/fail.h"

/*
 * The notes of one agent: real files in the folder notes/ of its state, and
 * the record of their times (spec/context.md sections 3.3 to 3.9, 8.2).  The
 * caller holds the lock of the root session: shared for what reads here,
 * exclusive for what writes.
 */
#define NOTEBOOK_FILES 10000
#define NOTEBOOK_READ_BYTES 16777216 /* a larger file is listed, not read */
#define NOTEBOOK_META "notes.meta"

struct notebook {
	struct str agent; /* canonical; borrowed */
	int dir;	  /* of the agent; -1: it has none yet */
	int notes;	  /* its notes/; -1: none */
	struct ledger ledger;
	bool read; /* the ledger was */
};

/* One note file. */
struct note_file {
	char *path; /* below notes/ */
	int64_t bytes, created_ms, updated_ms;
};

struct note_files {
	struct note_file *v; /* by path, in byte order */
	size_t n, cap;
	int64_t bytes;	 /* of all */
	int64_t skipped; /* what is there and is not a note file */
};

/*
 * Opens what is there of the agent's folder; root is that of the state, or -1.
 * Nothing is made.  -1 with FAIL_ENVIRONMENT; notebook_close() in any case.
 */
int notebook_open(struct notebook *nb, int root, struct str agent,
		  struct fail *fail);
void notebook_close(struct notebook *nb);

/* Makes the agent's folder, durably. */
int notebook_make(struct notebook *nb, int root, struct fail *fail);

/*
 * Adds the files whose path begins with prefix.  files comes zeroed.  -1 with
 * FAIL_ENVIRONMENT; notebook_files_release() in any case.
 */
int notebook_list(struct notebook *nb, struct str prefix,
		  struct note_files *files, struct fail *fail);
void notebook_files_release(struct note_files *files);

/*
 * Reads a note, valid UTF-8, into out, and its facts but the path.  -1 with
 * not_found, too_large, not_text, or FAIL_ENVIRONMENT.
 */
int notebook_read(struct notebook *nb, struct str path, struct buf *out,
		  struct note_file *facts, struct fail *fail);

/*
 * The same for a search, which passes over what is not text: false, and no
 * failure, then.
 */
bool notebook_peek(struct notebook *nb, struct str path, struct buf *out);

/* A write that is about to be done. */
struct note_write {
	struct str path; /* below notes/ */
	struct str text; /* to store, or to add */
	bool append;
	int64_t max_bytes;
	int64_t now_ms;
	/* As notebook_prepare() found it. */
	bool exists;
	struct stat seen; /* where it exists */
	struct buf bytes; /* of an append: the whole file to be */
	int64_t size;	  /* of the file to be */
	int64_t created_ms, updated_ms;
};

/*
 * Looks whether the write may be done, and what comes of it; nothing changes.
 * -1 with too_large, not_text, path_conflict, limit_reached, or
 * FAIL_ENVIRONMENT.  w->bytes is initialised by the caller, who releases it.
 */
int notebook_prepare(struct notebook *nb, struct note_write *w,
		     struct fail *fail);

/*
 * Does it: note and record are durable afterwards.  -1 with path_conflict or
 * FAIL_ENVIRONMENT, and nothing changed unless the message says what; 1 when
 * somebody has changed the file since notebook_prepare(): begin again.
 */
int notebook_store(struct notebook *nb, int root, struct note_write *w,
		   struct fail *fail);

/* Whether the note is there with that size and time (8.3). */
bool notebook_has(struct notebook *nb, struct str path, int64_t bytes,
		  int64_t updated_ms);

/*
 * Adds the lines of advice on the size of notes (3.10), each with a line
 * feed, for an agent whose files these are.
 */
void notebook_warnings(const struct note_files *files, struct str agent,
		       int64_t max_bytes, struct buf *out);

#endif /* CONTEXT_NOTEBOOK_H */

#ifndef TRANSCRIPT_WINDOWS_H
#define TRANSCRIPT_WINDOWS_H

#include "base/buf.h"
#include "transcript/hosts.h"
#include "transcript/transcript.h"

/*
 * The windows that an agent's context has had, as the boundaries on a
 * transcript's branch divide it (spec/history.md section 7.1), oldest first.
 */
struct windows_row {
	struct buf id;
	bool has_created_at; /* never of the first */
	struct buf created_at;
	uint32_t first, last, count; /* seqs of events; 0 without any */
	bool spoken; /* somebody said something in it: user or assistant */
};

#define WINDOWS_MOST 64

/* The first window and the newest ones; the last is the current one. */
struct windows {
	struct windows_row *rows;
	size_t n;     /* 0, or 1 to WINDOWS_MOST */
	size_t total; /* how many there are */
};

/*
 * Reads them; session is the canonical identity, <host>:<id>.  w comes zeroed.
 * False when the file was rewritten under us.
 */
bool windows_read(struct windows *w, struct transcript *t, struct str session);

/* Where each window begins, in order; the first is of record 0. */
struct windows_start {
	uint32_t record; /* that an event's must not be before */
	struct buf id;
};

/*
 * All of them, which the caller frees; *n is how many.  NULL when the file was
 * rewritten under us.
 */
struct windows_start *windows_starts(struct transcript *t, struct str session,
				     size_t *n);

/* The one window of a session without a transcript. */
void windows_absent(struct windows *w, const struct host *host,
		    struct str session);

/*
 * One more, empty and current, whose boundary the host has yet to write: of a
 * host that numbers its windows.
 */
void windows_begin(struct windows *w, struct str session, int64_t now_ms);

void windows_release(struct windows *w);

#endif /* TRANSCRIPT_WINDOWS_H */

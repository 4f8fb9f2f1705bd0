#ifndef HISTORY_SESSION_FACTS_H
#define HISTORY_SESSION_FACTS_H

#include "sessions/corpus.h"

/*
 * What there is to know of a session without reading it whole: where it ran,
 * when it began, and what it is about (spec/people.md section 1).
 */
struct session_facts {
	struct buf cwd; /* as recorded; empty: none is */
	struct buf title;
	struct buf started_at; /* as recorded; empty: none is */
	int64_t bytes;	       /* of its files on disk */
	bool agent;	       /* a sub-agent's */
};

#define SESSION_FACTS_INIT                                                 \
	{                                                                  \
		.cwd = BUF_INIT, .title = BUF_INIT, .started_at = BUF_INIT \
	}

#define SESSION_TITLE_CHARS 80

/*
 * Reads the beginning and the end of the session's files.  What cannot be
 * read leaves its facts empty.  f comes empty.
 */
void session_facts_read(struct session_facts *f, const struct corpus *c,
			const struct corpus_file *file);

/* Only where it ran. */
void session_facts_where(struct session_facts *f,
			 const struct corpus_file *file);
void session_facts_release(struct session_facts *f);

/* Adds the shell command that goes on with it; nothing where there is none. */
void session_facts_resume(struct buf *out, const struct session_facts *f,
			  const struct corpus_file *file);

#endif /* HISTORY_SESSION_FACTS_H */

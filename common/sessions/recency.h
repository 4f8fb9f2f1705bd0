#ifndef SESSIONS_RECENCY_H
#define SESSIONS_RECENCY_H

#include "sessions/corpus.h"
#include "text/ascii_search.h"

/*
 * When a session was last recorded to, in milliseconds since 1970
 * (spec/history.md section 2.2): by the records at the end of its file, not
 * by the file's own times, which copies and syncs reset.
 */
int64_t recency_of(const struct corpus_file *file);

/*
 * What is looked for in the files of a host: for many files it is made ready
 * once.  Zeroed at first.
 */
struct recency_keys {
	struct ascii_needle v[2], escaped; /* in plain letters, and in others */
	unsigned n;
	const struct host *host;
};
void recency_keys_release(struct recency_keys *keys);

/*
 * The same for a source that has been opened; NULL: the file's own time.
 * *recorded (may be NULL): it is taken from records.  Reading goes on anywhere
 * afterwards.
 */
int64_t recency_in(struct source *source, const struct corpus_file *file,
		   struct recency_keys *keys, bool *recorded);

/* For qsort: newest first; ties by id, then host. */
struct recency {
	int64_t ms;
	const struct corpus_file *file;
};
int recency_cmp(const void *a, const void *b);

#endif /* SESSIONS_RECENCY_H */

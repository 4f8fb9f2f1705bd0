#ifndef TRANSCRIPT_PREFILTER_H
#define TRANSCRIPT_PREFILTER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "transcript/source.h"

/*
 * What a query can be looked for with in records as they stand in the file,
 * without reading them as JSON (spec/history.md section 10).  It spares work
 * and changes no result: where an event matches, the raw line of its record,
 * or of the one that it is paired with, is a candidate.  What is a candidate
 * need not match.
 */
struct prefilter;

/*
 * NULL when there is no telling by raw bytes for one of the entries (valid
 * UTF-8; empty ones are dropped): then everything is a candidate.  added:
 * lists of what stands in documents without being recorded, each as
 * document_texts is, NULL last; hosts_prefilter() knows them all.
 */
struct prefilter *prefilter_new(const struct str *entries, size_t n,
				const char *const *const added[]);
void prefilter_free(struct prefilter *p); /* NULL is fine */

/* Whether a line, or a text of whole lines, is a candidate; of NULL: yes. */
bool prefilter_passes(const struct prefilter *p, struct str text);

/*
 * Whether anything in a source is, reading on from where it stands, in blocks
 * that go through space[0 .. PREFILTER_SPACE).  Gives up, with 0, when *stop
 * becomes true.  1; 0; -1 with errno.
 */
#define PREFILTER_SPACE ((size_t)256 * 1024)
int prefilter_scan(const struct prefilter *p, struct source *source,
		   char *space, const atomic_bool *stop);

#endif /* TRANSCRIPT_PREFILTER_H */

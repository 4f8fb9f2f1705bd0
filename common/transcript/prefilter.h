#ifndef TRANSCRIPT_PREFILTER_H
#define TRANSCRIPT_PREFILTER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "transcript/source.h"

/*
 * What a query can be looked for with in records as they stand in the file,
 * without reading them as JSON (spec/history.md section 10).  It spares work
 * and changes no result: where an event matches, the raw lines that it is made
 * of, its record and that of the one that it is paired with, hold all pieces
 * of an entry between them.  What holds them need not match.
 */
struct prefilter;

/*
 * all: an event must hold each entry, not just any.  NULL when there is no
 * telling by raw bytes (entries are valid UTF-8, empty ones are dropped): then
 * everything is a candidate.  added: lists of what stands in documents without
 * being recorded, each as document_texts is, NULL last; hosts_prefilter() knows
 * them all.  joined: likewise, of keys whose records put recorded texts side by
 * side with a blank between them; NULL: any text may have blanks put in.
 */
struct prefilter *prefilter_new(const struct str *entries, size_t n, bool all,
				const char *const *const added[],
				const char *const *const joined[]);
void prefilter_free(struct prefilter *p); /* NULL is fine */

/* Which pieces a line, or a text of whole lines, holds: a bit for each. */
#define PREFILTER_MARKS 24
uint32_t prefilter_marks(const struct prefilter *p, struct str text);

/*
 * The same of one line after the other of a source, which most lines of are
 * spared: what is ahead in memory is looked at together.  ahead begins with
 * the line, at offset; *look is {0} at first.
 */
struct prefilter_look {
	uint64_t end; /* before it lines have been looked at together, */
	bool empty;   /* and hold nothing */
};
uint32_t prefilter_line_marks(const struct prefilter *p,
			      struct prefilter_look *look, struct str line,
			      struct str ahead, uint64_t offset);

/* Whether lines with these marks together are a candidate; of NULL: yes. */
bool prefilter_fits(const struct prefilter *p, uint32_t marks);

/*
 * Whether a source, read from its start, holds what a candidate needs, in
 * blocks that go through space[0 .. PREFILTER_SPACE).  Gives up, with 0, when
 * *stop becomes true.  1; 0; -1 with errno.
 */
#define PREFILTER_SPACE ((size_t)256 * 1024)
int prefilter_scan(const struct prefilter *p, struct source *source,
		   char *space, const atomic_bool *stop);

#endif /* TRANSCRIPT_PREFILTER_H */

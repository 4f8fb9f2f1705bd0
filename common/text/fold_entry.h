#ifndef FOLD_ENTRY_H
#define FOLD_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "text/ascii_search.h"

/*
 * One entry of a folded query, made ready to be searched for.  ASCII entries
 * are searched as bytes; others through a run of ASCII within them, or through
 * the bytes that their first character can end with.
 */
struct fold_entry {
	uint32_t *folded; /* code points */
	size_t n;
	size_t *border; /* of long entries only, as in ascii_search.c */

	bool ascii;
	struct ascii_needle whole; /* of ASCII entries */
	/* Non-ASCII characters that an ASCII entry matches: those of k and s. */
	struct ascii_needle foreign[2];
	unsigned foreigners;

	struct ascii_needle run; /* empty when there is no good one */
	size_t run_at;		 /* code points before it */
	bool ends_first[256];	 /* last bytes of what the first can be */
};

/* entry is valid UTF-8 and not empty; it is copied. */
void fold_entry_init(struct fold_entry *e, struct str entry);
void fold_entry_release(struct fold_entry *e);

#define FOLD_ENTRY_NONE ((size_t)-1)

/*
 * Byte offset of the first match that starts in [from, limit) of text, or
 * FOLD_ENTRY_NONE; from <= limit <= text.n.  A match may end behind limit.
 * *len is its length in bytes.  Linear.
 */
size_t fold_entry_find(const struct fold_entry *e, struct str text, size_t from,
		       size_t limit, size_t *len);

#endif /* FOLD_ENTRY_H */

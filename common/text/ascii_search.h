#ifndef ASCII_SEARCH_H
#define ASCII_SEARCH_H

#include "base/str.h"

/*
 * Substring search in raw bytes that ignores the case of ASCII letters and of
 * nothing else.  Bytes need not be UTF-8.  This is what whole transcripts are
 * run through, so it goes at the speed of memory; and no needle and text make
 * it more than linear.
 */
struct ascii_needle {
	char *folded; /* the needle in lower case */
	size_t n;
	size_t *border; /* what is left to try; of long needles only */
	/* The two offsets whose bytes are the rarest, and what stands there. */
	size_t at[2];
	unsigned char byte[2], mask[2]; /* (c | mask) == byte */
};

/* A copy is kept.  Released with ascii_needle_release(). */
void ascii_needle_init(struct ascii_needle *a, struct str needle);
void ascii_needle_release(struct ascii_needle *a);

#define ASCII_NONE ((size_t)-1)

/* Offset of the first match in the n bytes at p, or ASCII_NONE. */
size_t ascii_search(const struct ascii_needle *a, const char *p, size_t n);

#endif /* ASCII_SEARCH_H */

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
	/* A byte c fits where (c | mask[i]) == folded[i]. */
	unsigned char *folded, *mask;
	size_t n;
	size_t *border; /* what is left to try; of long needles only */
	size_t at[2];	/* of the two offsets whose bytes are the rarest */
};

/* A copy is kept.  Released with ascii_needle_release(). */
void ascii_needle_init(struct ascii_needle *a, struct str needle);
void ascii_needle_release(struct ascii_needle *a);

/*
 * The same for n bytes, ASCII_LOOSE_MOST at most, of which the bits in mask do
 * not count; they are set in folded.
 */
#define ASCII_LOOSE_MOST 32
void ascii_needle_init_loose(struct ascii_needle *a,
			     const unsigned char *folded,
			     const unsigned char *mask, size_t n);

/* For comparing needles: how often one is met by chance, roughly. */
size_t ascii_needle_frequency(const struct ascii_needle *a);

#define ASCII_NONE ((size_t)-1)

/* Offset of the first match in the n bytes at p, or ASCII_NONE. */
size_t ascii_search(const struct ascii_needle *a, const char *p, size_t n);

#endif /* ASCII_SEARCH_H */

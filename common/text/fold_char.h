#ifndef FOLD_CHAR_H
#define FOLD_CHAR_H

#include <stdint.h>

/*
 * Unicode simple case folding, one code point to one (status C and S; not T,
 * so U+0130 and U+0131 fold to themselves): spec/history.md section 5.1.  The
 * table is the project's own, since libutf8proc has only full foldings, in
 * which U+1E9E is two letters; nothing is linked for it.
 */
uint32_t fold_char(uint32_t cp);

#define FOLD_CHAR_VARIANTS 4

/*
 * All code points that fold to `folded` (itself among them): the number of
 * them, at most FOLD_CHAR_VARIANTS.
 */
unsigned fold_char_variants(uint32_t folded, uint32_t out[FOLD_CHAR_VARIANTS]);

#endif /* FOLD_CHAR_H */

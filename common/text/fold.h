#ifndef FOLD_H
#define FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* ---- characters -------------------------------------------------------- */

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

/* ---- texts ------------------------------------------------------------- */

/*
 * Literal search that ignores case by Unicode simple case folding (status C
 * and S; U+0130 and U+0131 match only themselves), one code point to one, so
 * that positions are those of the text itself (spec/history.md section 5.1).
 *
 * A query made ready: folded once, used for many texts.  Empty entries are
 * dropped; no entries left: it matches nothing and fold_query_empty() is true.
 */
struct fold_query;

/* entries are valid UTF-8; what they point to need not live on. */
struct fold_query *fold_query_new(const struct str *entries, size_t n);
void fold_query_free(struct fold_query *q); /* NULL is fine */
bool fold_query_empty(const struct fold_query *q);

#define FOLD_NONE ((size_t)-1)

/*
 * Byte offset of the earliest match of any entry in text (valid UTF-8, may
 * hold NUL), or FOLD_NONE.  *len (may be NULL) gets the number of bytes that
 * the match covers in the text; where two entries match at one place, that of
 * the one given first.  Linear in the text for each entry, whatever both are,
 * and no more is looked at than about twice the way to the match, so that
 * going through a text from match to match is linear too.
 */
size_t fold_find(const struct fold_query *q, struct str text, size_t *len);

/* Whether a text holds every entry of the query. */
bool fold_has_all(const struct fold_query *q, struct str text);

#endif /* FOLD_H */

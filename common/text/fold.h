#ifndef FOLD_H
#define FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/*
 * Literal search that ignores case by Unicode simple case folding (status C
 * and S; U+0130 and U+0131 match only themselves), one code point to one, so
 * that positions are those of the text itself (spec/history.md section 5.1).
 */

/* The simple folding of one code point. */
uint32_t fold_char(uint32_t cp);

/*
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
 * hold NUL), or FOLD_NONE.  Never quadratic in practice: linear for any text
 * and query that are not both made of one repeated character, and at most
 * text times entry otherwise.  *len (may be NULL) gets the byte length that
 * the match covers in the text.
 */
size_t fold_find(const struct fold_query *q, struct str text, size_t *len);

#endif /* FOLD_H */

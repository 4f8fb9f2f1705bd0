#ifndef VISIBLE_H
#define VISIBLE_H

#include "base/buf.h"

/*
 * Bytes of data never act on a terminal: text surfaces show control and
 * direction characters as the six characters \uxxxx, lower-case hex.  Input
 * is valid UTF-8.
 */

/*
 * For header lines, row fields and receipts: C0, DEL, C1, U+202A..U+202E and
 * U+2066..U+2069 are escaped.
 */
void visible_field(struct buf *out, struct str s);

/* For bodies: the same but for LF, TAB and a CR directly before LF. */
void visible_text(struct buf *out, struct str s);

#endif /* VISIBLE_H */

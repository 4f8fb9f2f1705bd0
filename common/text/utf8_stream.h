#ifndef UTF8_STREAM_H
#define UTF8_STREAM_H

#include "base/buf.h"

/*
 * Bytes that come in pieces, as UTF-8 text (spec/output.md section 6.1): each
 * maximal ill-formed subsequence becomes one U+FFFD, and a character that is
 * split over pieces is held until the rest has come.
 */
struct utf8_stream {
	char held[4];
	unsigned n;
};

/* Adds text to out; at the speed of memory where bytes are valid. */
void utf8_stream_add(struct utf8_stream *s, const char *p, size_t n,
		     struct buf *out);

/* No more bytes come: what is held is ill-formed. */
void utf8_stream_end(struct utf8_stream *s, struct buf *out);

#endif /* UTF8_STREAM_H */

#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* U+FFFD, what stands for something that is not a code point. */
#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/*
 * Decodes the code point at s (n > 0 bytes follow).  Gives its length, 1 to
 * 4, and stores it; 0 where the bytes are not valid UTF-8 (overlong forms,
 * surrogates, above U+10FFFF and truncated sequences included).
 */
unsigned utf8_decode(const char *s, size_t n, uint32_t *cp);

/* Writes cp (a scalar value) to out; gives the number of bytes, 1 to 4. */
unsigned utf8_encode(uint32_t cp, char out[4]);

/* Offset of the first byte that is not valid UTF-8; s.n when all is. */
size_t utf8_valid_prefix(struct str s);

static inline bool
utf8_valid(struct str s)
{
	return utf8_valid_prefix(s) == s.n;
}

/* Adds text with U+FFFD for every byte that is not valid UTF-8. */
void utf8_mend(struct buf *out, struct str text);

/* The three below take valid UTF-8.  All run at memory speed. */

/* Number of code points. */
size_t utf8_count(struct str s);

/* Byte offset of the code point number k (from 0); s.n when there are fewer. */
size_t utf8_offset(struct str s, size_t k);

/* The longest prefix of at most k code points. */
struct str utf8_prefix(struct str s, size_t k);

#endif /* UTF8_H */

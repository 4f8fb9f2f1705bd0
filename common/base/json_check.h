#ifndef JSON_CHECK_H
#define JSON_CHECK_H

#include <stddef.h>

#include "base/str.h"

enum json_check_flags {
	JSON_ALLOW_NUL = 1 << 0,	/* \u0000 in strings and keys */
	JSON_ALLOW_DUPLICATES = 1 << 1, /* the same key twice in an object */
	JSON_ALLOW_LONE = 1 << 2	/* \ud800 without its other half */
};

struct json_error {
	size_t offset;	       /* byte, from 0 */
	unsigned line, column; /* from 1; the column counts bytes */
	char reason[160]; /* one line, valid UTF-8, no control characters */
};

/*
 * Whether text is exactly one RFC 8259 JSON value (white space around it
 * allowed) in valid UTF-8, at most max_depth arrays and objects deep, with no
 * BOM.  Keys are compared after decoding their escapes.  Returns 0, or -1
 * with *error filled in (error may be NULL).  Linear time (n log n in the
 * keys of one object), no recursion.
 */
int json_check(struct str text, unsigned max_depth, unsigned flags,
	       struct json_error *error);

#endif /* JSON_CHECK_H */

#ifndef JSON_TOKENS_H
#define JSON_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Where the tokens of a JSON text stand, a byte each: the structure, the
 * opening quotes, and the first bytes of numbers and words.  64 bytes are
 * looked at together, with SSE2, with AVX2 where the machine has it, and
 * elsewhere byte by byte.
 */
#define JSON_TOKENS_BLOCK 64
#define JSON_TOKENS_BYTES ((size_t)16 * JSON_TOKENS_BLOCK) /* at once */

struct json_tokens {
	const char *start, *end; /* of the text, less than 4 GiB */
	/* From the first to the last block with a byte that is not ASCII. */
	const char *wide, *wide_end; /* NULL: there is none */
	uint64_t in_string;	     /* all bits or none: it goes on in one */
	bool escaped;		     /* its last byte escapes the one behind */
	bool word;		     /* it goes on in a number or word */
	size_t n;
	uint32_t found[JSON_TOKENS_BYTES]; /* bytes of the text */
};

/*
 * Finds those of the next n bytes, which are at p of the text: as many as may
 * be looked at at once, or those up to its end.  False: there is a fault: an
 * escape that is none, or a control character where it must not be.
 */
typedef bool json_tokens_find(struct json_tokens *t, const char *p, size_t n);

/* The fastest way that this machine has. */
json_tokens_find *json_tokens_finder(void);

/* All ways, NULL last, for tests; two that the machine has may be the same. */
#define JSON_TOKENS_WAYS 4
void json_tokens_ways(json_tokens_find *ways[JSON_TOKENS_WAYS]);

/*
 * How much of the JSON_TOKENS_BLOCK bytes at p, the first of which is where a
 * number begins, are numbers in decimal notation with a comma behind each, and
 * then perhaps one blank; 0 where that is not told at once.
 */
size_t json_tokens_numbers(const char *p);

#endif /* JSON_TOKENS_H */

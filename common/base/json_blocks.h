#ifndef JSON_BLOCKS_H
#define JSON_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

/*
 * JSON text 64 bytes at a time: where the bytes stand that its structure is
 * told by, bit i for byte i.  With SSE2, AVX2 where the machine has it, and
 * elsewhere byte by byte.
 */
#define JSON_BLOCK 64

struct json_block {
	uint64_t quotes, backslashes;
	uint64_t structure; /* braces, brackets, colons, commas */
	uint64_t blanks;    /* U+0020 */
	uint64_t control;   /* below it */
	uint64_t wide;	    /* not ASCII */
	uint64_t escapes;   /* what may follow a backslash, but for u */
};

/* n blocks from p on. */
typedef void json_blocks_read(const char *p, size_t n, struct json_block *out);

/* The fastest way that this machine has. */
json_blocks_read *json_blocks_reader(void);

/* All ways, NULL last, for tests; two that the machine has may be the same. */
#define JSON_BLOCKS_WAYS 4
void json_blocks_ways(json_blocks_read *ways[JSON_BLOCKS_WAYS]);

/*
 * How much of the JSON_BLOCK bytes at p, the first of which is where a number
 * begins, are numbers in decimal notation with a comma behind each, and then
 * perhaps one blank; 0 where that is not told at once.
 */
size_t json_blocks_numbers(const char *p);

#endif /* JSON_BLOCKS_H */

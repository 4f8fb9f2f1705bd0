#ifndef JSON_SCAN_H
#define JSON_SCAN_H

#include <stdbool.h>

#include "base/word.h"

/* What the files of JSON share; for checked text only. */

static inline bool
json_scan_is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static inline const char *
json_scan_space(const char *p, const char *end)
{
	while (p < end && json_scan_is_space(*p))
		p++;
	return p;
}

/* Short strings are the most, and memchr() has a price; long ones repay it. */
#define JSON_SCAN_WORDS 4
static inline const char *
json_scan_quote(const char *p, const char *end)
{
	unsigned i;

	for (i = 0; i < JSON_SCAN_WORDS && end - p >= WORD_BYTES; i++) {
		uint64_t w = word_load(p);
		uint64_t mask = word_mask(w, word_equal(w, '"'));

		if (mask != 0)
			return p + word_first(mask);
		p += WORD_BYTES;
	}
	p = memchr(p, '"', (size_t)(end - p));
	return p == NULL ? end : p;
}

/*
 * p is after the opening quote; gives what is after the closing one: the
 * first that an even number of backslashes stands before.  Linear, since no
 * two quotes share a run of backslashes.
 */
static inline const char *
json_scan_string(const char *p, const char *end)
{
	const char *start = p, *quote, *b;

	for (;;) {
		quote = json_scan_quote(p, end);
		if (quote == end)
			return end;
		for (b = quote; b > start && b[-1] == '\\'; b--)
			;
		p = quote + 1;
		if ((quote - b) % 2 == 0)
			return p;
	}
}

/*
 * Copies from *p up to the next quote or backslash, where `control` also
 * control character, or the end; gives where it stopped writing.  Up to
 * WORD_BYTES - 1 bytes after that are touched too.
 */
static inline char *
json_scan_copy(const char **p, const char *end, char *w, bool control)
{
	const char *from = *p;

	for (; end - from >= WORD_BYTES; from += WORD_BYTES, w += WORD_BYTES) {
		uint64_t word = word_load(from);
		uint64_t stops = word_equal(word, '"') | word_equal(word, '\\');
		uint64_t mask;

		if (control)
			stops |= word_below(word, 0x20);
		mask = word_mask(word, stops);
		memcpy(w, from, WORD_BYTES);
		if (mask != 0) {
			*p = from + word_first(mask);
			return w + word_first(mask);
		}
	}
	while (from < end && *from != '"' && *from != '\\' &&
	       (!control || (unsigned char)*from >= 0x20))
		*w++ = *from++;
	*p = from;
	return w;
}

#endif /* JSON_SCAN_H */

/*
 * Validity and positions agree with a byte-by-byte reading of the definition,
 * which shares no code with the one under test.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/utf8.h"

static void
require(bool holds)
{
	if (!holds)
		abort();
}

/* The length of the well-formed sequence at p, or 0; from RFC 3629. */
static size_t
sequence(const uint8_t *p, size_t n, uint32_t *cp)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t size, i;

	size = p[0] < 0x80	 ? 1
	       : p[0] >> 5 == 6	 ? 2
	       : p[0] >> 4 == 14 ? 3
	       : p[0] >> 3 == 30 ? 4
				 : 0;
	if (size == 0 || size > n)
		return 0;
	*cp = size == 1 ? p[0] : p[0] & (0x7fU >> size);
	for (i = 1; i < size; i++) {
		if (p[i] >> 6 != 2)
			return 0;
		*cp = *cp << 6 | (p[i] & 0x3fU);
	}
	if (*cp < least[size] || *cp > 0x10ffff || *cp >> 11 == 0x1b)
		return 0;
	return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char *copy = malloc(n + (n == 0)), again[4];
	struct str text = { copy, n };
	size_t at, size, count = 0;
	uint32_t cp, got;

	if (copy == NULL)
		abort();
	if (n > 0)
		memcpy(copy, p, n);
	for (at = 0; at < n; at += size, count++) {
		size = sequence(p + at, n - at, &cp);
		require(utf8_decode(copy + at, n - at, &got) == size);
		if (size == 0)
			break;
		require(got == cp && utf8_encode(cp, again) == size &&
			memcmp(again, copy + at, size) == 0);
	}
	require(utf8_valid_prefix(text) == at);
	text.n = at;
	require(utf8_valid(text) && utf8_count(text) == count);
	require(utf8_offset(text, count) == at);
	for (at = 0, count = 0; at < text.n; at += size, count++) {
		/* All of the first ones, then a sample. */
		if (count < 200 || count % 97 == 0)
			require(utf8_offset(text, count) == at &&
				utf8_prefix(text, count).n == at);
		size = sequence(p + at, n - at, &cp);
	}
	free(copy);
	return 0;
}

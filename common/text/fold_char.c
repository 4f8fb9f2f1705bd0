#include "text/fold_char.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "text/fold_table.h"

#define ROWS (sizeof(fold_table) / sizeof(fold_table[0]))

static bool
in_row(const struct fold_row *row, uint32_t cp)
{
	return cp >= row->first && cp <= row->last &&
	       (cp - row->first) % row->stride == 0;
}

/* The first row that does not end before cp, or ROWS. */
static size_t
find_row(uint32_t cp)
{
	size_t low = 0, high = ROWS, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (fold_table[middle].last < cp)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t
fold_char(uint32_t cp)
{
	size_t i;

	if (cp < 0x80)
		return cp >= 'A' && cp <= 'Z' ? cp | 0x20 : cp;
	i = find_row(cp);
	if (i == ROWS || !in_row(&fold_table[i], cp))
		return cp;
	return (uint32_t)((int64_t)cp + fold_table[i].distance);
}

unsigned
fold_char_variants(uint32_t folded, uint32_t out[FOLD_CHAR_VARIANTS])
{
	unsigned n = 0;
	int64_t from;
	size_t i;

	out[n++] = folded;
	for (i = 0; i < ROWS; i++) {
		from = (int64_t)folded - fold_table[i].distance;
		if (from < 0 || !in_row(&fold_table[i], (uint32_t)from))
			continue;
		assert(n < FOLD_CHAR_VARIANTS);
		out[n++] = (uint32_t)from;
	}
	return n;
}

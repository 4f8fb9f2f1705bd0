#include "text/near.h"

#include "base/utf8.h"

#define FAR (NEAR_EDITS + 1)
#define BAND (2 * NEAR_EDITS + 1)

/* The characters of a name; the number of them. */
static size_t
decode(struct str name, uint32_t out[NEAR_NAME_MAX])
{
	size_t i = 0, n = 0;
	unsigned length;

	while (i < name.n && n < NEAR_NAME_MAX) {
		length = utf8_decode(name.s + i, name.n - i, &out[n]);
		if (length == 0)
			break;
		i += length;
		n++;
	}
	return n;
}

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * The usual table, of which only the diagonals near the middle can lead to a
 * small number: row[k] is for the first i characters of a and the first
 * i + k - NEAR_EDITS of b.
 */
unsigned
near_edits(struct str a, struct str b)
{
	uint32_t x[NEAR_NAME_MAX], y[NEAR_NAME_MAX];
	size_t n = decode(a, x), m = decode(b, y), i, j, k;
	unsigned row[BAND], next[BAND];

	if (n > m + NEAR_EDITS || m > n + NEAR_EDITS)
		return FAR;
	for (k = 0; k < BAND; k++)
		row[k] = k < NEAR_EDITS ? FAR : (unsigned)k - NEAR_EDITS;
	for (i = 1; i <= n; i++) {
		for (k = 0; k < BAND; k++) {
			next[k] = FAR;
			if (i + k < NEAR_EDITS || i + k - NEAR_EDITS > m)
				continue;
			j = i + k - NEAR_EDITS;
			if (j > 0)
				next[k] = row[k] + (x[i - 1] != y[j - 1]);
			if (k + 1 < BAND)
				next[k] = least(next[k], row[k + 1] + 1);
			if (k > 0)
				next[k] = least(next[k], next[k - 1] + 1);
		}
		for (k = 0; k < BAND; k++)
			row[k] = least(next[k], FAR);
	}
	return row[m + NEAR_EDITS - n];
}

#ifndef KMP_H
#define KMP_H

#include <string.h>

#include "base/xalloc.h"

/*
 * The table of Knuth, Morris and Pratt for the n > 0 elements, of `size` bytes
 * each, at p: border[i] is the length of the longest proper prefix that ends
 * before element i as well.  The caller frees it.
 */
static inline size_t *
kmp_borders(const void *p, size_t n, size_t size)
{
	size_t *border = xreallocarray(NULL, n, sizeof(*border));
	const char *s = p;
	size_t i, k = 0;

	border[0] = 0;
	for (i = 1; i < n; i++) {
		border[i] = k;
		while (k > 0 && memcmp(s + i * size, s + k * size, size) != 0)
			k = border[k];
		if (memcmp(s + i * size, s + k * size, size) == 0)
			k++;
	}
	return border;
}

#endif /* KMP_H */

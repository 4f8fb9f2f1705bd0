/*
 * Any bytes: the verdict of the one pass is that of the check, by every way of
 * reading blocks, and its map leads to the same spans.  Texts are also tried
 * behind blanks, so that all of their bytes come to lie on the seams of blocks.
 */
#include <stdint.h>
#include <stdlib.h>

#include "../unit/json_map_same.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	size_t before = n == 0 ? 0 : p[n - 1] % JSON_TOKENS_BLOCK;
	struct json_map map = JSON_MAP_INIT;
	char *copy = malloc(n + before + 1);

	if (copy == NULL)
		abort();
	memset(copy, ' ', before);
	if (n > 0)
		memcpy(copy + before, p, n);
	if (!map_same(&map, (struct str){ copy + before, n }) ||
	    !map_same(&map, (struct str){ copy, n + before }))
		abort();
	json_map_release(&map);
	free(copy);
	return 0;
}

#include "lessons/keep.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define BLOCK 16384

struct keep_block {
	struct keep_block *before;
	alignas(max_align_t) char bytes[];
};

void *
keep_bytes(struct keep *k, size_t n, size_t size)
{
	size_t most = SIZE_MAX / 2, want;
	struct keep_block *block;
	char *p;

	if (size != 0 && n > most / size)
		abort();
	want = (n * size + alignof(max_align_t) - 1) &
	       ~(alignof(max_align_t) - 1);
	if (k->last == NULL || k->size - k->used < want) {
		k->size = want > BLOCK ? want : BLOCK;
		block = xcalloc(1, sizeof(*block) + k->size);
		block->before = k->last;
		k->last = block;
		k->used = 0;
	}
	p = k->last->bytes + k->used;
	k->used += want;
	return p;
}

struct str
keep_str(struct keep *k, struct str s)
{
	char *copy;

	if (s.s == NULL)
		return s;
	copy = keep_bytes(k, s.n + 1, 1);
	if (s.n > 0)
		memcpy(copy, s.s, s.n);
	return (struct str){ copy, s.n };
}

void
keep_release(struct keep *k)
{
	struct keep_block *block, *before;

	for (block = k->last; block != NULL; block = before) {
		before = block->before;
		free(block);
	}
	*k = (struct keep){ NULL, 0, 0 };
}

void
keep_release_result(void *result)
{
	keep_release(result);
}

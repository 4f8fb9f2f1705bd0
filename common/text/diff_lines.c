#include "text/diff_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define FIRST_SLOTS 256
#define MOST_PROBES 64

/* Offset behind the line that begins at i. */
static size_t
line_end(struct str text, size_t i)
{
	const char *lf = memchr(text.s + i, '\n', text.n - i);

	return lf == NULL ? text.n : (size_t)(lf - text.s) + 1;
}

void
diff_lines_init(struct diff_lines *l, struct str text)
{
	size_t cap = 0, i;

	*l = (struct diff_lines){ .text = text };
	for (i = 0; i < text.n; i = line_end(text, i)) {
		XGROW(l->start, l->n + 2, cap);
		l->start[l->n++] = i;
	}
	XGROW(l->start, l->n + 1, cap);
	l->start[l->n] = text.n;
}

void
diff_lines_release(struct diff_lines *l)
{
	free(l->start);
	*l = (struct diff_lines){ 0 };
}

void
diff_numbers_init(struct diff_numbers *d)
{
	*d = (struct diff_numbers){ .slots = FIRST_SLOTS };
	d->slot = xcalloc(d->slots, sizeof(*d->slot));
}

void
diff_numbers_release(struct diff_numbers *d)
{
	free(d->known);
	free(d->slot);
	*d = (struct diff_numbers){ 0 };
}

/* FNV-1a, its upper half mixed into the lower one, which picks the slot. */
static uint32_t
hash_of(struct str line)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	size_t i;

	for (i = 0; i < line.n; i++)
		hash = (hash ^ (unsigned char)line.s[i]) *
		       UINT64_C(0x100000001b3);
	return (uint32_t)(hash ^ hash >> 32);
}

static void
put(struct diff_numbers *d, uint32_t number)
{
	size_t i = d->known[number].hash & (d->slots - 1);

	while (d->slot[i] != 0)
		i = (i + 1) & (d->slots - 1);
	d->slot[i] = number + 1;
}

static void
grow(struct diff_numbers *d)
{
	uint32_t i;

	free(d->slot);
	d->slots *= 2;
	d->slot = xcalloc(d->slots, sizeof(*d->slot));
	for (i = 0; i < d->n; i++)
		put(d, i);
}

uint32_t
diff_numbers_get(struct diff_numbers *d, struct str line)
{
	uint32_t hash = hash_of(line), number;
	size_t i = hash & (d->slots - 1), probes;

	for (probes = 0; probes < MOST_PROBES && d->slot[i] != 0; probes++) {
		number = d->slot[i] - 1;
		if (d->known[number].hash == hash &&
		    str_eq(d->known[number].line, line))
			return number;
		i = (i + 1) & (d->slots - 1);
	}
	number = (uint32_t)d->n;
	XGROW(d->known, d->n + 1, d->cap);
	d->known[d->n++] = (struct diff_numbered){ line, hash };
	if (d->slot[i] == 0)
		d->slot[i] = number + 1;
	if (d->n >= d->slots / 2)
		grow(d);
	return number;
}

#include "text/fold.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "text/fold_entry.h"

struct fold_query {
	struct fold_entry *entry;
	size_t n;
};

/* What the first stretch of text is long; each next one is twice as long. */
#define STRETCH 256

struct fold_query *
fold_query_new(const struct str *entries, size_t n)
{
	struct fold_query *q = xcalloc(1, sizeof(*q));
	size_t i;

	q->entry = xcalloc(n, sizeof(*q->entry));
	for (i = 0; i < n; i++)
		if (entries[i].n > 0)
			fold_entry_init(&q->entry[q->n++], entries[i]);
	return q;
}

void
fold_query_free(struct fold_query *q)
{
	size_t i;

	if (q == NULL)
		return;
	for (i = 0; i < q->n; i++)
		fold_entry_release(&q->entry[i]);
	free(q->entry);
	free(q);
}

bool
fold_query_empty(const struct fold_query *q)
{
	return q->n == 0;
}

/* The earliest match of any entry that starts in [from, limit). */
static size_t
find_any(const struct fold_query *q, struct str text, size_t from, size_t limit,
	 size_t *len)
{
	size_t best = FOLD_NONE, at, i;

	for (i = 0; i < q->n; i++) {
		at = fold_entry_find(&q->entry[i], text, from, limit, len);
		if (at == FOLD_ENTRY_NONE)
			continue;
		best = at;
		limit = at; /* only what is earlier counts from here */
	}
	return best;
}

/*
 * Stretch by stretch, so that what is nowhere (an entry, or one in ASCII when
 * the text has it in other letters) is not looked for up to the end each time
 * that something is found near the start.
 */
size_t
fold_find(const struct fold_query *q, struct str text, size_t *len)
{
	size_t stretch = STRETCH, from, limit, at, ignored;

	if (len == NULL)
		len = &ignored;
	for (from = 0; from < text.n && q->n > 0; from = limit) {
		limit = stretch < text.n - from ? from + stretch : text.n;
		at = find_any(q, text, from, limit, len);
		if (at != FOLD_NONE)
			return at;
		stretch *= 2;
	}
	return FOLD_NONE;
}

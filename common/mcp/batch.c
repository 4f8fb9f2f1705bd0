#include "mcp/batch.h"

#include <stdlib.h>

#include "base/xalloc.h"

struct slot {
	struct buf text, key;
};

struct batch {
	struct batch *next;
	struct slot *slot;
	size_t n;
	size_t open; /* answers that are missing, and one until it is sealed */
};

struct batch *
batch_new(struct replies *r, size_t n)
{
	struct batch *b = xmalloc(sizeof(*b));
	size_t i;

	*b = (struct batch){ r->first, xcalloc(n, sizeof(*b->slot)), n, n + 1 };
	for (i = 0; i < n; i++)
		b->slot[i] = (struct slot){ BUF_INIT, BUF_INIT };
	r->first = b;
	return b;
}

static void
free_batch(struct replies *r, struct batch *b)
{
	struct batch **at = &r->first;
	size_t i;

	while (*at != b)
		at = &(*at)->next;
	*at = b->next;
	for (i = 0; i < b->n; i++) {
		buf_release(&b->slot[i].text);
		buf_release(&b->slot[i].key);
	}
	free(b->slot);
	free(b);
}

/* One thing less to wait for; with the last one it goes out. */
static void
settle(struct replies *r, struct batch *b)
{
	struct buf line = BUF_INIT;
	size_t i;

	if (--b->open > 0)
		return;
	for (i = 0; i < b->n; i++) {
		if (b->slot[i].text.len == 0)
			continue;
		buf_addc(&line, line.len == 0 ? '[' : ',');
		buf_add_str(&line, buf_str(&b->slot[i].text));
	}
	if (line.len > 0) {
		buf_addc(&line, ']');
		outbox_put(r->outbox, &line, STR(""));
	}
	free_batch(r, b);
}

void
batch_seal(struct replies *r, struct batch *b)
{
	settle(r, b);
}

void
batch_reply(struct replies *r, struct reply to, struct buf *text,
	    struct str key)
{
	struct slot *slot;

	if (to.batch == NULL) {
		outbox_put(r->outbox, text, key);
		return;
	}
	slot = &to.batch->slot[to.slot];
	slot->text = *text;
	buf_init(text, BUF_UNLIMITED);
	buf_add_str(&slot->key, key);
	settle(r, to.batch);
}

void
batch_no_reply(struct replies *r, struct reply to)
{
	if (to.batch != NULL)
		settle(r, to.batch);
}

void
batch_withdraw(struct replies *r, struct str key)
{
	struct batch *b;
	size_t i;

	outbox_withdraw(r->outbox, key);
	for (b = r->first; b != NULL; b = b->next)
		for (i = 0; i < b->n; i++)
			if (b->slot[i].key.len > 0 &&
			    str_eq(buf_str(&b->slot[i].key), key))
				buf_reset(&b->slot[i].text);
}

void
batch_release(struct replies *r)
{
	while (r->first != NULL)
		free_batch(r, r->first);
}

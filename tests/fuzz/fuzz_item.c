/*
 * Any file as a transcript of whose host it looks like: each record on the
 * branch is an item as item_is_there() says, with content of valid UTF-8, a fit
 * id, and a name for each call.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "context/item.h"
#include "transcript/hosts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool holds)
{
	if (!holds)
		abort();
}

static void
check_item(const struct item *item)
{
	must(utf8_valid(buf_str(&item->content)));
	must(utf8_valid(buf_str(&item->id)) && item->id.len <= 128);
	for (size_t i = 0; i < item->id.len; i++)
		must((unsigned char)item->id.data[i] > ' ');
	must(item->role != ITEM_TOOL ||
	     (item->n_calls > 0 && item->content.len > 0));
	must(item->n_calls == 0 || item->role == ITEM_TOOL ||
	     item->role == ITEM_ASSISTANT);
	for (size_t i = 0; i < item->n_calls; i++)
		must(item->calls[i].name.len > 0 &&
		     utf8_valid(buf_str(&item->calls[i].name)) &&
		     utf8_valid(buf_str(&item->calls[i].space)));
}

static void
check_records(struct transcript *t)
{
	struct item item, again;
	bool known, there;

	item_init(&item);
	item_init(&again);
	for (uint32_t i = 0; i < t->n_records; i++) {
		int rc;

		there = item_is_there(t, i, &known);
		/* One without a slot on the branch is never loaded. */
		if (known && !there)
			continue;
		rc = item_load(t, i, &item);
		must(rc >= 0 && (!known || rc == 1));
		if (rc == 0)
			continue;
		check_item(&item);
		/* One struct serves many records: nothing is left behind. */
		must(item_load(t, i, &again) == 1);
		must(str_eq(buf_str(&item.content), buf_str(&again.content)));
		must(str_eq(buf_str(&item.id), buf_str(&again.id)));
		must(item.role == again.role && item.n_calls == again.n_calls);
	}
	item_release(&item);
	item_release(&again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = xmemdup(data, size > 0 ? size : 1);
	struct transcript t;

	if (hosts_open(&t, source_memory((struct str){ copy, size }), NULL,
		       (struct transcript_options){ 0 }) == TRANSCRIPT_OK &&
	    transcript_select(&t, STR("")))
		check_records(&t);
	transcript_close(&t);
	free(copy);
	return 0;
}

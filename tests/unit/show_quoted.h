#ifndef SHOW_QUOTED_H
#define SHOW_QUOTED_H

#include "show_events.h"

/*
 * Compares the events of a transcript that is written with ' for ", so that
 * records can be read.  leaf is CTX_LEAF.
 */
static void
check_leaf(const struct decoder *decoder, const char *name, const char *text,
	   const char *leaf, const char *want)
{
	struct buf got = BUF_INIT, record = BUF_INIT;

	for (const char *c = text; *c != '\0'; c++)
		buf_addc(&record, *c == '\'' ? '"' : *c);
	show_events(decoder, buf_str(&record), leaf, &got);
	is_string(got.data, want, name);
	buf_release(&got);
	buf_release(&record);
}

#endif /* SHOW_QUOTED_H */

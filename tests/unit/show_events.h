#ifndef SHOW_EVENTS_H
#define SHOW_EVENTS_H

/* What a host's decoder makes of a transcript, as text to compare with. */
#include "test.h"
#include "transcript/event.h"
#include "transcript/hosts.h"

/*
 * The events of an open transcript, one a line: seq, role, status of tools,
 * the document in quotes.  Slots that are none are told by what they are.
 */
static void
show_transcript(struct transcript *t, const char *leaf, struct buf *out)
{
	struct event e;

	if (!transcript_select(t, str_of(leaf))) {
		buf_adds(out, "no transcript\n");
		return;
	}
	event_init(&e);
	for (uint32_t s = 1; s <= transcript_highest(t); s++) {
		const struct slot *slot = transcript_slot(t, s);

		buf_addf(out, "%u ", (unsigned)s);
		if ((slot->flags & SLOT_BRANCH) == 0) {
			buf_adds(out, "off\n");
			continue;
		}
		if ((slot->flags & SLOT_MIRROR) != 0) {
			buf_adds(out, "mirror\n");
			continue;
		}
		if ((slot->flags & SLOT_CONSUMED) != 0) {
			buf_addf(out, "of %u\n", (unsigned)slot->pair);
			continue;
		}
		if (!event_load(t, s, &e))
			abort();
		buf_adds(out, decoder_role_names[e.role]);
		if (e.role == ROLE_TOOL)
			buf_addf(out, " %s", decoder_status_names[e.status]);
		buf_adds(out, " \"");
		buf_add_str(out, buf_str(&e.document));
		buf_adds(out, "\"\n");
	}
	if (t->lines_skipped > 0)
		buf_addf(out, "skipped %d\n", (int)t->lines_skipped);
	if (t->records_repeated > 0)
		buf_addf(out, "repeated %d\n", (int)t->records_repeated);
	event_release(&e);
}

/* Those of a text; decoder NULL: that of whoever's it is. */
static void
show_events(const struct decoder *decoder, struct str text, const char *leaf,
	    struct buf *out)
{
	struct transcript t;

	if (hosts_open(&t, source_memory(text),
		       decoder != NULL ? hosts_of(decoder) : NULL,
		       (struct transcript_options){ 0 }) != TRANSCRIPT_OK)
		buf_adds(out, "no transcript\n");
	else
		show_transcript(&t, leaf, out);
	transcript_close(&t);
}

#endif /* SHOW_EVENTS_H */

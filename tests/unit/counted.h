#ifndef COUNTED_H
#define COUNTED_H

/*
 * How much of a transcript is read again to load all of its events: what must
 * grow with the transcript, and not with its square.
 */
#include "test.h"
#include "transcript/event.h"

struct counted {
	struct source base;
	struct source *source;
	uint64_t *bytes;
};

static long
counted_read(struct source *s, void *p, size_t n)
{
	return source_read(((struct counted *)s)->source, p, n);
}

static void
counted_rewind(struct source *s, uint64_t offset)
{
	source_rewind(((struct counted *)s)->source, offset);
}

static bool
counted_read_at(struct source *s, uint64_t offset, void *p, size_t n)
{
	struct counted *c = (struct counted *)s;

	*c->bytes += n;
	return source_read_at(c->source, offset, p, n);
}

static void
counted_close(struct source *s)
{
	source_close(((struct counted *)s)->source);
	free(s);
}

/* What its decoder looks through to tell a record from others counts, too. */
static const struct decoder *counted_decoder;
static uint64_t counted_identified;

static void
counted_identity(struct str record, struct buf *out)
{
	counted_identified += record.n;
	if (counted_decoder->identity != NULL)
		counted_decoder->identity(record, out);
}

/*
 * Bytes that are read for the events and their identities, newest first or the
 * oldest and the newest by turns; *events: so many.
 */
static uint64_t
counted_load(const struct decoder *decoder, struct str text, bool turns,
	     size_t *events)
{
	static const struct source_ops ops = { counted_read, counted_rewind,
					       counted_read_at, counted_close,
					       NULL };
	struct counted *c = calloc(1, sizeof(*c));
	struct decoder counting = *decoder;
	struct buf identity = BUF_INIT;
	struct transcript t;
	uint64_t bytes = 0;
	uint32_t *seqs;
	size_t n = 0;
	struct event e;

	*c = (struct counted){ { .ops = &ops, .size_hint = text.n },
			       source_memory(text),
			       &bytes };
	*events = 0;
	counted_decoder = decoder;
	counted_identified = 0;
	counting.identity = counted_identity;
	event_init(&e);
	if (transcript_open(&t, &c->base, &counting, NULL) != TRANSCRIPT_OK ||
	    !transcript_select(&t, STR("")))
		abort();
	seqs = calloc(transcript_highest(&t) + 1, sizeof(*seqs));
	for (uint32_t s = transcript_highest(&t); s > 0; s--)
		if (transcript_is_event(&t, s))
			seqs[n++] = s;
	for (size_t i = 0; i < n; i++) {
		size_t at = !turns ? i : i % 2 == 0 ? i / 2 : n - 1 - i / 2;

		*events += event_load(&t, seqs[at], &e);
		event_identity(&t, &e, 0, &identity);
	}
	buf_release(&identity);
	free(seqs);
	event_release(&e);
	transcript_close(&t);
	return bytes + counted_identified;
}

#endif /* COUNTED_H */

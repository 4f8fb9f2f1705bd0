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

/*
 * Bytes that are read for the events, newest first or the oldest and the
 * newest by turns; *events: so many.
 */
static uint64_t
counted_load(const struct decoder *decoder, struct str text, bool turns,
	     size_t *events)
{
	static const struct source_ops ops = { counted_read, counted_rewind,
					       counted_read_at, counted_close };
	struct counted *c = calloc(1, sizeof(*c));
	struct transcript t;
	uint64_t bytes = 0;
	uint32_t *seqs;
	size_t n = 0;
	struct event e;

	*c = (struct counted){ { .ops = &ops, .size_hint = text.n },
			       source_memory(text),
			       &bytes };
	*events = 0;
	event_init(&e);
	if (transcript_open(&t, &c->base, decoder, NULL) != TRANSCRIPT_OK ||
	    !transcript_select(&t, STR("")))
		abort();
	seqs = calloc(transcript_highest(&t) + 1, sizeof(*seqs));
	for (uint32_t s = transcript_highest(&t); s > 0; s--)
		if (transcript_is_event(&t, s))
			seqs[n++] = s;
	for (size_t i = 0; i < n; i++) {
		size_t at = !turns ? i : i % 2 == 0 ? i / 2 : n - 1 - i / 2;

		*events += event_load(&t, seqs[at], &e);
	}
	free(seqs);
	event_release(&e);
	transcript_close(&t);
	return bytes;
}

#endif /* COUNTED_H */

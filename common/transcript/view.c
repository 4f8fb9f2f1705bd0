#include "transcript/view.h"

#include <stdlib.h>

#include "base/json_span.h"
#include "base/xalloc.h"
#include "transcript/record.h"
#include "transcript/transcript.h"

void
view_release(struct view *v)
{
	buf_release(&v->line);
	free(v->spans);
	*v = (struct view){ .line = BUF_INIT };
}

static void
add_span(void *ctx, struct str span)
{
	struct view *v = ctx;

	XGROW(v->spans, v->n + 1, v->cap);
	v->spans[v->n++] = span;
}

/*
 * What is read is checked anew: the file may have been rewritten in place
 * since it was indexed, and everything below takes checked JSON.
 */
static bool
load(struct transcript *t, struct view *v, uint32_t number)
{
	const struct record *record = &t->records[number];
	struct str object;
	char *line;

	v->held = false;
	v->n = 0;
	buf_reset(&v->line);
	line = buf_reserve(&v->line, record->length);
	if (!source_read_at(t->source, record->offset, line, record->length))
		return false;
	v->line.len = record->length;
	if (!record_parse(buf_str(&v->line), &object))
		return false;
	v->part = (struct part){
		.record = object,
		.timestamp = json_get(object, "timestamp"),
		.known = t->decoder->parts(t, object, add_span, v),
	};
	v->record = number;
	v->held = true;
	return true;
}

bool
view_record(struct transcript *t, struct view *v, uint32_t number)
{
	return (v->held && v->record == number) || load(t, v, number);
}

bool
view_slot(struct transcript *t, struct view *v, uint32_t seq, struct part *part)
{
	uint32_t number = transcript_slot(t, seq)->record;
	size_t i = seq - t->records[number].seq;

	if (!view_record(t, v, number))
		return false;
	if (i >= v->n)
		return false;
	*part = v->part;
	part->span = v->spans[i];
	return true;
}

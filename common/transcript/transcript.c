#include "transcript/transcript.h"

#include <stdlib.h>

#include "base/json_span.h"
#include "transcript/branch.h"
#include "transcript/hosts.h"
#include "transcript/lines.h"
#include "transcript/pairing.h"
#include "transcript/record.h"

static void
init(struct transcript *t, struct source *source, const struct decoder *decoder)
{
	*t = (struct transcript){ .source = source, .decoder = decoder };
	siphash_random_key(&t->key);
	buf_init(&t->session_id, BUF_UNLIMITED);
	for (size_t i = 0; i < 2; i++)
		buf_init(&t->views[i].line, BUF_UNLIMITED);
	for (size_t i = 0; i < 3; i++)
		buf_init(&t->scratch[i], BUF_UNLIMITED);
}

void
transcript_close(struct transcript *t)
{
	if (t->decoder != NULL && t->decoder->end != NULL)
		t->decoder->end(t);
	source_close(t->source);
	index_release(t);
	for (size_t i = 0; i < t->n_names; i++)
		free(t->names[i].text);
	free(t->names);
	free(t->records);
	free(t->slots);
	free(t->boundaries);
	for (size_t i = 0; i < 2; i++)
		view_release(&t->views[i]);
	for (size_t i = 0; i < 3; i++)
		buf_release(&t->scratch[i]);
	buf_release(&t->session_id);
}

/* What the first record tells: whose transcript it is, and its id. */
static bool
begin(struct transcript *t, struct str first)
{
	if (t->decoder == NULL) {
		enum host host = hosts_recognise(first);

		if (host == HOST_COUNT)
			return false;
		t->decoder = hosts_decoder(host);
	} else if (!t->decoder->recognises(first)) {
		return false;
	}
	buf_add_str(&t->session_id,
		    t->decoder->session_id(first, &t->scratch[0]));
	t->decoder->begin(t, first);
	return true;
}

static bool
is_in_time(struct transcript *t, const struct time_range *times,
	   struct str record)
{
	struct str at;

	if (times == NULL || (!times->has_since && !times->has_until))
		return true;
	at = json_get(record, "timestamp");
	if (json_kind(at) != JSON_STRING)
		return false;
	at = json_text(at, &t->scratch[0]);
	return at.n <= TRANSCRIPT_TIME_BYTES && moment_in_range(times, at);
}

enum transcript_error
transcript_open(struct transcript *t, struct source *source,
		const struct decoder *decoder, const struct time_range *times)
{
	return transcript_open_search(t, source, decoder, times, NULL);
}

enum transcript_error
transcript_open_search(struct transcript *t, struct source *source,
		       const struct decoder *decoder,
		       const struct time_range *times,
		       const struct prefilter *prefilter)
{
	enum transcript_error error = TRANSCRIPT_OK;
	bool begun = false;
	struct lines lines;
	struct line line;
	struct str record;
	int more;

	init(t, source, decoder);
	lines_init(&lines, source, LINES_LONGEST);
	while ((more = lines_next(&lines, &line)) > 0) {
		if (line.blank)
			continue;
		if (line.too_long || !record_parse(line.text, &record)) {
			t->lines_skipped++;
			continue;
		}
		if (!begun && !begin(t, record))
			break;
		begun = true;
		t->offset = line.offset;
		t->length = (uint32_t)line.text.n;
		t->in_time = is_in_time(t, times, record);
		t->candidate = prefilter_passes(prefilter, line.text);
		if (!t->decoder->index(t, record, line.number))
			t->lines_skipped++;
	}
	if (more < 0)
		error = TRANSCRIPT_IO;
	else if (!begun)
		error = TRANSCRIPT_FOREIGN;
	else
		index_finish(t);
	lines_release(&lines);
	return error;
}

bool
transcript_select(struct transcript *t, struct str leaf)
{
	uint32_t record = RECORD_NONE;

	if (leaf.n > 0 && t->decoder->has_ids) {
		record = index_find(t, leaf);
		if (record == RECORD_NONE)
			return false;
	}
	t->decoder->branch(t, record);
	index_release(t);
	pairing_mark(t);
	return true;
}

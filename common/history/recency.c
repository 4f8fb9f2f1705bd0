#include "history/recency.h"

#include "base/json_span.h"
#include "base/timestamp.h"
#include "history/lines.h"
#include "history/record.h"

#define TAIL 65536u
#define FACTOR 4

/* The greatest time in the complete records from `from` on. */
static bool
newest_from(struct source *source, uint64_t from, struct instant *newest)
{
	struct buf scratch = BUF_INIT;
	bool found = false, skip = false;
	struct lines lines;
	struct line line;
	struct instant t;
	struct str record, at;
	char before;

	/* What the line before leaves of itself is not complete. */
	if (from > 0 && source_read_at(source, from - 1, &before, 1))
		skip = before != '\n';
	source_rewind(source, from);
	lines_init(&lines, source, LINES_LONGEST);
	while (lines_next(&lines, &line) > 0) {
		bool partial = skip;

		skip = false;
		if (partial || line.blank || line.too_long ||
		    !record_parse(line.text, &record))
			continue;
		at = json_get(record, "timestamp");
		if (json_kind(at) != JSON_STRING ||
		    !timestamp_rfc3339(json_text(at, &scratch), &t))
			continue;
		if (!found || instant_cmp(t, *newest) > 0)
			*newest = t;
		found = true;
	}
	lines_release(&lines);
	buf_release(&scratch);
	return found;
}

int64_t
recency_of(const struct corpus_file *file)
{
	struct source *source = corpus_open(file);
	uint64_t size, tail = TAIL, from = 1;
	struct instant newest;
	bool found = false;

	if (source != NULL && source->size_hint > 0) {
		size = source->size_hint;
		for (; !found && from > 0; tail *= FACTOR) {
			from = size > tail ? size - tail : 0;
			found = newest_from(source, from, &newest);
		}
	}
	source_close(source);
	if (found)
		return instant_to_ms(newest);
	return instant_to_ms(corpus_modified(file));
}

int
recency_cmp(const void *a, const void *b)
{
	const struct recency *x = a, *y = b;
	int c;

	if (x->ms != y->ms)
		return x->ms > y->ms ? -1 : 1;
	c = str_cmp(str_of(x->file->id), str_of(y->file->id));
	if (c != 0)
		return c;
	return str_cmp(str_of(hosts_name(x->file->host)),
		       str_of(hosts_name(y->file->host)));
}

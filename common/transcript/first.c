#include "transcript/first.h"

#include "transcript/record.h"

#define FIRST_BYTES ((size_t)16 * 1024)

bool
first_record(struct lines *lines, struct source *source, struct str *record)
{
	struct line line;

	lines_init(lines, source, LINES_LONGEST);
	/* One block of the usual size would be far more than is needed. */
	if (lines->cap > FIRST_BYTES)
		lines->cap = FIRST_BYTES;
	while (lines_next(lines, &line) > 0)
		if (!line.blank && !line.too_long &&
		    record_parse(line.text, record))
			return true;
	return false;
}

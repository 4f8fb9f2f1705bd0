#include "history/first.h"

#include "history/record.h"

bool
first_record(struct lines *lines, struct source *source, struct str *record)
{
	struct line line;

	lines_init(lines, source, LINES_LONGEST);
	while (lines_next(lines, &line) > 0)
		if (!line.blank && !line.too_long &&
		    record_parse(line.text, record))
			return true;
	return false;
}

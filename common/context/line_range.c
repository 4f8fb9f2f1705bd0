#include "context/line_range.h"

#include <string.h>

static int64_t
count_lines(struct str text)
{
	int64_t n = 0;

	for (; text.n > 0; n++)
		(void)str_cut(&text, '\n');
	return n;
}

/* Where line number `line` begins, or the text ends. */
static size_t
line_offset(struct str text, int64_t line)
{
	struct str rest = text;

	for (; line > 1 && rest.n > 0; line--)
		(void)str_cut(&rest, '\n');
	return text.n - rest.n;
}

static int64_t
resolve(struct line_bound b, int64_t absent, int64_t count)
{
	if (!b.given)
		return absent;
	return b.v < 0 ? count + 1 + b.v : b.v;
}

bool
line_range_select(struct line_range *r, struct str text,
		  struct line_bound start, struct line_bound stop)
{
	size_t from, to;

	*r = (struct line_range){ .count = count_lines(text), .text = text };
	if (!start.given && !stop.given)
		return true;
	r->start = resolve(start, 1, r->count);
	r->stop = resolve(stop, r->count, r->count);
	if (r->start < 1)
		r->start = 1;
	if (r->stop > r->count)
		r->stop = r->count;
	if (r->start > r->stop)
		return false;
	from = line_offset(text, r->start);
	to = line_offset(text, r->stop + 1);
	if (to > from && text.s[to - 1] == '\n')
		to--;
	r->text = (struct str){ text.s + from, to - from };
	return true;
}

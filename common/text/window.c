#include "text/window.h"

#include "base/utf8.h"

/* The offset from the start, of a text of total code points. */
static uint64_t
resolve(int64_t offset, size_t total)
{
	uint64_t back;

	if (offset >= 0)
		return (uint64_t)offset;
	back = (uint64_t) - (offset + 1) + 1; /* INT64_MIN has no negative */
	return back >= total ? 0 : total - back;
}

bool
window_open(struct window *w, struct str text, int64_t offset, int64_t limit)
{
	size_t total = utf8_count(text);
	uint64_t start = resolve(offset, total);
	struct str rest;

	*w = (struct window){ .total = total };
	if (start > total)
		return false;
	w->offset = (size_t)start;
	w->length = total - w->offset;
	if (limit < 0)
		w->length = 0;
	else if ((uint64_t)limit < w->length)
		w->length = (size_t)limit;
	rest = str_from(text, utf8_offset(text, w->offset));
	w->range = utf8_prefix(rest, w->length);
	return true;
}

struct str
window_prefix(const struct window *w, size_t k)
{
	return utf8_prefix(w->range, k);
}

int64_t
window_next(const struct window *w, size_t k)
{
	size_t next = w->offset + k;

	return next >= w->total ? -1 : (int64_t)next;
}

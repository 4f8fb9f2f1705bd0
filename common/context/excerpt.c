#include "context/excerpt.h"

#include <inttypes.h>

#include "base/utf8.h"
#include "context/bounds.h"
#include "tool/budget.h"

struct fitting {
	const struct tool *tool;
	void *result;
	excerpt_show *show;
	struct str range; /* all that was asked for */
	struct excerpt excerpt;
	int64_t chars;
};

static bool
fits(void *ctx, size_t k)
{
	struct fitting *f = ctx;
	struct excerpt *e = &f->excerpt;
	int64_t end = e->offset + (int64_t)k;

	e->text = utf8_prefix(f->range, k);
	e->shown = k;
	e->next = end < e->total ? end : FIELD_NONE;
	f->show(f->result, e);
	return budget_holds_chars(f->tool, f->result, f->chars);
}

int
excerpt_fit(const struct tool *tool, void *result, excerpt_show *show,
	    struct str text, int64_t offset, int64_t limit, int64_t chars,
	    struct fail *fail)
{
	int64_t total = (int64_t)utf8_count(text), n;
	struct fitting f = {
		.tool = tool, .result = result, .show = show, .chars = chars
	};
	size_t k;

	f.excerpt.offset = offset < total ? offset : total;
	f.excerpt.total = total;
	f.range = str_from(text, utf8_offset(text, (size_t)f.excerpt.offset));
	n = total - f.excerpt.offset;
	n = n < limit ? n : limit;
	k = budget_window((size_t)n, fits, &f);
	if (k == BUDGET_NONE || (k == 0 && n > 0))
		return bounds_refuse("the first character", fail);
	(void)fits(&f, k);
	return 0;
}

void
excerpt_add_range(struct buf *out, int64_t offset, size_t shown, int64_t total)
{
	int64_t end = offset + (int64_t)shown;

	if (offset > 0 || end < total)
		buf_addf(out, ", showing %" PRId64 "..%" PRId64, offset, end);
}

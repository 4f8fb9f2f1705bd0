#include "tool/budget.h"

#include "tool/result.h"

bool
budget_holds(const struct tool *tool, const void *result)
{
	struct buf out;
	bool fits;

	buf_init(&out, BUDGET_BYTES);
	result_json(tool, result, &out);
	fits = !out.full;
	if (fits) {
		buf_reset(&out);
		tool->text(result, &out);
		fits = !out.full;
	}
	buf_release(&out);
	return fits;
}

/* The largest k in [yes, no) that fits; yes is known to, no counts as not. */
static size_t
bisect(size_t yes, size_t no, bool (*fits)(void *ctx, size_t k), void *ctx)
{
	size_t middle;

	while (no - yes > 1) {
		middle = yes + (no - yes) / 2;
		if (fits(ctx, middle))
			yes = middle;
		else
			no = middle;
	}
	return yes;
}

size_t
budget_items(size_t least, size_t n, bool (*fits)(void *ctx, size_t k),
	     void *ctx)
{
	size_t yes = least, step = 1;

	if (least > n || !fits(ctx, least))
		return BUDGET_NONE;
	if (least == n)
		return n;

	/* Up to n - 1, where what fits is one run from the start. */
	while (step < n - yes && fits(ctx, yes + step)) {
		yes += step;
		step *= 2;
	}
	yes = bisect(yes, step < n - yes ? yes + step : n, fits, ctx);

	return yes == n - 1 && fits(ctx, n) ? n : yes;
}

/*
 * A CR takes more room as long as the LF behind it is not there: two more may
 * fit where one does not.  That is a few bytes, so it is soon over.
 */
static size_t
past_line_ends(size_t k, size_t n, bool (*fits)(void *ctx, size_t k), void *ctx)
{
	for (;;) {
		if (k + 1 < n && fits(ctx, k + 1))
			k += 1;
		else if (k + 2 < n && fits(ctx, k + 2))
			k += 2;
		else
			return k;
	}
}

size_t
budget_window(size_t n, bool (*fits)(void *ctx, size_t k), void *ctx)
{
	if (fits(ctx, n))
		return n;
	if (n == 0 || !fits(ctx, 0))
		return BUDGET_NONE;
	return past_line_ends(bisect(0, n, fits, ctx), n, fits, ctx);
}

#include "tool/budget.h"

#include "base/utf8.h"
#include "tool/result.h"

bool
budget_holds_chars(const struct tool *tool, const void *result, int64_t chars)
{
	struct buf out;
	bool fits;

	buf_init(&out, BUDGET_BYTES);
	tool->text(result, &out);
	/* Many a result is short: code points are counted where bytes do. */
	fits = !out.full && (out.len <= (size_t)chars ||
			     utf8_count(buf_str(&out)) <= (size_t)chars);
	if (fits) {
		buf_reset(&out);
		result_json(tool, result, &out);
		fits = !out.full;
	}
	buf_release(&out);
	return fits;
}

bool
budget_holds(const struct tool *tool, const void *result)
{
	return budget_holds_chars(tool, result, BUDGET_BYTES);
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

/* Shows the first k rows. */
static bool
list_fits(void *ctx, size_t k)
{
	struct budget_list *list = ctx;
	int64_t behind = list->offset + (int64_t)k;

	list->rows->n = k;
	if (list->left != NULL)
		*list->left = list->total - behind;
	if (list->has_more != NULL)
		*list->has_more = behind < list->total;
	if (list->next != NULL)
		*list->next = behind < list->total ? behind : FIELD_NONE;
	return budget_holds_chars(list->tool, list->result,
				  list->chars > 0 ? list->chars : BUDGET_BYTES);
}

bool
budget_list(struct budget_list *list)
{
	size_t n = list->rows->n, k;

	if (list->whole_first && list_fits(list, n))
		return true;
	k = budget_items(0, n, list_fits, list);
	(void)list_fits(list, k == BUDGET_NONE ? 0 : k);
	return k != BUDGET_NONE;
}

#include "lessons/fit.h"

#include "tool/budget.h"

struct fitting {
	const struct tool *tool;
	void *result;
	struct field_list *list;
	int64_t offset, total, *rest;
};

static bool
page_fits(void *ctx, size_t k)
{
	struct fitting *f = ctx;
	int64_t next = f->offset + (int64_t)k;

	f->list->n = k;
	*f->rest = next < f->total ? next : FIELD_NONE;
	return budget_holds(f->tool, f->result);
}

static bool
rows_fit(void *ctx, size_t k)
{
	struct fitting *f = ctx;

	f->list->n = k;
	*f->rest = f->total - (int64_t)k;
	return budget_holds(f->tool, f->result);
}

static void
fit(struct fitting *f, bool (*fits)(void *ctx, size_t k))
{
	size_t n = budget_items(0, f->list->n, fits, f);

	(void)fits(f, n == BUDGET_NONE ? 0 : n);
}

void
fit_page(const struct tool *tool, void *result, struct field_list *list,
	 int64_t offset, int64_t total, int64_t *next)
{
	struct fitting f = { tool, result, list, offset, total, next };

	fit(&f, page_fits);
}

void
fit_rows(const struct tool *tool, void *result, struct field_list *list,
	 int64_t total, int64_t *omitted)
{
	struct fitting f = { tool, result, list, 0, total, omitted };

	fit(&f, rows_fit);
}

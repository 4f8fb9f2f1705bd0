#include "lessons/fit.h"

#include "tool/budget.h"

void
fit_page(const struct tool *tool, void *result, struct field_list *list,
	 int64_t offset, int64_t total, int64_t *next)
{
	struct budget_list page = { .tool = tool,
				    .result = result,
				    .rows = list,
				    .offset = offset,
				    .total = total,
				    .next = next };

	(void)budget_list(&page);
}

void
fit_rows(const struct tool *tool, void *result, struct field_list *list,
	 int64_t total, int64_t *omitted)
{
	struct budget_list rows = { .tool = tool,
				    .result = result,
				    .rows = list,
				    .total = total,
				    .left = omitted };

	(void)budget_list(&rows);
}

#include "context/history_list_windows.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "context/fence.h"
#include "context/item_rows.h"
#include "context/life_json.h"
#include "context/parameters.h"
#include "tool/budget.h"

/* Items by window; NULL when a record is not readable any more. */
static int64_t *
count_items(struct items *items)
{
	int64_t *counts = xcalloc(items->n_windows + 1, sizeof(*counts));
	struct item scratch;
	int rc = 0;

	item_init(&scratch);
	for (uint32_t r = 0; r < items_records(items) && rc >= 0; r++) {
		rc = items_has(items, r, &scratch);
		if (rc > 0)
			counts[items_window_of(items, r)]++;
	}
	item_release(&scratch);
	if (rc >= 0)
		return counts;
	free(counts);
	return NULL;
}

static int
gather(struct items *items, bool recent_first,
       struct history_list_windows_result *r, struct fail *fail)
{
	int64_t *counts = count_items(items);
	struct buf id = BUF_INIT;

	if (counts == NULL)
		return items_refuse_io(items, fail);
	r->owned = xcalloc(items->n_windows + 1, sizeof(*r->owned));
	for (size_t i = 0; i < items->n_windows; i++) {
		size_t at = recent_first ? items->n_windows - 1 - i : i;

		/* The first one is there only when something is in it. */
		if (at == 0 && counts[at] == 0)
			continue;
		life_json_window(&id, items->windows[at].number);
		r->owned[r->n++] = (struct history_window){ buf_detach(&id),
							    counts[at] };
	}
	free(counts);
	return 0;
}

static int
run(struct context *c, struct items *items, const struct tool_call *call,
    struct history_list_windows_result *r, struct fail *fail)
{
	const struct history_list_windows_args *args = call->args;
	struct budget_list list = { .tool = call->tool,
				    .result = r,
				    .rows = &r->windows,
				    .has_more = &r->has_more };
	struct buf name = BUF_INIT;
	const struct agent *agent;
	size_t n;
	int rc = -1;

	if (context_open(c, call->facts, call->remarks, CONTEXT_READ, fail) !=
		    0 ||
	    context_name_agent(c, arg_str(args->agent_name), &name, fail) !=
		    0 ||
	    fence_admit(c, call->tool->name, false, fail) != 0)
		goto out;
	agent = agents_find(&c->agents, buf_str(&name));
	r->agent_name = xstrdup(agent->name);
	r->session = xstrdup(agent->session);
	if (items_open(items, c->facts, agent, NULL, fail) != 0)
		goto out;
	r->transcript_found = items->found ? -1 : 0;
	if (items->found && gather(items, args->recent_first.v, r, fail) != 0)
		goto out;
	n = (size_t)parameters_count(args->limit, HISTORY_LIST_WINDOWS,
				     HISTORY_LIST_WINDOWS_MOST);
	r->windows = (struct field_list){ r->owned, n < r->n ? n : r->n };
	list.total = (int64_t)r->n;
	list.chars = c->policy.output_chars;
	(void)budget_list(&list);
	rc = 0;
out:
	buf_release(&name);
	return rc;
}

int
history_list_windows_run(const struct tool_call *call, void *result,
			 struct fail *fail)
{
	const struct history_list_windows_args *args = call->args;
	struct items items = { .session = SESSION_INIT };
	struct context c;
	int rc;

	if (parameters_not_empty("agent_name", args->agent_name, fail) != 0)
		return -1;
	rc = run(&c, &items, call, result, fail);
	items_close(&items);
	context_close(&c);
	return rc;
}

void
history_list_windows_person(const void *result, const struct terminal *t,
			    struct buf *out)
{
	const struct history_list_windows_result *r = result;
	const struct history_window *v = r->windows.v;

	if (r->transcript_found == 0) {
		item_rows_show_absent(out, r->agent_name, r->session);
		return;
	}
	if (r->windows.n == 0)
		buf_adds(out, "No history windows.");
	for (size_t i = 0; i < r->windows.n; i++)
		buf_addf(out, "%s%s: %" PRId64 " items", i == 0 ? "" : "\n",
			 v[i].window_id, v[i].item_count);
	if (r->has_more)
		buf_adds(out,
			 t == NULL ? "\n[more windows exist; raise limit]"
				   : "\n[more windows exist; raise --limit]");
}

void
history_list_windows_text(const void *result, struct buf *out)
{
	history_list_windows_person(result, NULL, out);
}

void
history_list_windows_release(void *result)
{
	struct history_list_windows_result *r = result;

	for (size_t i = 0; i < r->n; i++)
		free(r->owned[i].window_id);
	free(r->owned);
	free(r->agent_name);
	free(r->session);
}

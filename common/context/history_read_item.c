#include "context/history_read_item.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/visible.h"
#include "base/xalloc.h"
#include "context/bounds.h"
#include "context/excerpt.h"
#include "context/fence.h"
#include "context/item_rows.h"
#include "context/life_json.h"
#include "context/parameters.h"
#include "tool/terminal.h"

static int
check(const struct history_read_item_args *args, struct fail *fail)
{
	if (parameters_not_empty("agent_name", args->agent_name, fail) != 0 ||
	    parameters_not_empty("item_id", args->item_id, fail) != 0)
		return -1;
	return parameters_not_empty("window_id", args->window_id, fail);
}

/* The first item of that id on the branch, loaded.  1; 0: none; -1 as ever. */
static int
find(struct items *items, struct str id, struct item *item)
{
	int rc = 0;

	for (uint32_t r = 0; r < items_records(items) && rc == 0; r++) {
		if (!items_may_be(items, r, id))
			continue;
		rc = items_load(items, r, item);
		if (rc > 0 && !str_eq(buf_str(&item->id), id))
			rc = 0;
	}
	return rc;
}

/* where: the window that has it, 0: none. */
static int
refuse_absent(const struct history_read_item_args *args, int64_t where,
	      struct fail *fail)
{
	struct buf id = BUF_INIT, window = BUF_INIT, hint = BUF_INIT;

	fail_quote(&id, arg_str(args->item_id));
	fail_quote(&window, arg_str(args->window_id));
	if (where != 0)
		buf_addf(&hint, "; it is in window w%" PRId64, where);
	fail_refuse(fail, "not_found", "no item %s in window %s%s", id.data,
		    window.data, hint.data);
	buf_release(&id);
	buf_release(&window);
	buf_release(&hint);
	return -1;
}

static int
load(struct items *items, const struct history_read_item_args *args,
     struct history_read_item_result *r, struct fail *fail)
{
	struct str none = { NULL, 0 };
	struct buf window = BUF_INIT;
	const struct item_call *call;
	int64_t number;
	int rc = find(items, arg_str(args->item_id), &r->item);

	if (rc < 0)
		return items_refuse_io(items, fail);
	if (rc == 0)
		return refuse_absent(args, 0, fail);
	number = items->windows[items_window_of(items, r->item.record)].number;
	life_json_window(&window, number);
	r->window_id = buf_detach(&window);
	if (!str_is(arg_str(args->window_id), r->window_id))
		return refuse_absent(args, number, fail);
	r->item_id = xmemdup(r->item.id.data, r->item.id.len);
	r->role = (int)r->item.role;
	call = item_rows_choose(&r->item, none, none);
	if (call != NULL) {
		r->tool_name = item_rows_name(&call->name);
		r->tool_namespace = item_rows_name(&call->space);
	}
	return 0;
}

static void
show(void *result, const struct excerpt *excerpt)
{
	struct history_read_item_result *r = result;

	r->content = excerpt->text;
	r->shown = excerpt->shown;
	r->offset_chars = excerpt->offset;
	r->total_chars = excerpt->total;
	r->next_offset_chars = excerpt->next;
}

static int
run(struct context *c, struct items *items, const struct tool_call *call,
    struct history_read_item_result *r, struct fail *fail)
{
	const struct history_read_item_args *args = call->args;
	struct buf agent = BUF_INIT;
	int64_t most;
	int rc = -1;

	if (context_open(c, call->facts, call->remarks, CONTEXT_READ, fail) !=
		    0 ||
	    context_name_agent(c, arg_str(args->agent_name), &agent, fail) !=
		    0 ||
	    fence_admit(c, call->tool->name, false, fail) != 0 ||
	    items_open(items, c->facts,
		       agents_find(&c->agents, buf_str(&agent)), NULL,
		       fail) != 0 ||
	    load(items, args, r, fail) != 0)
		goto out;
	most = c->policy.output_chars;
	rc = excerpt_fit(call->tool, r, show, buf_str(&r->item.content),
			 args->offset_chars.v,
			 parameters_count(args->limit_chars, most, most), most,
			 fail);
out:
	buf_release(&agent);
	return rc;
}

int
history_read_item_run(const struct tool_call *call, void *result,
		      struct fail *fail)
{
	struct history_read_item_result *r = result;
	struct items items = { .session = SESSION_INIT };
	struct context c;
	int rc;

	item_init(&r->item);
	if (check(call->args, fail) != 0)
		return -1;
	rc = run(&c, &items, call, r, fail);
	items_close(&items);
	context_close(&c);
	return rc;
}

void
history_read_item_person(const void *result, const struct terminal *t,
			 struct buf *out)
{
	const struct history_read_item_result *r = result;

	buf_addf(out, "%s | %s", r->window_id, item_roles[r->role]);
	item_rows_show_tool(out, r->tool_namespace, r->tool_name);
	buf_addf(out, " | %" PRId64 " chars", r->total_chars);
	excerpt_add_range(out, r->offset_chars, r->shown, r->total_chars);
	buf_adds(out, " [id: ");
	visible_field(out, str_of(r->item_id));
	buf_adds(out, "]\n");
	bounds_show(out, r->content);
	terminal_continuation(out, t, r->next_offset_chars);
}

void
history_read_item_text(const void *result, struct buf *out)
{
	history_read_item_person(result, NULL, out);
}

void
history_read_item_release(void *result)
{
	struct history_read_item_result *r = result;

	item_release(&r->item);
	free(r->window_id);
	free(r->item_id);
	free(r->tool_name);
	free(r->tool_namespace);
}

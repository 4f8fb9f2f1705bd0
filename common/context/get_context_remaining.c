#include "context/get_context_remaining.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "context/bounds.h"
#include "context/fence.h"
#include "context/life_json.h"
#include "context/notes_list_files_by_prefix.h"
#include "tool/budget.h"

static void
take_agents(struct get_context_remaining_result *r, const struct agents *agents)
{
	struct buf names = BUF_INIT;
	size_t at = 0;

	for (size_t i = 0; i < agents->n; i++)
		buf_adds(&names, agents->v[i].name);
	r->names = buf_detach(&names);
	for (size_t i = 0; i < agents->n; i++) {
		size_t n = strlen(agents->v[i].name);

		r->all[r->n++] = (struct str){ r->names + at, n };
		at += n;
	}
}

static int
warn(struct context *c, struct get_context_remaining_result *r,
     struct fail *fail)
{
	struct note_files own = { 0 };
	int rc = notebook_list(&c->own, STR(""), &own, fail);

	if (rc == 0) {
		notebook_warnings(&own, c->agent, c->policy.note_bytes,
				  &r->advice);
		r->lines = notes_list_files_warnings(buf_str(&r->advice),
						     &r->warnings);
	}
	notebook_files_release(&own);
	return rc;
}

static int
run(struct context *c, const struct tool_call *call,
    struct get_context_remaining_result *r, struct fail *fail)
{
	struct budget_list list = { .tool = call->tool,
				    .result = r,
				    .rows = &r->agents,
				    .has_more = &r->has_more };
	struct buf window = BUF_INIT;
	int64_t remaining;

	if (context_open(c, call->facts, call->remarks, CONTEXT_READ, fail) !=
		    0 ||
	    fence_admit(c, call->tool->name, true, fail) != 0 ||
	    warn(c, r, fail) != 0)
		return -1;
	remaining = decide_remaining(&c->life);
	r->remaining_tokens = remaining < 0 ? FIELD_NONE : remaining;
	life_json_window(&window, c->life.window);
	r->window_id = buf_detach(&window);
	r->agent_name = xmemdup(c->agent.s, c->agent.n);
	take_agents(r, &c->agents);
	r->agents = (struct field_list){ r->all, r->n };
	list.total = (int64_t)r->n;
	list.chars = c->policy.output_chars;
	return budget_list(&list) ? 0
				  : bounds_refuse("the advice on notes", fail);
}

int
get_context_remaining_run(const struct tool_call *call, void *result,
			  struct fail *fail)
{
	struct get_context_remaining_result *r = result;
	struct context c;
	int rc;

	buf_init(&r->advice, BUF_UNLIMITED);
	rc = run(&c, call, r, fail);
	context_close(&c);
	return rc;
}

void
get_context_remaining_text(const void *result, struct buf *out)
{
	const struct get_context_remaining_result *r = result;
	const struct str *agents = r->agents.v, *warnings = r->warnings.v;

	buf_adds(out, "You have ");
	if (r->remaining_tokens == FIELD_NONE)
		buf_adds(out, "unknown");
	else
		buf_addf(out, "%" PRId64, r->remaining_tokens);
	buf_addf(out,
		 " tokens left in this context window (window %s, agent "
		 "%s).\nRegistered agents: ",
		 r->window_id, r->agent_name);
	for (size_t i = 0; i < r->agents.n; i++) {
		if (i > 0)
			buf_adds(out, ", ");
		buf_add_str(out, agents[i]);
	}
	if (r->has_more)
		buf_adds(out, " and more");
	for (size_t i = 0; i < r->warnings.n; i++) {
		buf_addc(out, '\n');
		bounds_show(out, warnings[i]);
	}
}

void
get_context_remaining_release(void *result)
{
	struct get_context_remaining_result *r = result;

	free(r->window_id);
	free(r->agent_name);
	free(r->names);
	free(r->lines);
	buf_release(&r->advice);
}

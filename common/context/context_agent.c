#include "context/context_agent.h"

#include <stdlib.h>

#include "base/visible.h"
#include "base/xalloc.h"
#include "context/context.h"
#include "context/items.h"
#include "context/life_json.h"
#include "context/parameters.h"
#include "context/state.h"
#include "tool/budget.h"

enum { LIST, REGISTER };
const char *const context_agent_actions[] = { "list", "register", NULL };

#define SESSION_BYTES 200
#define WINDOW_MAX_BYTES ((size_t)8 << 20)

/* ---- arguments --------------------------------------------------------- */

static bool
is_plain(struct arg_string s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.s[i] < 0x20 || s.s[i] == 0x7f)
			return false;
	return s.n > 0 && s.n <= SESSION_BYTES;
}

static int
check(const struct context_agent_args *args, struct fail *fail)
{
	if (args->action.v == LIST)
		return 0;
	if (!args->agent_name.given || args->agent_name.n == 0)
		return fail_invalid(fail, "agent_name: nothing given; legal: "
					  "an agent name, to register");
	if (!args->session.given || !is_plain(args->session))
		return fail_invalid(fail,
				    "session: %s; legal: 1 to 200 bytes "
				    "without control characters, to register",
				    args->session.given ? "no such name given"
							: "nothing given");
	if (args->session_file.given &&
	    (args->session_file.n == 0 || args->session_file.s[0] != '/'))
		return fail_invalid(fail, "session_file: no absolute path "
					  "given; legal: an absolute path");
	return 0;
}

/* ---- windows ----------------------------------------------------------- */

/* By its state, or else by what its transcript tells. */
static int64_t
window_of(const struct context *c, const struct agent *agent)
{
	struct buf path = BUF_INIT, json = BUF_INIT;
	struct items items = { .session = SESSION_INIT };
	struct fail ignored = FAIL_INIT;
	struct life life;
	int64_t window = 1;

	decide_init(&life);
	buf_adds(&path, "agents/");
	agents_folder(&path, str_of(agent->name));
	buf_adds(&path, "/window.json");
	if (c->dir >= 0 &&
	    state_read(c->dir, path.data, WINDOW_MAX_BYTES, &json) > 0 &&
	    life_json_read(&life, c->root, str_of(agent->name),
			   buf_str(&json))) {
		window = life.window;
	} else if (items_open(&items, c->facts, agent, NULL, &ignored) == 0 &&
		   items.found) {
		window = items.windows[items.n_windows - 1].number;
	}
	items_close(&items);
	fail_release(&ignored);
	decide_release(&life);
	buf_release(&path);
	buf_release(&json);
	return window;
}

static void
add_row(struct context_agent_result *r, const struct context *c,
	const struct agent *agent)
{
	struct buf window = BUF_INIT;

	life_json_window(&window, window_of(c, agent));
	r->owned[r->n++] = (struct context_agent_row){
		.agent_name = xstrdup(agent->name),
		.session = xstrdup(agent->session),
		.session_file = agent->session_file == NULL
					? NULL
					: xstrdup(agent->session_file),
		.window_id = buf_detach(&window)
	};
}

/* ---- running ----------------------------------------------------------- */

static int
register_agent(struct context *c, const struct context_agent_args *args,
	       struct context_agent_result *r, struct fail *fail)
{
	struct buf name = BUF_INIT;
	int rc = agents_resolve(&name, arg_str(args->agent_name), c->agent,
				"agent_name", fail);

	if (rc == 0 && str_is(buf_str(&name), AGENTS_ROOT))
		rc = agents_refuse_bad(buf_str(&name), "context-init binds it",
				       fail);
	if (rc == 0)
		rc = agents_bind(
			&c->agents, buf_str(&name), arg_str(args->session),
			args->session_file.given ? args->session_file.s : NULL,
			&r->created, fail);
	if (rc == 0)
		rc = context_store_agents(c, fail);
	r->agent_name = buf_detach(&name);
	r->session = xmemdup(args->session.s, args->session.n);
	return rc;
}

static int
run(struct context *c, const struct tool_call *call,
    struct context_agent_result *r, struct fail *fail)
{
	const struct context_agent_args *args = call->args;
	struct budget_list list = { .tool = call->tool,
				    .result = r,
				    .rows = &r->agents,
				    .has_more = &r->has_more };

	if (context_open(c, call->facts, call->remarks,
			 args->action.v == REGISTER ? CONTEXT_WRITE
						    : CONTEXT_READ,
			 fail) != 0 ||
	    (args->action.v == REGISTER &&
	     register_agent(c, args, r, fail) != 0))
		return -1;
	r->owned = xcalloc(c->agents.n + 1, sizeof(*r->owned));
	for (size_t i = 0; i < c->agents.n; i++)
		add_row(r, c, &c->agents.v[i]);
	r->agents = (struct field_list){ r->owned, r->n };
	list.total = (int64_t)r->n;
	(void)budget_list(&list);
	return 0;
}

int
context_agent_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct context_agent_args *args = call->args;
	struct context_agent_result *r = result;
	struct context c;
	int rc;

	if (check(args, fail) != 0)
		return -1;
	r->action = args->action.v;
	rc = run(&c, call, r, fail);
	context_close(&c);
	return rc;
}

void
context_agent_text(const void *result, struct buf *out)
{
	const struct context_agent_result *r = result;
	const struct context_agent_row *v = r->agents.v;

	if (r->action == REGISTER) {
		buf_addf(out, "%s %s (session ",
			 r->created ? "Registered" : "Updated", r->agent_name);
		visible_field(out, str_of(r->session));
		buf_adds(out, ").");
		return;
	}
	for (size_t i = 0; i < r->agents.n; i++) {
		buf_addf(out, "%s%s | session ", i == 0 ? "" : "\n",
			 v[i].agent_name);
		visible_field(out, str_of(v[i].session));
		buf_addf(out, " | window %s", v[i].window_id);
	}
	if (r->has_more)
		buf_adds(out, "\n[more agents are registered]");
}

void
context_agent_release(void *result)
{
	struct context_agent_result *r = result;

	for (size_t i = 0; i < r->n; i++) {
		free(r->owned[i].agent_name);
		free(r->owned[i].session);
		free(r->owned[i].session_file);
		free(r->owned[i].window_id);
	}
	free(r->owned);
	free(r->agent_name);
	free(r->session);
}

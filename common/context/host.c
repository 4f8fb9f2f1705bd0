#include "context/host.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/json_span.h"
#include "base/xalloc.h"
#include "context/bounds.h"
#include "context/control.h"
#include "context/evidence.h"
#include "context/fence.h"
#include "context/item_blocks.h"
#include "context/life_json.h"
#include "context/parameters.h"
#include "context/state.h"
#include "context/virtual_path.h"

/* ---- messages ---------------------------------------------------------- */

#define IN_DETAILS(member) offsetof(struct host_details, member)
#define IN_MESSAGE(member) offsetof(struct host_message, member)

static const struct field details_fields[] = {
	{ .name = "windowId",
	  .type = FIELD_CHARS,
	  .offset = IN_DETAILS(window_id) },
	{ MEMBER(IN_DETAILS, kind, FIELD_CHARS) },
	FIELD_END
};

const struct field host_message_fields[] = {
	{ MEMBER(IN_MESSAGE, message_id, FIELD_CHARS) },
	{ MEMBER(IN_MESSAGE, kind, FIELD_CHARS) },
	{ MEMBER(IN_MESSAGE, window_id, FIELD_CHARS) },
	{ MEMBER(IN_MESSAGE, deliver, FIELD_CHARS),
	  .help = "passive, steer or turn" },
	{ MEMBER(IN_MESSAGE, custom_type, FIELD_CHARS) },
	{ MEMBER(IN_MESSAGE, details, FIELD_OBJECT), .fields = details_fields },
	{ MEMBER(IN_MESSAGE, display, FIELD_BOOLEAN) },
	{ MEMBER(IN_MESSAGE, text, FIELD_STRING) },
	FIELD_END
};

static const char *
delivery(enum message_kind kind, bool idle)
{
	switch (kind) {
	case MESSAGE_IDENTITY:
		return "passive";
	case MESSAGE_CHECKPOINT:
		return "turn";
	case MESSAGE_CONTINUATION:
		return idle ? "turn" : "steer";
	default:
		return "steer";
	}
}

static char *
window_chars(int64_t window)
{
	struct buf id = BUF_INIT;

	life_json_window(&id, window);
	return buf_detach(&id);
}

static void
add_message(struct host_result *r, const struct life *life,
	    enum message_kind kind, bool idle)
{
	const struct life_message *m = &life->outbox[kind];
	struct host_message *out = &r->v[r->messages.n];
	struct buf id = BUF_INIT, type = BUF_INIT;
	char *text = xmemdup(m->text.data, m->text.len);

	life_json_message_id(&id, life->window, kind, m->number);
	buf_addf(&type, CONTROL_TYPE "%s", decide_messages[kind]);
	*out = (struct host_message){
		.message_id = buf_detach(&id),
		.kind = decide_messages[kind],
		.window_id = window_chars(life->window),
		.deliver = delivery(kind, idle),
		.custom_type = buf_detach(&type),
		.text = { text, m->text.len },
	};
	out->details = (struct host_details){ out->window_id, out->kind };
	r->texts[r->messages.n++] = text;
}

/* In the order in which they were made. */
static void
add_messages(struct host_result *r, const struct life *life,
	     const struct decision *d, bool idle)
{
	int64_t last = 0;

	r->messages.v = r->v;
	for (;;) {
		enum message_kind next = MESSAGE_COUNT;

		for (unsigned i = 0; i < MESSAGE_COUNT; i++)
			if (d->give[i] && life->outbox[i].number > last &&
			    (next == MESSAGE_COUNT ||
			     life->outbox[i].number <
				     life->outbox[next].number))
				next = (enum message_kind)i;
		if (next == MESSAGE_COUNT)
			return;
		last = life->outbox[next].number;
		add_message(r, life, next, idle);
	}
}

/* ---- one call ---------------------------------------------------------- */

struct handling {
	struct context c;
	struct items items;
	struct decision d;
};

static void
fill_state(struct host_result *r, const struct context *c)
{
	const struct life *life = &c->life;
	int64_t remaining = decide_remaining(life);

	r->agent_name = xmemdup(c->agent.s, c->agent.n);
	r->window_id = window_chars(life->window);
	r->window_number = life->window;
	r->first_window_id = window_chars(1);
	if (life->previous != 0)
		r->previous_window_id = window_chars(life->previous);
	r->phase = (int)decide_phase(life, &c->config);
	r->remaining_tokens = remaining < 0 ? FIELD_NONE : remaining;
	r->reminder_level = FIELD_NONE;
	if (life->usage_known)
		r->reminder_level = decide_level(&c->config,
						 life->context_window);
	r->hard_level = c->config.hard > 0 ? c->config.hard : FIELD_NONE;
}

/*
 * From the event to the stored state, and what all results have.  scan: look
 * at the transcript.
 */
static int
handle(struct handling *h, bool scan, const struct life_event *event, bool idle,
       struct host_result *r, struct fail *fail)
{
	struct context *c = &h->c;
	struct evidence evidence;

	if (!scan)
		evidence = evidence_local(c);
	else if (evidence_gather(c, &h->items, &evidence, fail) != 0)
		return -1;
	h->d = context_decide(c, event, &evidence);
	if (control_compose(c, &h->items, fail) != 0 ||
	    context_store(c, fail) != 0)
		return -1;
	r->transcript_found = evidence.found;
	fill_state(r, c);
	add_messages(r, &c->life, &h->d, idle);
	return 0;
}

static int
open_host(struct handling *h, const struct tool_call *call, struct fail *fail)
{
	*h = (struct handling){ .items = { .session = SESSION_INIT } };
	return context_open(&h->c, call->facts, call->remarks, CONTEXT_WRITE,
			    fail);
}

static void
close_host(struct handling *h)
{
	items_close(&h->items);
	context_close(&h->c);
}

/* Open, event, close: all that most of them do. */
static int
simply(const struct tool_call *call, bool scan, const struct life_event *event,
       bool idle, struct host_result *r, struct decision *d, struct fail *fail)
{
	struct handling h;
	int rc = open_host(&h, call, fail);

	if (rc == 0)
		rc = handle(&h, scan, event, idle, r, fail);
	*d = h.d;
	close_host(&h);
	return rc;
}

/* ---- context-init ------------------------------------------------------ */

/* /root is bound to the session that is current when it begins. */
static int
bind_root(struct context *c, struct fail *fail)
{
	const char *session = fact(c->facts, FACT_SESSION);
	bool created;

	if (!str_is(c->agent, AGENTS_ROOT))
		return 0;
	if (agents_bind(&c->agents, c->agent,
			session != NULL ? str_of(session) : c->session,
			fact(c->facts, FACT_SESSION_FILE), &created, fail) != 0)
		return -1;
	return context_store_agents(c, fail);
}

int
context_init_run(const struct tool_call *call, void *result, struct fail *fail)
{
	struct life_event event = { .type = EVENT_INIT };
	struct handling h;
	int rc = open_host(&h, call, fail);

	if (rc == 0)
		rc = bind_root(&h.c, fail);
	if (rc == 0) {
		state_sweep(h.c.dir, h.c.now_ms);
		rc = handle(&h, true, &event, true, result, fail);
	}
	close_host(&h);
	return rc;
}

/* ---- context-usage ----------------------------------------------------- */

/* What is not an id of a window is that of none that was ever current. */
static int64_t
window_given(struct arg_string id)
{
	int64_t number = life_json_window_number(arg_str(id));

	if (!id.given)
		return 0;
	return number == 0 ? -1 : number;
}

static void
take_model(struct context *c, struct arg_string given)
{
	const char *fallback = fact(c->facts, FACT_MODEL);
	struct str model = given.given ? arg_str(given) : str_of(fallback);

	if (model.n > 0) {
		buf_reset(&c->life.model);
		buf_add_str(&c->life.model, model);
	}
	c->config = policy_for(&c->policy, buf_str(&c->life.model));
}

int
context_usage_run(const struct tool_call *call, void *result, struct fail *fail)
{
	static const char *const reasons[] = {
		[ANSWER_USAGE_DISABLED] = "disabled",
		[ANSWER_USAGE_STALE] = "stale",
		[ANSWER_USAGE_ABORTED] = "aborted",
		[ANSWER_USAGE_UNKNOWN] = "unknown",
		[ANSWER_USAGE_PENDING] = "pending",
		[ANSWER_USAGE_CHECKPOINT] = "checkpoint",
	};
	const struct context_usage_args *args = call->args;
	struct host_result *r = result;
	struct life_event event = { .type = EVENT_USAGE,
				    .used_given = args->used_tokens.given,
				    .used = args->used_tokens.v,
				    .context_window = args->context_window.v,
				    .aborted = args->aborted.v,
				    .window = window_given(args->window_id) };
	struct handling h;
	int rc = open_host(&h, call, fail);

	if (rc == 0) {
		take_model(&h.c, args->model);
		rc = handle(&h, true, &event, false, r, fail);
	}
	if (rc == 0 && h.d.answer != ANSWER_DONE)
		r->reason = reasons[h.d.answer];
	close_host(&h);
	return rc;
}

/* ---- context-gate ------------------------------------------------------ */

/* mcp__ctx__notes-write-file is notes_write_file. */
static void
short_name(struct buf *out, struct str name)
{
	size_t from = 0;

	for (size_t i = 0; i + 1 < name.n; i++)
		if (name.s[i] == '_' && name.s[i + 1] == '_')
			from = i + 2;
	for (size_t i = from; i < name.n; i++)
		buf_addc(out, name.s[i] == '-' ? '_' : name.s[i]);
}

/* Whether the arguments of a writer are those of a checkpoint. */
static bool
is_checkpoint(const struct context *c, struct arg_json arguments)
{
	static const char *const names[] = { "path", "text" };
	struct virtual_path path = VIRTUAL_PATH_INIT;
	struct buf given = BUF_INIT, text = BUF_INIT;
	struct fail ignored = FAIL_INIT;
	struct str v[2];
	bool fine;

	if (!arguments.given)
		return false;
	json_get_many(json_value(arguments.text), names, v, 2);
	fine = json_kind(v[0]) == JSON_STRING && json_kind(v[1]) == JSON_STRING;
	if (fine) {
		json_decode(v[0], &given);
		json_decode(v[1], &text);
		fine = !item_blocks_blank(buf_str(&text)) && given.len > 0 &&
		       virtual_path_parse(&path, buf_str(&given), c->agent,
					  &ignored) == 0 &&
		       str_eq(buf_str(&path.agent), c->agent);
	}
	virtual_path_release(&path);
	buf_release(&given);
	buf_release(&text);
	fail_release(&ignored);
	return fine;
}

static enum fence_tool
who_asks(const struct context *c, struct str tool, struct arg_json arguments)
{
	if (str_is(tool, "new_context"))
		return FENCE_NEW_CONTEXT;
	if ((str_is(tool, "notes_write_file") ||
	     str_is(tool, "notes_append_to_file")) &&
	    is_checkpoint(c, arguments))
		return FENCE_CHECKPOINT;
	return FENCE_ANY;
}

int
context_gate_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct context_gate_args *args = call->args;
	struct host_result *r = result;
	struct buf name = BUF_INIT;
	struct context c;
	int rc;

	if (parameters_not_empty("tool_name", args->tool_name, fail) != 0)
		return -1;
	short_name(&name, arg_str(args->tool_name));
	rc = context_open(&c, call->facts, call->remarks, CONTEXT_READ, fail);
	if (rc == 0)
		rc = fence_look(&c, true, fail);
	if (rc == 0)
		rc = fence_answer(&c,
				  decide_fence(&c.life, &c.config,
					       who_asks(&c, buf_str(&name),
							args->arguments)),
				  args->tool_name.s, fail);
	if (rc == 0) {
		fill_state(r, &c);
		r->allowed = true;
		r->tool_name = xmemdup(args->tool_name.s, args->tool_name.n);
	}
	context_close(&c);
	buf_release(&name);
	return rc;
}

/* ---- context-delivered ------------------------------------------------- */

static int
refuse_message(struct arg_string id, struct fail *fail)
{
	struct buf quoted = BUF_INIT;

	fail_quote(&quoted, arg_str(id));
	fail_refuse(fail, "unknown_message",
		    "no message %s was issued in this window", quoted.data);
	buf_release(&quoted);
	return -1;
}

int
context_delivered_run(const struct tool_call *call, void *result,
		      struct fail *fail)
{
	const struct context_delivered_args *args = call->args;
	struct str id = { args->message_id.s, args->message_id.n };
	struct life_event event = { .type = EVENT_DELIVERED };
	struct host_result *r = result;
	struct decision d;

	if (!life_json_parse_message_id(id, &event.window, &event.message,
					&event.number))
		return refuse_message(args->message_id, fail);
	if (simply(call, false, &event, true, r, &d, fail) != 0)
		return -1;
	if (d.answer == ANSWER_UNKNOWN_MESSAGE)
		return refuse_message(args->message_id, fail);
	r->message_id = xmemdup(id.s, id.n);
	r->accepted = d.answer == ANSWER_ACCEPTED;
	r->reason = r->accepted ? NULL : "stale";
	return 0;
}

/* ---- context-settle, context-compact, context-commit ------------------- */

int
context_settle_run(const struct tool_call *call, void *result,
		   struct fail *fail)
{
	static const char *const actions[] = {
		[ANSWER_SETTLE_NONE] = "none",
		[ANSWER_SETTLE_RESEND] = "resend",
		[ANSWER_SETTLE_ROLL] = "roll",
	};
	const struct context_settle_args *args = call->args;
	struct life_event event = { .type = EVENT_SETTLE,
				    .idle = args->idle.v };
	struct host_result *r = result;
	struct decision d;

	if (simply(call, true, &event, args->idle.v, r, &d, fail) != 0)
		return -1;
	r->action = actions[d.answer];
	return 0;
}

static int
add_bootstrap(struct handling *h, struct host_result *r, struct fail *fail)
{
	struct buf text = BUF_INIT;
	int rc = control_bootstrap(&h->c, &text, fail);

	r->bootstrap = buf_detach(&text);
	free(r->window_id);
	r->window_id = window_chars(h->c.life.pending.window);
	return rc;
}

int
context_compact_run(const struct tool_call *call, void *result,
		    struct fail *fail)
{
	const struct context_compact_args *args = call->args;
	struct life_event event = { .type = EVENT_COMPACT,
				    .reason = (enum life_reason)args->reason.v,
				    .owns_continuation =
					    args->owns_continuation.v };
	struct host_result *r = result;
	struct handling h;
	int rc = open_host(&h, call, fail);

	if (rc == 0)
		rc = handle(&h, true, &event, true, r, fail);
	if (rc == 0) {
		r->action = h.d.answer == ANSWER_ALLOW	    ? "allow"
			    : h.d.answer == ANSWER_ROLLOVER ? "rollover"
							    : "cancel";
		if (h.d.answer == ANSWER_CANCEL_FRESH)
			r->note = "fresh window";
		if (h.d.answer == ANSWER_ROLLOVER)
			rc = add_bootstrap(&h, r, fail);
	}
	close_host(&h);
	return rc;
}

int
context_commit_run(const struct tool_call *call, void *result,
		   struct fail *fail)
{
	static const char *const statuses[] = {
		[ANSWER_COMMITTED] = "committed",
		[ANSWER_FAILED] = "failed",
		[ANSWER_ABORTED] = "aborted",
		[ANSWER_IGNORED] = "ignored",
	};
	const struct context_commit_args *args = call->args;
	struct life_event event = { .type = EVENT_COMMIT,
				    .outcome =
					    (enum life_outcome)args->outcome.v,
				    .window = window_given(args->window_id) };
	struct host_result *r = result;
	struct decision d;

	if (parameters_not_empty("window_id", args->window_id, fail) != 0 ||
	    simply(call, true, &event, args->idle.v, r, &d, fail) != 0)
		return -1;
	r->status = statuses[d.answer];
	return 0;
}

/* ---- text -------------------------------------------------------------- */

static void
show_messages(const struct host_result *r, struct buf *out)
{
	for (size_t i = 0; i < r->messages.n; i++) {
		const struct host_message *m = &r->v[i];

		buf_addf(out, "\n\n--- %s %s (%s) ---\n", m->kind,
			 m->message_id, m->deliver);
		bounds_show(out, m->text);
	}
}

static void
show_status(const struct host_result *r, const char *word, const char *value,
	    struct buf *out)
{
	buf_addf(out, "%s %s | window %s | phase %s", word, value, r->window_id,
		 decide_phases[r->phase]);
}

void
context_init_text(const void *result, struct buf *out)
{
	const struct host_result *r = result;

	show_status(r, "agent", r->agent_name, out);
	show_messages(r, out);
}

void
context_usage_text(const void *result, struct buf *out)
{
	const struct host_result *r = result;

	show_status(r, "agent", r->agent_name, out);
	if (r->remaining_tokens == FIELD_NONE)
		buf_adds(out, " | remaining unknown");
	else
		buf_addf(out, " | remaining %" PRId64, r->remaining_tokens);
	show_messages(r, out);
}

void
context_settle_text(const void *result, struct buf *out)
{
	const struct host_result *r = result;

	show_status(r, "action", r->action, out);
	show_messages(r, out);
}

void
context_compact_text(const void *result, struct buf *out)
{
	const struct host_result *r = result;

	show_status(r, "action", r->action, out);
	show_messages(r, out);
	if (r->bootstrap != NULL) {
		buf_adds(out, "\n\n--- bootstrap ---\n");
		bounds_show(out, str_of(r->bootstrap));
	}
}

void
context_commit_text(const void *result, struct buf *out)
{
	const struct host_result *r = result;

	show_status(r, "status", r->status, out);
	show_messages(r, out);
}

void
host_release(void *result)
{
	struct host_result *r = result;

	for (size_t i = 0; i < r->messages.n; i++) {
		free(r->v[i].message_id);
		free(r->v[i].window_id);
		free(r->v[i].custom_type);
		free(r->texts[i]);
	}
	free(r->agent_name);
	free(r->window_id);
	free(r->first_window_id);
	free(r->previous_window_id);
	free(r->bootstrap);
	free(r->message_id);
	free(r->tool_name);
}

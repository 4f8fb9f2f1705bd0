#include "history/history_read.h"

#include <inttypes.h>

#include "base/json_write.h"
#include "base/visible.h"
#include "tool/budget.h"

void
history_read_release(void *result)
{
	struct history_read_result *r = result;

	head_release(&r->head);
	event_release(&r->event);
	session_release(&r->session);
}

static void
init(struct history_read_result *r)
{
	*r = (struct history_read_result){ .session = SESSION_INIT,
					   .head = HEAD_INIT };
	event_init(&r->event);
}

#define NEIGHBORHOOD 10

/* ---- the address ------------------------------------------------------- */

static int
find_event(struct history_read_result *r, int64_t seq, struct fail *fail)
{
	struct transcript *t = &r->session.transcript;
	uint32_t highest = transcript_highest(t);
	const struct slot *slot;

	if (seq > highest && highest == 0)
		return fail_refuse(fail, "unknown_seq",
				   "unknown seq %" PRId64
				   ": this session has no seqs",
				   seq);
	if (seq > highest)
		return fail_refuse(fail, "unknown_seq",
				   "unknown seq %" PRId64
				   ": this session's seqs run 1..%" PRIu32,
				   seq, highest);
	slot = transcript_slot(t, (uint32_t)seq);
	if ((slot->flags & SLOT_BRANCH) == 0)
		return fail_refuse(fail, "not_on_branch",
				   "seq %" PRId64 " is on another branch and "
				   "is not readable here",
				   seq);
	if ((slot->flags & SLOT_CONSUMED) != 0)
		return fail_refuse(fail, "not_an_event",
				   "seq %" PRId64 " is the result of the call "
				   "at seq %" PRIu32 "; read seq %" PRIu32,
				   seq, slot->pair, slot->pair);
	if (!transcript_is_event(t, (uint32_t)seq) ||
	    !event_load(t, (uint32_t)seq, &r->event))
		return fail_refuse(fail, "unknown_seq",
				   "seq %" PRId64 " carries no readable event",
				   seq);
	return 0;
}

/* ---- the window -------------------------------------------------------- */

struct fitting {
	const struct tool *tool;
	struct history_read_result *result;
	const struct window *window;
};

static bool
fits(void *ctx, size_t k)
{
	struct fitting *f = ctx;
	int64_t next = window_next(f->window, k);

	f->result->text = window_prefix(f->window, k);
	f->result->next_offset_chars = next < 0 ? FIELD_NONE : next;
	return budget_holds(f->tool, f->result);
}

/* Whether something was delivered, or there was nothing to deliver. */
static bool
deliver(struct fitting *f)
{
	size_t k = budget_window(f->window->length, fits, f);

	if (k == BUDGET_NONE || (k == 0 && f->window->length > 0))
		return false;
	return fits(f, k);
}

static int
fit(struct history_read_result *r, const struct tool *tool,
    const struct window *window, struct fail *fail)
{
	struct fitting f = { tool, r, window };

	if (deliver(&f))
		return 0;
	if (r->head.role == ROLE_TOOL) {
		head_omit_name(&r->head);
		if (deliver(&f))
			return 0;
	}
	return fail_refuse(fail, "output_too_large",
			   "what is known about the event leaves no room for "
			   "one character of it");
}

/* ---- the operation ----------------------------------------------------- */

int
history_read_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct history_read_args *args = call->args;
	struct str session = resolve_parameter(call, &args->session);
	struct history_read_result *r = result;
	struct window window;

	init(r);
	if (head_wrapper(&r->wrapper, call->facts, fail) != 0 ||
	    resolve_check(call->facts, fail) != 0 ||
	    resolve_parse_one(session, fail) != 0 ||
	    session_open(&r->session, call->facts, session, NULL, fail) != 0)
		return -1;
	r->damage = head_damage(&r->session.transcript);
	if (find_event(r, args->seq.v, fail) != 0)
		return -1;
	head_set(&r->head, buf_str(&r->session.label), &r->event);
	if (!window_open(&window, buf_str(&r->event.document),
			 args->offset_chars.v, args->limit_chars.v))
		return fail_refuse(fail, "invalid_offset",
				   "offset_chars %" PRId64 " is past the end: "
				   "the event has %zu characters, and %zu is "
				   "the largest legal offset",
				   args->offset_chars.v, window.total,
				   window.total);
	if (r->head.has_nested)
		r->nested_calls = &r->head.nested;
	r->total_chars = (int64_t)window.total;
	return fit(r, call->tool, &window, fail);
}

/* ---- rendering --------------------------------------------------------- */

/* The call of history_list that shows the events around one. */
static void
neighborhood_text(struct buf *out, const struct terminal *t, int64_t seq,
		  struct str session)
{
	int64_t after = seq > NEIGHBORHOOD ? seq - NEIGHBORHOOD : 0;
	int64_t before = seq + NEIGHBORHOOD;
	struct json_writer w;

	buf_adds(out, "\nneighborhood → ");
	if (t != NULL) {
		buf_addf(out,
			 "history-list --after-seq %" PRId64
			 " --before-seq %" PRId64,
			 after, before);
		head_session_option(out, session);
		buf_addc(out, '\n');
		return;
	}
	buf_adds(out, "history_list(");
	json_begin(&w, out);
	json_open_object(&w);
	json_member_integer(&w, "after_seq", after);
	json_member_integer(&w, "before_seq", before);
	if (session.n > 0)
		json_member_string(&w, "session", session);
	json_close_object(&w);
	buf_adds(out, ")\n");
}

void
history_read_person(const void *result, const struct terminal *t,
		    struct buf *out)
{
	const struct history_read_result *r = result;

	buf_add_str(out, r->wrapper.prefix);
	head_text(out, t, &r->head, true);
	neighborhood_text(out, t, r->head.seq, r->head.session);
	head_damage_text(out, &r->damage);
	buf_truncate(out, out->len - 1);
	if (r->text.n > 0) {
		buf_adds(out, "\n\n");
		visible_text(out, r->text);
	}
	terminal_continuation(out, t, r->next_offset_chars);
	buf_add_str(out, r->wrapper.suffix);
}

void
history_read_text(const void *result, struct buf *out)
{
	history_read_person(result, NULL, out);
}

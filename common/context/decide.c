#include "context/decide.h"

const char *const decide_reminders[] = { "none", "sent", "delivered", NULL };
const char *const decide_kinds[] = { NULL, "fallback", "manual", NULL };
const char *const decide_stages[] = { NULL, "sent", "armed", "saved", NULL };
const char *const decide_requests[] = { "none", "new_context", "checkpoint",
					NULL };
const char *const decide_identities[] = { "needed", "sent", "delivered", NULL };
const char *const decide_reasons[] = { "threshold", "manual", "overflow",
				       "rollover", NULL };
const char *const decide_messages[] = { "identity",	"reminder",
					"fallback",	"checkpoint",
					"continuation", NULL };
const char *const decide_phases[] = {
	"disabled",	    "rolling_over", "checkpoint_required",
	"rollover_pending", "ready",	    NULL
};

void
decide_init(struct life *life)
{
	*life = (struct life){ .window = 1 };
	buf_init(&life->model, BUF_UNLIMITED);
	buf_init(&life->claim.path, BUF_UNLIMITED);
	for (size_t i = 0; i < MESSAGE_COUNT; i++)
		buf_init(&life->outbox[i].text, BUF_UNLIMITED);
}

void
decide_release(struct life *life)
{
	buf_release(&life->model);
	buf_release(&life->claim.path);
	for (size_t i = 0; i < MESSAGE_COUNT; i++)
		buf_release(&life->outbox[i].text);
}

/* ---- thresholds (7.4) -------------------------------------------------- */

static int64_t
least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

int64_t
decide_level(const struct life_config *config, int64_t context_window)
{
	/* The little more makes 0.1 of 30 the 3 that it looks like. */
	int64_t share = (int64_t)(config->percent * (double)context_window +
				  1e-6);
	int64_t level = least(share, config->ceiling);

	if (level < config->floor)
		level = config->floor;
	return least(level, context_window / 2);
}

int64_t
decide_remaining(const struct life *life)
{
	if (!life->usage_known)
		return -1;
	return life->used >= life->context_window
		       ? 0
		       : life->context_window - life->used;
}

/* 10 used < 9 hard, without products that could overflow. */
static bool
is_well_below(int64_t used, int64_t hard)
{
	return used < hard - hard / 10;
}

enum life_phase
decide_phase(const struct life *life, const struct life_config *config)
{
	if (config->disabled)
		return PHASE_DISABLED;
	if (life->pending.window != 0)
		return PHASE_ROLLING_OVER;
	if (life->stage == STAGE_SENT || life->stage == STAGE_ARMED)
		return PHASE_CHECKPOINT_REQUIRED;
	if (life->request != REQUEST_NONE)
		return PHASE_ROLLOVER_PENDING;
	return PHASE_READY;
}

/* ---- messages ---------------------------------------------------------- */

static void
drop(struct life *life, enum message_kind kind)
{
	life->outbox[kind].number = 0;
	buf_reset(&life->outbox[kind].text);
}

static void
send(struct life *life, enum message_kind kind, struct decision *d)
{
	drop(life, kind);
	life->outbox[kind].number = ++life->message_count;
	d->give[kind] = true;
}

static void
send_reminder(struct life *life, struct decision *d)
{
	life->reminder = REMINDER_SENT;
	send(life, MESSAGE_REMINDER, d);
}

/* A checkpoint is asked for: once in a window, whichever way. */
static void
demand(struct life *life, enum life_kind kind, struct decision *d)
{
	drop(life, MESSAGE_REMINDER);
	d->give[MESSAGE_REMINDER] = false;
	life->kind = kind;
	life->stage = STAGE_SENT;
	send(life, kind == KIND_MANUAL ? MESSAGE_CHECKPOINT : MESSAGE_FALLBACK,
	     d);
}

static bool
resend(const struct life *life, struct decision *d)
{
	bool any = false;

	for (size_t i = 0; i < MESSAGE_COUNT; i++) {
		d->give[i] = life->outbox[i].number != 0;
		any = any || d->give[i];
	}
	return any;
}

/* It really is in the branch. */
static void
delivered(struct life *life, enum message_kind kind)
{
	if (kind == MESSAGE_IDENTITY)
		life->identity = IDENTITY_DELIVERED;
	else if (kind == MESSAGE_REMINDER)
		life->reminder = REMINDER_DELIVERED;
	else if (kind != MESSAGE_CONTINUATION && life->stage == STAGE_SENT)
		life->stage = STAGE_ARMED;
	drop(life, kind);
}

/* ---- from window to window --------------------------------------------- */

static void
drop_claim(struct life *life)
{
	life->claim.pid = 0;
	buf_reset(&life->claim.path);
}

/* All that is of one window only; the latch and the model outlast it. */
static void
enter(struct life *life, int64_t window, int64_t previous,
      enum life_identity identity)
{
	life->window = window;
	life->previous = previous;
	life->reminder = REMINDER_NONE;
	life->kind = KIND_NONE;
	life->stage = STAGE_NONE;
	life->request = REQUEST_NONE;
	life->pending = (struct life_pending){ 0 };
	drop_claim(life);
	life->note_saved = false;
	life->usage_known = false;
	life->identity = identity;
	for (size_t i = 0; i < MESSAGE_COUNT; i++)
		drop(life, (enum message_kind)i);
	life->message_count = 0;
}

/* The rollover that was handed out has happened. */
static void
advance(struct life *life, struct decision *d)
{
	bool resume = life->pending.resume;

	enter(life, life->pending.window, life->window, IDENTITY_DELIVERED);
	if (resume)
		send(life, MESSAGE_CONTINUATION, d);
}

static void
build(struct life *life, const struct life_event *event)
{
	life->pending = (struct life_pending){
		.window = life->window + 1,
		.reason = event->reason,
		.resume = (life->request == REQUEST_NEW_CONTEXT ||
			   life->kind == KIND_FALLBACK) &&
			  !event->owns_continuation
	};
}

/* W1: the checkpoint is saved, and asks for the new window. */
static void
save(struct life *life)
{
	life->stage = STAGE_SAVED;
	life->request = REQUEST_CHECKPOINT;
	life->note_saved = true;
	drop_claim(life);
}

/* ---- evidence (7.3) ---------------------------------------------------- */

/* There is no state that could be trusted: what the branch says is all. */
static void
recover(struct life *life, const struct evidence *e)
{
	enter(life, e->window > 1 ? e->window : 1, 0, IDENTITY_NEEDED);
	if (e->window > 1) {
		life->previous = e->previous;
		/* Never a second time after a loss. */
		life->reminder = REMINDER_DELIVERED;
	}
	if (e->control != KIND_NONE) {
		life->kind = e->control;
		life->stage = STAGE_ARMED;
	}
	if (e->marker != 0)
		life->identity = IDENTITY_DELIVERED;
}

/* window: the one that the evidence was gathered in. */
static void
take_in(struct life *life, const struct evidence *e, int64_t window,
	struct decision *d)
{
	/* Who holds the lock knows that the claimant is gone. */
	if (life->claim.pid != 0 && e->claim_kept && life->stage == STAGE_ARMED)
		save(life);
	drop_claim(life);
	if (e->found && e->window > life->window) {
		if (life->pending.window != 0 &&
		    e->marker == life->pending.window)
			advance(life, d);
		else
			enter(life, e->window, e->previous, IDENTITY_NEEDED);
	}
	/* Messages of another window prove nothing. */
	for (size_t i = 0; i < MESSAGE_COUNT && life->window == window; i++)
		if (e->proven[i] && life->outbox[i].number != 0) {
			delivered(life, (enum message_kind)i);
			d->give[i] = false;
		}
}

static void
send_identity(struct life *life, struct decision *d)
{
	if (life->identity != IDENTITY_NEEDED)
		return;
	life->identity = IDENTITY_SENT;
	send(life, MESSAGE_IDENTITY, d);
}

/*
 * Another program's compaction began this window, and the model does not know.
 * A recovered state, which only context-init introduces, has its reminder
 * delivered.
 */
static bool
is_foreign(const struct life *life)
{
	return life->identity == IDENTITY_NEEDED && life->window > 1 &&
	       life->reminder != REMINDER_DELIVERED;
}

/* ---- events (7.5) ------------------------------------------------------ */

static enum answer
on_init(struct life *life, const struct life_config *config, struct decision *d)
{
	/* What was handed out and is not in the branch did not happen. */
	life->pending = (struct life_pending){ 0 };
	if (config->disabled)
		return ANSWER_DONE;
	send_identity(life, d);
	resend(life, d);
	return ANSWER_DONE;
}

static enum answer
on_usage(struct life *life, const struct life_event *event,
	 const struct life_config *config, struct decision *d)
{
	if (config->disabled)
		return ANSWER_USAGE_DISABLED;
	if (event->window != 0 && event->window != life->window)
		return ANSWER_USAGE_STALE;
	if (event->aborted)
		return ANSWER_USAGE_ABORTED;
	life->usage_known = event->used_given && event->context_window > 0;
	if (!life->usage_known)
		return ANSWER_USAGE_UNKNOWN;
	life->used = event->used;
	life->context_window = event->context_window;
	if (is_well_below(event->used, config->hard))
		life->hard_latched = false;
	if (life->pending.window != 0 || life->request != REQUEST_NONE)
		return ANSWER_USAGE_PENDING;
	if (life->stage != STAGE_NONE)
		return ANSWER_USAGE_CHECKPOINT;
	if (config->hard > 0 && event->used >= config->hard &&
	    !life->hard_latched) {
		life->reminder = REMINDER_DELIVERED;
		life->hard_latched = true;
		demand(life, KIND_FALLBACK, d);
	} else if (life->reminder == REMINDER_NONE &&
		   decide_remaining(life) <=
			   decide_level(config, event->context_window)) {
		send_reminder(life, d);
	}
	return ANSWER_DONE;
}

static enum answer
on_delivered(struct life *life, const struct life_event *event)
{
	if (event->window < life->window)
		return ANSWER_STALE;
	if (event->window > life->window || event->number < 1 ||
	    event->number > life->message_count)
		return ANSWER_UNKNOWN_MESSAGE;
	if (life->outbox[event->message].number == event->number)
		delivered(life, event->message);
	return ANSWER_ACCEPTED;
}

static enum answer
on_settle(struct life *life, const struct life_event *event,
	  const struct life_config *config, struct decision *d)
{
	if (!event->idle || config->disabled)
		return ANSWER_SETTLE_NONE;
	if (life->stage == STAGE_SENT) {
		resend(life, d);
		return ANSWER_SETTLE_RESEND;
	}
	if (life->stage == STAGE_ARMED || life->pending.window != 0)
		return ANSWER_SETTLE_NONE;
	if (life->request != REQUEST_NONE)
		return ANSWER_SETTLE_ROLL;
	return resend(life, d) ? ANSWER_SETTLE_RESEND : ANSWER_SETTLE_NONE;
}

static enum answer
on_compact(struct life *life, const struct life_event *event,
	   const struct life_config *config, const struct evidence *e,
	   struct decision *d)
{
	if (config->disabled)
		return ANSWER_ALLOW;
	if (life->pending.window != 0)
		return ANSWER_ROLLOVER;
	if (event->reason == COMPACT_OVERFLOW) {
		build(life, event);
		return ANSWER_ROLLOVER;
	}
	if (life->stage == STAGE_SENT)
		resend(life, d);
	if (life->stage == STAGE_SENT || life->stage == STAGE_ARMED)
		return ANSWER_CANCEL;
	if (life->request != REQUEST_NONE && e->fresh) {
		life->request = REQUEST_NONE;
		/* A fence that only the dropped roll would open, opens. */
		if (life->stage == STAGE_SAVED) {
			life->stage = STAGE_NONE;
			life->kind = KIND_NONE;
		}
		return ANSWER_CANCEL_FRESH;
	}
	if (life->request != REQUEST_NONE) {
		build(life, event);
		return ANSWER_ROLLOVER;
	}
	if (event->reason == COMPACT_ROLLOVER)
		return ANSWER_CANCEL;
	if (event->reason == COMPACT_MANUAL) {
		if (e->fresh)
			return ANSWER_CANCEL_FRESH;
		demand(life, KIND_MANUAL, d);
	} else if (life->reminder == REMINDER_NONE) {
		send_reminder(life, d);
	} else if (life->reminder == REMINDER_SENT) {
		resend(life, d);
	} else {
		demand(life, KIND_FALLBACK, d);
	}
	return ANSWER_CANCEL;
}

static enum answer
on_commit(struct life *life, const struct life_event *event, struct decision *d)
{
	if (event->outcome == COMMIT_COMMITTED && life->pending.window == 0 &&
	    event->window == life->window && life->window > 1) {
		resend(life, d);
		return ANSWER_COMMITTED;
	}
	if (life->pending.window == 0 || event->window != life->pending.window)
		return ANSWER_IGNORED;
	if (event->outcome == COMMIT_COMMITTED) {
		advance(life, d);
		return ANSWER_COMMITTED;
	}
	life->pending = (struct life_pending){ 0 };
	if (event->outcome == COMMIT_ABORTED)
		return ANSWER_ABORTED;
	life->request = REQUEST_NONE;
	if (life->stage == STAGE_SAVED)
		life->stage = STAGE_ARMED;
	drop_claim(life);
	return ANSWER_FAILED;
}

enum answer
decide_fence(const struct life *life, const struct life_config *config,
	     enum fence_tool tool)
{
	if (config->disabled)
		return ANSWER_DONE;
	if (life->stage == STAGE_SAVED && tool != FENCE_NEW_CONTEXT)
		return ANSWER_ROLLOVER_PENDING;
	if (life->stage == STAGE_ARMED && tool != FENCE_CHECKPOINT)
		return ANSWER_FENCED;
	return ANSWER_DONE;
}

static enum answer
on_new_context(struct life *life, const struct life_config *config)
{
	if (config->disabled)
		return ANSWER_DISABLED;
	if (decide_fence(life, config, FENCE_NEW_CONTEXT) != ANSWER_DONE)
		return ANSWER_FENCED;
	if (life->pending.window == 0 && life->request == REQUEST_NONE &&
	    life->stage != STAGE_SAVED)
		life->request = REQUEST_NEW_CONTEXT;
	return ANSWER_DONE;
}

static enum answer
on_write(const struct life *life, const struct life_event *event,
	 const struct life_config *config, struct decision *d)
{
	enum answer answer = decide_fence(
		life, config,
		event->own && !event->blank ? FENCE_CHECKPOINT : FENCE_ANY);

	d->claim = answer == ANSWER_DONE && life->stage == STAGE_ARMED &&
		   !config->disabled;
	return answer;
}

static enum answer
on_written(struct life *life, const struct life_event *event,
	   const struct life_config *config, struct decision *d)
{
	if (!event->own || event->blank)
		return ANSWER_DONE;
	life->note_saved = true;
	if (life->stage == STAGE_ARMED && !config->disabled) {
		save(life);
		d->rollover_requested = true;
	}
	return ANSWER_DONE;
}

static enum answer
answer(struct life *life, const struct life_event *event,
       const struct life_config *config, const struct evidence *e,
       struct decision *d)
{
	switch (event->type) {
	case EVENT_LOOK:
		return ANSWER_DONE;
	case EVENT_INIT:
		return on_init(life, config, d);
	case EVENT_USAGE:
		return on_usage(life, event, config, d);
	case EVENT_DELIVERED:
		return on_delivered(life, event);
	case EVENT_SETTLE:
		return on_settle(life, event, config, d);
	case EVENT_COMPACT:
		return on_compact(life, event, config, e, d);
	case EVENT_COMMIT:
		return on_commit(life, event, d);
	case EVENT_NEW_CONTEXT:
		return on_new_context(life, config);
	case EVENT_TOOL:
		return decide_fence(life, config, FENCE_ANY);
	case EVENT_WRITE:
		return on_write(life, event, config, d);
	case EVENT_WRITTEN:
		return on_written(life, event, config, d);
	case EVENT_WRITE_FAILED:
		drop_claim(life);
		return ANSWER_DONE;
	}
	return ANSWER_DONE;
}

struct decision
decide(struct life *life, const struct life_event *event,
       const struct life_config *config, const struct evidence *evidence)
{
	struct decision d = { 0 };
	int64_t window = life->window;
	bool commits = event->type == EVENT_COMMIT;
	/* A write in progress goes on: its claim is its own. */
	bool writing = event->type == EVENT_WRITTEN ||
		       event->type == EVENT_WRITE_FAILED;

	if (!evidence->valid)
		recover(life, evidence);
	else if (!commits && !writing)
		take_in(life, evidence, window, &d);
	/* Both hand it out whatever else they answer, unless a roll is near. */
	if ((event->type == EVENT_USAGE || event->type == EVENT_SETTLE) &&
	    !config->disabled && is_foreign(life) &&
	    life->pending.window == 0 && life->request == REQUEST_NONE)
		send_identity(life, &d);
	d.answer = answer(life, event, config, evidence, &d);
	if (evidence->valid && commits)
		take_in(life, evidence, window, &d);
	/* With a roll, they belong to the window that is on its way out. */
	for (size_t i = 0; i < MESSAGE_COUNT; i++)
		if (life->outbox[i].number == 0 ||
		    d.answer == ANSWER_SETTLE_ROLL ||
		    d.answer == ANSWER_ROLLOVER)
			d.give[i] = false;
	return d;
}

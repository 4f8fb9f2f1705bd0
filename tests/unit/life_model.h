#ifndef LIFE_MODEL_H
#define LIFE_MODEL_H

/*
 * The tables of spec/context.md section 7, read a second time: a state in
 * plain numbers, and the row that an event falls under, by name.  What
 * decide() does is compared with it, event by event.
 */
#include "context/decide.h"
#include "test.h"

struct model {
	int64_t n, previous;
	int reminder, kind, stage, request, identity;
	int64_t pending;
	int resume, claim, saved_note, latch, known;
	int64_t used, w;
	int64_t box[MESSAGE_COUNT], count;
	/* of the last event */
	const char *row;
	bool give[MESSAGE_COUNT];
};

static void
model_send(struct model *m, int kind)
{
	m->box[kind] = ++m->count;
	m->give[kind] = true;
}

static bool
model_all(struct model *m)
{
	bool any = false;

	for (int i = 0; i < MESSAGE_COUNT; i++)
		if (m->box[i] != 0)
			any = m->give[i] = true;
	return any;
}

static void
model_window(struct model *m, int64_t n, int64_t previous, int identity)
{
	int latch = m->latch;
	const char *row = m->row;

	*m = (struct model){ .row = row,
			     .n = n,
			     .previous = previous,
			     .identity = identity,
			     .latch = latch };
}

static void
model_fallback(struct model *m, int kind)
{
	m->box[MESSAGE_REMINDER] = 0;
	m->give[MESSAGE_REMINDER] = false;
	m->kind = kind;
	m->stage = STAGE_SENT;
	model_send(m,
		   kind == KIND_MANUAL ? MESSAGE_CHECKPOINT : MESSAGE_FALLBACK);
}

static void
model_proof(struct model *m, int kind)
{
	if (m->box[kind] == 0)
		return;
	m->box[kind] = 0;
	m->give[kind] = false;
	if (kind == MESSAGE_REMINDER)
		m->reminder = REMINDER_DELIVERED;
	if (kind == MESSAGE_IDENTITY)
		m->identity = IDENTITY_DELIVERED;
	if ((kind == MESSAGE_FALLBACK || kind == MESSAGE_CHECKPOINT) &&
	    m->stage == STAGE_SENT)
		m->stage = STAGE_ARMED;
}

static void
model_commit(struct model *m)
{
	int resume = m->resume;

	model_window(m, m->pending, m->n, IDENTITY_DELIVERED);
	if (resume)
		model_send(m, MESSAGE_CONTINUATION);
}

static void
model_sync(struct model *m, const struct evidence *e, int64_t gathered)
{
	if (m->claim && e->claim_kept && m->stage == STAGE_ARMED) {
		m->stage = STAGE_SAVED;
		m->request = REQUEST_CHECKPOINT;
		m->saved_note = 1;
	}
	m->claim = 0;
	if (e->found && e->window > m->n) {
		if (m->pending != 0 && e->marker == m->pending)
			model_commit(m);
		else
			model_window(m, e->window, e->previous,
				     IDENTITY_NEEDED);
	}
	for (int i = 0; i < MESSAGE_COUNT; i++)
		if (e->proven[i] && gathered == m->n)
			model_proof(m, i);
}

/* Section 7.4 in exact numbers of tokens, not in parts. */
static int64_t
model_level(const struct life_config *c, int64_t w)
{
	int64_t l = (int64_t)(c->percent * (double)w + 1e-6);

	l = l > c->ceiling ? c->ceiling : l;
	l = l < c->floor ? c->floor : l;
	return l > w / 2 ? w / 2 : l;
}

static const char *
model_usage(struct model *m, const struct life_event *ev,
	    const struct life_config *c)
{
	if (c->disabled)
		return "U1";
	if (ev->window != 0 && ev->window != m->n)
		return "U2";
	if (ev->aborted)
		return "U3";
	m->known = ev->used_given && ev->context_window > 0;
	if (!m->known)
		return "U4";
	m->used = ev->used;
	m->w = ev->context_window;
	if (10 * ev->used < 9 * c->hard)
		m->latch = 0;
	if (m->pending || m->request)
		return "U5";
	if (m->stage)
		return "U6";
	if (c->hard > 0 && ev->used >= c->hard && !m->latch) {
		m->reminder = REMINDER_DELIVERED;
		m->latch = 1;
		model_fallback(m, KIND_FALLBACK);
		return "U7";
	}
	if ((m->used > m->w ? 0 : m->w - m->used) <= model_level(c, m->w) &&
	    m->reminder == REMINDER_NONE) {
		m->reminder = REMINDER_SENT;
		model_send(m, MESSAGE_REMINDER);
		return "U8";
	}
	return "U9";
}

static const char *
model_build(struct model *m, const struct life_event *ev, const char *row)
{
	m->pending = m->n + 1;
	m->resume = (m->request == REQUEST_NEW_CONTEXT ||
		     m->kind == KIND_FALLBACK) &&
		    !ev->owns_continuation;
	return row;
}

static const char *
model_compact(struct model *m, const struct life_event *ev,
	      const struct life_config *c, const struct evidence *e)
{
	if (c->disabled)
		return "C1";
	if (m->pending)
		return "C2";
	if (ev->reason == COMPACT_OVERFLOW)
		return model_build(m, ev, "C3");
	if (m->stage == STAGE_SENT) {
		model_all(m);
		return "C4";
	}
	if (m->stage == STAGE_ARMED)
		return "C5";
	if (m->request && e->fresh) {
		m->request = REQUEST_NONE;
		if (m->stage == STAGE_SAVED)
			m->stage = m->kind = 0;
		return "C6";
	}
	if (m->request)
		return model_build(m, ev, "C7");
	if (ev->reason == COMPACT_ROLLOVER)
		return "C8";
	if (ev->reason == COMPACT_MANUAL) {
		if (!e->fresh)
			model_fallback(m, KIND_MANUAL);
		return e->fresh ? "C9f" : "C9";
	}
	if (m->reminder == REMINDER_NONE) {
		m->reminder = REMINDER_SENT;
		model_send(m, MESSAGE_REMINDER);
		return "C10";
	}
	if (m->reminder == REMINDER_SENT) {
		model_all(m);
		return "C11";
	}
	model_fallback(m, KIND_FALLBACK);
	return "C12";
}

static const char *
model_settle(struct model *m, const struct life_event *ev,
	     const struct life_config *c)
{
	if (!ev->idle || c->disabled)
		return "S1";
	if (m->stage == STAGE_SENT) {
		model_all(m);
		return "S2";
	}
	if (m->stage == STAGE_ARMED || m->pending)
		return "S3";
	if (m->request)
		return "S4";
	return model_all(m) ? "S5" : "S6";
}

static const char *
model_end(struct model *m, const struct life_event *ev)
{
	if (ev->outcome == COMMIT_COMMITTED && !m->pending &&
	    ev->window == m->n && m->n > 1) {
		model_all(m);
		return "M0";
	}
	if (!m->pending || ev->window != m->pending)
		return "M1";
	if (ev->outcome == COMMIT_COMMITTED) {
		model_commit(m);
		return "M2";
	}
	m->pending = m->resume = 0;
	if (ev->outcome == COMMIT_ABORTED)
		return "M4";
	m->request = REQUEST_NONE;
	m->claim = 0;
	if (m->stage == STAGE_SAVED)
		m->stage = STAGE_ARMED;
	return "M3";
}

static const char *
model_note(struct model *m, const struct life_event *ev,
	   const struct life_config *c)
{
	bool checkpoint = ev->own && !ev->blank;

	if (ev->type == EVENT_WRITE_FAILED) {
		m->claim = 0;
		return "W3";
	}
	if (ev->type == EVENT_WRITTEN) {
		if (!checkpoint)
			return "W-";
		m->saved_note = 1;
		if (m->stage != STAGE_ARMED || c->disabled)
			return "W2";
		m->stage = STAGE_SAVED;
		m->request = REQUEST_CHECKPOINT;
		m->claim = 0;
		return "W1";
	}
	if (ev->type == EVENT_TOOL)
		checkpoint = false;
	if (!c->disabled && m->stage == STAGE_SAVED)
		return "F-sav";
	if (!c->disabled && m->stage == STAGE_ARMED && !checkpoint)
		return "F-arm";
	return "F-go";
}

static const char *
model_new(struct model *m, const struct life_config *c)
{
	if (c->disabled)
		return "N1d";
	if (m->stage == STAGE_ARMED)
		return "N1f";
	if (m->pending || m->request || m->stage == STAGE_SAVED)
		return "N2";
	m->request = REQUEST_NEW_CONTEXT;
	return "N3";
}

static const char *
model_message(struct model *m, const struct life_event *ev)
{
	if (ev->window < m->n)
		return "D-old";
	if (ev->window > m->n || ev->number < 1 || ev->number > m->count)
		return "D-unk";
	if (m->box[ev->message] == ev->number)
		model_proof(m, (int)ev->message);
	return "D-yes";
}

static const char *
model_event(struct model *m, const struct life_event *ev,
	    const struct life_config *c, const struct evidence *e)
{
	switch (ev->type) {
	case EVENT_LOOK:
		return "look";
	case EVENT_INIT:
		m->pending = m->resume = 0;
		if (!c->disabled && m->identity == IDENTITY_NEEDED) {
			m->identity = IDENTITY_SENT;
			model_send(m, MESSAGE_IDENTITY);
		}
		if (!c->disabled)
			model_all(m);
		return "init";
	case EVENT_USAGE:
		return model_usage(m, ev, c);
	case EVENT_DELIVERED:
		return model_message(m, ev);
	case EVENT_SETTLE:
		return model_settle(m, ev, c);
	case EVENT_COMPACT:
		return model_compact(m, ev, c, e);
	case EVENT_COMMIT:
		return model_end(m, ev);
	case EVENT_NEW_CONTEXT:
		return model_new(m, c);
	default:
		return model_note(m, ev, c);
	}
}

static void
model_step(struct model *m, const struct life_event *ev,
	   const struct life_config *c, const struct evidence *e)
{
	int64_t gathered = m->n;
	bool after = ev->type == EVENT_COMMIT;
	bool never = ev->type == EVENT_WRITTEN ||
		     ev->type == EVENT_WRITE_FAILED;

	for (int i = 0; i < MESSAGE_COUNT; i++)
		m->give[i] = false;
	if (!e->valid) {
		model_window(m, e->window > 1 ? e->window : 1, 0,
			     e->marker ? IDENTITY_DELIVERED : IDENTITY_NEEDED);
		if (e->window > 1) {
			m->previous = e->previous;
			m->reminder = REMINDER_DELIVERED;
		}
		m->kind = (int)e->control;
		m->stage = e->control ? STAGE_ARMED : STAGE_NONE;
	} else if (!after && !never) {
		model_sync(m, e, gathered);
	}
	if ((ev->type == EVENT_USAGE || ev->type == EVENT_SETTLE) &&
	    !c->disabled && !m->pending && !m->request && m->n > 1 &&
	    m->identity == IDENTITY_NEEDED &&
	    m->reminder != REMINDER_DELIVERED) {
		m->identity = IDENTITY_SENT;
		model_send(m, MESSAGE_IDENTITY);
	}
	m->row = model_event(m, ev, c, e);
	if (e->valid && after)
		model_sync(m, e, gathered);
	if (strcmp(m->row, "S4") == 0 || strcmp(m->row, "C2") == 0 ||
	    strcmp(m->row, "C3") == 0 || strcmp(m->row, "C7") == 0)
		for (int i = 0; i < MESSAGE_COUNT; i++)
			m->give[i] = false;
}

/* What decide() must answer in each row. */
static const struct model_answer {
	const char *row;
	enum answer answer;
} model_answers[] = {
	{ "U1", ANSWER_USAGE_DISABLED }, { "U2", ANSWER_USAGE_STALE },
	{ "U3", ANSWER_USAGE_ABORTED },	 { "U4", ANSWER_USAGE_UNKNOWN },
	{ "U5", ANSWER_USAGE_PENDING },	 { "U6", ANSWER_USAGE_CHECKPOINT },
	{ "U7", ANSWER_DONE },		 { "U8", ANSWER_DONE },
	{ "U9", ANSWER_DONE },		 { "N1d", ANSWER_DISABLED },
	{ "N1f", ANSWER_FENCED },	 { "N2", ANSWER_DONE },
	{ "N3", ANSWER_DONE },		 { "W1", ANSWER_DONE },
	{ "W2", ANSWER_DONE },		 { "W3", ANSWER_DONE },
	{ "W-", ANSWER_DONE },		 { "S1", ANSWER_SETTLE_NONE },
	{ "S2", ANSWER_SETTLE_RESEND },	 { "S3", ANSWER_SETTLE_NONE },
	{ "S4", ANSWER_SETTLE_ROLL },	 { "S5", ANSWER_SETTLE_RESEND },
	{ "S6", ANSWER_SETTLE_NONE },	 { "C1", ANSWER_ALLOW },
	{ "C2", ANSWER_ROLLOVER },	 { "C3", ANSWER_ROLLOVER },
	{ "C4", ANSWER_CANCEL },	 { "C5", ANSWER_CANCEL },
	{ "C6", ANSWER_CANCEL_FRESH },	 { "C7", ANSWER_ROLLOVER },
	{ "C8", ANSWER_CANCEL },	 { "C9", ANSWER_CANCEL },
	{ "C9f", ANSWER_CANCEL_FRESH },	 { "C10", ANSWER_CANCEL },
	{ "C11", ANSWER_CANCEL },	 { "C12", ANSWER_CANCEL },
	{ "M0", ANSWER_COMMITTED },	 { "M1", ANSWER_IGNORED },
	{ "M2", ANSWER_COMMITTED },	 { "M3", ANSWER_FAILED },
	{ "M4", ANSWER_ABORTED },	 { "F-sav", ANSWER_ROLLOVER_PENDING },
	{ "F-arm", ANSWER_FENCED },	 { "F-go", ANSWER_DONE },
	{ "D-old", ANSWER_STALE },	 { "D-unk", ANSWER_UNKNOWN_MESSAGE },
	{ "D-yes", ANSWER_ACCEPTED },	 { "look", ANSWER_DONE },
	{ "init", ANSWER_DONE },
};
#define MODEL_ROWS (sizeof(model_answers) / sizeof(model_answers[0]))

/* The number of the row in the table; MODEL_ROWS: none. */
static size_t
model_row_number(const struct model *m)
{
	size_t i = 0;

	while (i < MODEL_ROWS && strcmp(model_answers[i].row, m->row) != 0)
		i++;
	return i;
}

/* Where the two differ, in a word; NULL: nowhere. */
static const char *
model_differs(const struct model *m, const struct life *l,
	      const struct decision *d)
{
	size_t row = model_row_number(m);

	if (row == MODEL_ROWS || d->answer != model_answers[row].answer)
		return "answer";
	if (l->window != m->n || l->previous != m->previous)
		return "window";
	if ((int)l->reminder != m->reminder)
		return "reminder";
	if ((int)l->kind != m->kind || (int)l->stage != m->stage)
		return "stage";
	if ((int)l->request != m->request)
		return "request";
	if ((int)l->identity != m->identity)
		return "identity";
	if (l->pending.window != m->pending ||
	    (int)l->pending.resume != m->resume)
		return "pending";
	if ((l->claim.pid != 0) != (m->claim != 0))
		return "claim";
	if ((int)l->note_saved != m->saved_note)
		return "note_saved";
	if ((int)l->hard_latched != m->latch)
		return "latch";
	if ((int)l->usage_known != m->known ||
	    (m->known && (l->used != m->used || l->context_window != m->w)))
		return "usage";
	if (l->message_count != m->count)
		return "count";
	for (int i = 0; i < MESSAGE_COUNT; i++)
		if (l->outbox[i].number != m->box[i] ||
		    d->give[i] != m->give[i])
			return decide_messages[i];
	return NULL;
}

/* ---- random ones ------------------------------------------------------- */

/*
 * Draws from a function, so that a fuzzer's bytes and a generator can both be
 * the source.
 */
typedef unsigned model_draw(void *ctx, unsigned below);

static struct life_event
model_random_event(const struct model *m, model_draw *draw, void *ctx)
{
	struct life_event ev = {
		.type = (enum life_event_type)draw(ctx, EVENT_WRITE_FAILED + 1),
		.used_given = draw(ctx, 8) > 0,
		.aborted = draw(ctx, 8) == 0,
		.used = (int64_t)draw(ctx, 12) * 1000,
		.context_window = (int64_t)draw(ctx, 4) * 5000,
		.message = (enum message_kind)draw(ctx, MESSAGE_COUNT),
		.idle = draw(ctx, 4) > 0,
		.reason = (enum life_reason)draw(ctx, COMPACT_ROLLOVER + 1),
		.owns_continuation = draw(ctx, 4) == 0,
		.outcome = (enum life_outcome)draw(ctx, COMMIT_ABORTED + 1),
		.own = draw(ctx, 4) > 0,
		.blank = draw(ctx, 4) == 0,
	};

	ev.number = draw(ctx, 4) > 0 ? m->box[ev.message]
				     : (int64_t)draw(ctx, 5);
	if (ev.type == EVENT_COMMIT)
		ev.window = m->pending && draw(ctx, 4) > 0
				    ? m->pending
				    : m->n + (int64_t)draw(ctx, 3) - 1;
	else if (ev.type == EVENT_DELIVERED)
		ev.window = draw(ctx, 6) > 0 ? m->n
					     : m->n + (int64_t)draw(ctx, 3) - 1;
	else
		ev.window = draw(ctx, 3) == 0 ? m->n + (int64_t)draw(ctx, 2)
					      : 0;
	return ev;
}

static struct evidence
model_random_evidence(const struct model *m, model_draw *draw, void *ctx)
{
	struct evidence e = { .valid = draw(ctx, 60) > 0 };

	e.claim_kept = draw(ctx, 2) == 0;
	if (draw(ctx, 4) == 0)
		return e;
	e.scanned = true;
	e.found = draw(ctx, 8) > 0;
	if (!e.found)
		return e;
	e.window = m->n;
	if (m->pending && draw(ctx, 4) == 0) {
		e.window = m->n + 1;
		e.marker = draw(ctx, 4) > 0 ? m->pending : m->n;
	} else if (draw(ctx, 16) == 0) {
		e.window = m->n + (int64_t)draw(ctx, 3);
	} else if (draw(ctx, 16) == 0 && m->n > 1) {
		e.window = m->n - 1;
	}
	e.previous = e.window > 1 ? e.window - 1 : 0;
	if (draw(ctx, 3) == 0)
		e.marker = e.window > 1 ? e.window : 0;
	e.fresh = draw(ctx, 3) == 0;
	if (draw(ctx, 8) == 0)
		e.control = (enum life_kind)draw(ctx, KIND_MANUAL + 1);
	for (int i = 0; i < MESSAGE_COUNT; i++)
		e.proven[i] = draw(ctx, 6) == 0;
	return e;
}

#endif /* LIFE_MODEL_H */

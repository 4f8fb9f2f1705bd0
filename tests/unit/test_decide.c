/*
 * The life of a window, spec/context.md section 7: every row of its tables
 * from a state of its own, thresholds and latch by number, and a million
 * random sequences against a model of the tables.
 */
#include "life_model.h"

static const struct life_config defaults = { .percent = 0.25,
					     .floor = 21384,
					     .ceiling = 60000 };
static const struct evidence nothing = { .valid = true };
static struct life life;
static struct decision d;

/* ---- a small language for states --------------------------------------- */

static void
fresh(void)
{
	decide_release(&life);
	decide_init(&life);
	life.identity = IDENTITY_DELIVERED;
}

static struct decision
with(struct life_event event, struct evidence evidence)
{
	d = decide(&life, &event, &defaults, &evidence);
	return d;
}

static struct decision
event(struct life_event e)
{
	return with(e, nothing);
}

static struct decision
usage(int64_t used, int64_t window)
{
	return event((struct life_event){ .type = EVENT_USAGE,
					  .used_given = true,
					  .used = used,
					  .context_window = window });
}

static struct decision
compact(enum life_reason reason)
{
	return event(
		(struct life_event){ .type = EVENT_COMPACT, .reason = reason });
}

static struct decision
settle(void)
{
	return event((struct life_event){ .type = EVENT_SETTLE, .idle = true });
}

static struct decision
commit(enum life_outcome outcome, int64_t window)
{
	return event((struct life_event){
		.type = EVENT_COMMIT, .outcome = outcome, .window = window });
}

static struct decision
deliver(enum message_kind kind)
{
	return event((struct life_event){ .type = EVENT_DELIVERED,
					  .message = kind,
					  .window = life.window,
					  .number = life.outbox[kind].number });
}

static struct decision
write_note(bool own, bool blank)
{
	struct life_event e = { .type = EVENT_WRITE,
				.own = own,
				.blank = blank };

	if (event(e).answer != ANSWER_DONE)
		return d;
	if (d.claim)
		life.claim.pid = 7;
	e.type = EVENT_WRITTEN;
	return event(e);
}

static struct decision
ask(void)
{
	return event((struct life_event){ .type = EVENT_NEW_CONTEXT });
}

/* A fallback of this window stands in the branch. */
static void
armed(void)
{
	fresh();
	life.reminder = REMINDER_DELIVERED;
	compact(COMPACT_THRESHOLD);
	deliver(MESSAGE_FALLBACK);
}

static int
gives(void)
{
	int n = 0;

	for (int i = 0; i < MESSAGE_COUNT; i++)
		n += d.give[i];
	return n;
}

/* ---- thresholds (7.4) -------------------------------------------------- */

static void
test_levels(void)
{
	static const struct {
		int64_t window, level;
	} rows[] = { { 1000000, 60000 },
		     { 200000, 50000 },
		     { 128000, 32000 },
		     { 80000, 21384 },
		     { 32000, 16000 },
		     { 16000, 8000 },
		     { 1, 0 } };
	struct life_config c = defaults;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ok(decide_level(&defaults, rows[i].window) == rows[i].level,
		   "7.4: the level of a window of %lld",
		   (long long)rows[i].window);
	c.percent = 0.1;
	c.floor = 0;
	is_int(decide_level(&c, 30), 3, "7.4: 0.1 of 30 is 3, not 2");
	c.percent = 0.29;
	is_int(decide_level(&c, 100), 29, "7.4: 0.29 of 100 is 29");
	c.floor = 90000;
	is_int(decide_level(&c, 10000), 5000,
	       "trap: a floor never exceeds half a small window");
	is_int(decide_level(&c, 200000), 90000,
	       "7.4: the floor stands above the ceiling");

	fresh();
	usage(150000, 200000);
	is_int(life.reminder, REMINDER_SENT, "U8: 50,000 left of 200,000");
	fresh();
	usage(149999, 200000);
	is_int(life.reminder, REMINDER_NONE, "U9: 50,001 left of 200,000");
	is_int(decide_remaining(&life), 50001, "5: what is left");
	usage(300000, 200000);
	is_int(decide_remaining(&life), 0, "5: never below 0");
}

static void
test_hard_level(void)
{
	struct life_config c = defaults;
	struct life_event e = { .type = EVENT_USAGE,
				.used_given = true,
				.used = 99,
				.context_window = 1000000 };

	c.hard = 100;
	fresh();
	decide(&life, &e, &c, &nothing);
	is_int(life.stage, STAGE_NONE, "hard: 99 of 100 is not due");
	e.used = 100;
	d = decide(&life, &e, &c, &nothing);
	ok(life.stage == STAGE_SENT && life.hard_latched &&
		   life.reminder == REMINDER_DELIVERED &&
		   d.give[MESSAGE_FALLBACK] && !d.give[MESSAGE_REMINDER],
	   "U7: 100 of 100 sends the fallback, and latches");
	compact(COMPACT_OVERFLOW);
	commit(COMMIT_COMMITTED, 2);
	ok(life.window == 2 && life.hard_latched,
	   "trap: the latch survives the rollover");
	deliver(MESSAGE_CONTINUATION);
	decide(&life, &e, &c, &nothing);
	is_int(life.stage, STAGE_NONE, "hard: latched, it is not due again");
	e.used = 90;
	decide(&life, &e, &c, &nothing);
	ok(life.hard_latched, "hard: 90 of 100 is not below 0.9");
	e.used = 89;
	decide(&life, &e, &c, &nothing);
	ok(!life.hard_latched, "hard: 89 of 100 releases the latch");
	e.used = 100;
	decide(&life, &e, &c, &nothing);
	is_int(life.stage, STAGE_SENT, "hard: and it is due again");
	fresh();
	life.hard_latched = true;
	c.hard = 95;
	e.used = 86;
	decide(&life, &e, &c, &nothing);
	ok(life.hard_latched, "hard: 10 times 86 is not less than 9 times 95");
	e.used = 85;
	decide(&life, &e, &c, &nothing);
	ok(!life.hard_latched, "hard: 10 times 85 is");
	e.used = 500;
	e.aborted = true;
	decide(&life, &e, &c, &nothing);
	ok(life.used == 85 && life.stage == STAGE_NONE,
	   "U3: an aborted message tells nothing");
}

/* ---- rows U, N, W ------------------------------------------------------ */

static void
test_usage(void)
{
	struct life_config off = defaults;
	struct life_event e = { .type = EVENT_USAGE,
				.used_given = true,
				.used = 1,
				.context_window = 2 };

	fresh();
	off.disabled = true;
	d = decide(&life, &e, &off, &nothing);
	ok(d.answer == ANSWER_USAGE_DISABLED && !life.usage_known, "U1");
	e.window = 2;
	ok(event(e).answer == ANSWER_USAGE_STALE && !life.usage_known,
	   "U2: measured in another window");
	e.window = 1;
	e.aborted = true;
	ok(event(e).answer == ANSWER_USAGE_ABORTED && !life.usage_known, "U3");
	usage(10, 100);
	ok(usage(10, 0).answer == ANSWER_USAGE_UNKNOWN && !life.usage_known,
	   "U4: a window of 0 makes the usage unknown");
	is_int(decide_remaining(&life), -1, "U4: and what remains");
	ask();
	ok(usage(99, 100).answer == ANSWER_USAGE_PENDING && life.used == 99 &&
		   life.reminder == REMINDER_NONE && gives() == 0,
	   "U5: stored, and nothing is sent after a request");
	armed();
	ok(usage(99, 100).answer == ANSWER_USAGE_CHECKPOINT &&
		   life.used == 99 && gives() == 0,
	   "U6: stored, and nothing is sent at a checkpoint");
	fresh();
	usage(90, 100);
	ok(d.answer == ANSWER_DONE && d.give[MESSAGE_REMINDER] &&
		   life.outbox[MESSAGE_REMINDER].number == 1,
	   "U8: the reminder is the window's first message");
	usage(91, 100);
	ok(gives() == 0 && life.message_count == 1, "U9: one reminder only");
}

static void
test_new_context(void)
{
	struct life_config off = defaults;
	struct life_event e = { .type = EVENT_NEW_CONTEXT };

	fresh();
	off.disabled = true;
	d = decide(&life, &e, &off, &nothing);
	ok(d.answer == ANSWER_DISABLED && life.request == REQUEST_NONE,
	   "N1: disabled");
	ok(ask().answer == ANSWER_DONE && life.request == REQUEST_NEW_CONTEXT,
	   "N3");
	ask();
	settle();
	compact(COMPACT_ROLLOVER);
	ok(ask().answer == ANSWER_DONE && life.pending.window == 2 &&
		   life.request == REQUEST_NEW_CONTEXT,
	   "N2, trap: two requests are one rollover");
	commit(COMMIT_COMMITTED, 2);
	is_int(life.request, REQUEST_NONE, "N2: and no request is left");
	armed();
	ok(ask().answer == ANSWER_FENCED && life.request == REQUEST_NONE,
	   "N1: fenced while a checkpoint is due");
	write_note(true, false);
	ok(ask().answer == ANSWER_DONE && life.request == REQUEST_CHECKPOINT,
	   "N2: after the checkpoint the answer is the same");
	fresh();
	life.reminder = REMINDER_DELIVERED;
	compact(COMPACT_THRESHOLD);
	ok(ask().answer == ANSWER_DONE && life.request == REQUEST_NEW_CONTEXT,
	   "N3: a fallback that is only sent does not fence");
}

static void
test_writes(void)
{
	struct life_config off = defaults;
	struct life_event e = { .type = EVENT_WRITE, .own = true };

	armed();
	ok(write_note(false, false).answer == ANSWER_FENCED,
	   "7.6: foreign notes are behind the fence");
	ok(write_note(true, true).answer == ANSWER_FENCED,
	   "7.5: so is a blank checkpoint");
	is_int(event((struct life_event){ .type = EVENT_TOOL }).answer,
	       ANSWER_FENCED, "7.6: and every other tool");
	ok(event(e).claim, "8.3: a fenced write claims first");
	life.claim.pid = 7;
	e.type = EVENT_WRITE_FAILED;
	event(e);
	ok(life.stage == STAGE_ARMED && life.claim.pid == 0 &&
		   life.request == REQUEST_NONE,
	   "W3, trap: a failed write ends no window");
	d = write_note(true, false);
	ok(d.rollover_requested && life.stage == STAGE_SAVED &&
		   life.request == REQUEST_CHECKPOINT && life.note_saved &&
		   life.claim.pid == 0,
	   "W1: the checkpoint is saved, and asks for the window");
	ok(write_note(true, false).answer == ANSWER_ROLLOVER_PENDING,
	   "7.6, trap: no second write after the checkpoint");
	is_int(event((struct life_event){ .type = EVENT_TOOL }).answer,
	       ANSWER_ROLLOVER_PENDING, "7.6: nor any other tool");
	off.disabled = true;
	e.type = EVENT_TOOL;
	is_int(decide(&life, &e, &off, &nothing).answer, ANSWER_DONE,
	       "7.6: disabled, no fence holds");
	is_int(life.stage, STAGE_SAVED, "7.6: and the stage is kept");
	fresh();
	d = write_note(true, true);
	ok(d.answer == ANSWER_DONE && !life.note_saved,
	   "7.5: a blank write outside the fence does not count");
	d = write_note(false, false);
	ok(d.answer == ANSWER_DONE && !life.note_saved,
	   "W2: nor does one to foreign notes");
	d = write_note(true, false);
	ok(life.note_saved && !d.rollover_requested &&
		   life.request == REQUEST_NONE,
	   "W2: note saved, and nothing requested");
	life.reminder = REMINDER_DELIVERED;
	compact(COMPACT_THRESHOLD);
	d = write_note(true, false);
	ok(!d.claim && life.stage == STAGE_SENT && !d.rollover_requested,
	   "W2, trap: sending arms no fence");
}

/* ---- rows S, C, M ------------------------------------------------------ */

static void
test_settle(void)
{
	fresh();
	is_int(settle().answer, ANSWER_SETTLE_NONE, "S6");
	usage(90, 100);
	ok(settle().answer == ANSWER_SETTLE_RESEND &&
		   d.give[MESSAGE_REMINDER] &&
		   life.outbox[MESSAGE_REMINDER].number == 1,
	   "S5: what was never delivered is sent again under its id");
	event((struct life_event){ .type = EVENT_SETTLE });
	ok(d.answer == ANSWER_SETTLE_NONE && gives() == 0, "S1: not idle");
	compact(COMPACT_MANUAL);
	ok(settle().answer == ANSWER_SETTLE_RESEND &&
		   d.give[MESSAGE_CHECKPOINT] && !d.give[MESSAGE_REMINDER],
	   "S2: the checkpoint, and no reminder any more");
	deliver(MESSAGE_CHECKPOINT);
	is_int(settle().answer, ANSWER_SETTLE_NONE, "S3: armed");
	write_note(true, false);
	ok(settle().answer == ANSWER_SETTLE_ROLL && gives() == 0, "S4");
	compact(COMPACT_ROLLOVER);
	is_int(settle().answer, ANSWER_SETTLE_NONE, "S3: pending");
}

static void
test_compact(void)
{
	struct evidence idle = { .valid = true,
				 .scanned = true,
				 .found = true,
				 .window = 1,
				 .fresh = true };
	struct life_event manual = { .type = EVENT_COMPACT,
				     .reason = COMPACT_MANUAL };
	struct life_event roll = { .type = EVENT_COMPACT,
				   .reason = COMPACT_ROLLOVER };
	struct life_config off = defaults;

	fresh();
	off.disabled = true;
	is_int(decide(&life, &roll, &off, &nothing).answer, ANSWER_ALLOW, "C1");
	is_int(compact(COMPACT_ROLLOVER).answer, ANSWER_CANCEL,
	       "C8: nothing was requested");
	is_int(with(manual, idle).answer, ANSWER_CANCEL_FRESH,
	       "C9: a fresh window has nothing to save");
	is_int(life.stage, STAGE_NONE, "C9: and no checkpoint is asked for");
	compact(COMPACT_THRESHOLD);
	ok(d.answer == ANSWER_CANCEL && d.give[MESSAGE_REMINDER] &&
		   life.reminder == REMINDER_SENT,
	   "C10: threshold, first a reminder");
	compact(COMPACT_THRESHOLD);
	ok(d.answer == ANSWER_CANCEL && d.give[MESSAGE_REMINDER] &&
		   life.message_count == 1,
	   "C11: not delivered, it is sent again");
	deliver(MESSAGE_REMINDER);
	compact(COMPACT_THRESHOLD);
	ok(d.answer == ANSWER_CANCEL && d.give[MESSAGE_FALLBACK] &&
		   life.stage == STAGE_SENT && life.kind == KIND_FALLBACK,
	   "C12: delivered, the fallback follows");
	ok(compact(COMPACT_THRESHOLD).answer == ANSWER_CANCEL &&
		   d.give[MESSAGE_FALLBACK] && life.message_count == 2,
	   "C4: the fallback again");
	deliver(MESSAGE_FALLBACK);
	ok(compact(COMPACT_MANUAL).answer == ANSWER_CANCEL && gives() == 0,
	   "C5: armed");
	write_note(true, false);
	ok(compact(COMPACT_THRESHOLD).answer == ANSWER_ROLLOVER &&
		   life.pending.window == 2 && life.pending.resume,
	   "C7: a host's own compaction takes the request, and resumes");
	ok(compact(COMPACT_MANUAL).answer == ANSWER_ROLLOVER &&
		   life.pending.window == 2 &&
		   life.pending.reason == COMPACT_THRESHOLD,
	   "C2: and again, the same window");

	fresh();
	compact(COMPACT_MANUAL);
	ok(d.answer == ANSWER_CANCEL && d.give[MESSAGE_CHECKPOINT] &&
		   life.kind == KIND_MANUAL && life.stage == STAGE_SENT,
	   "C9: a checkpoint is asked for");
	compact(COMPACT_OVERFLOW);
	ok(d.answer == ANSWER_ROLLOVER && !life.pending.resume && gives() == 0,
	   "C3: overflow rolls whatever the stage; a manual one resumes "
	   "nothing");
	fresh();
	ask();
	ok(with(roll, idle).answer == ANSWER_CANCEL_FRESH &&
		   life.request == REQUEST_NONE,
	   "C6: a fresh window is not rolled over");
	armed();
	write_note(true, false);
	with(roll, idle);
	ok(life.stage == STAGE_NONE && life.request == REQUEST_NONE,
	   "C6: and a checkpoint in it leaves no fence behind");
	fresh();
	ask();
	event((struct life_event){ .type = EVENT_COMPACT,
				   .reason = COMPACT_ROLLOVER,
				   .owns_continuation = true });
	ok(d.answer == ANSWER_ROLLOVER && !life.pending.resume,
	   "C7: the host that goes on by itself needs no continuation");
}

static void
test_commit(void)
{
	fresh();
	is_int(commit(COMMIT_COMMITTED, 2).answer, ANSWER_IGNORED,
	       "M1: nothing was handed out");
	ask();
	compact(COMPACT_ROLLOVER);
	is_int(commit(COMMIT_COMMITTED, 3).answer, ANSWER_IGNORED,
	       "M1: another window");
	usage(50, 100);
	life.note_saved = true;
	commit(COMMIT_COMMITTED, 2);
	ok(d.answer == ANSWER_COMMITTED && life.window == 2 &&
		   life.previous == 1 && !life.usage_known &&
		   !life.note_saved && life.identity == IDENTITY_DELIVERED &&
		   life.request == REQUEST_NONE && life.pending.window == 0,
	   "M2: advance; trap: no usage of the old window is left");
	ok(d.give[MESSAGE_CONTINUATION] &&
		   life.outbox[MESSAGE_CONTINUATION].number == 1,
	   "M2: new_context resumes, with the window's first message");
	commit(COMMIT_COMMITTED, 2);
	ok(d.answer == ANSWER_COMMITTED && d.give[MESSAGE_CONTINUATION] &&
		   life.window == 2 && life.message_count == 1,
	   "M0: a retry changes nothing");
	deliver(MESSAGE_CONTINUATION);
	commit(COMMIT_COMMITTED, 2);
	ok(d.answer == ANSWER_COMMITTED && gives() == 0,
	   "M0: nor does it repeat what was delivered");

	armed();
	write_note(true, false);
	compact(COMPACT_ROLLOVER);
	commit(COMMIT_FAILED, 2);
	ok(d.answer == ANSWER_FAILED && life.stage == STAGE_ARMED &&
		   life.request == REQUEST_NONE && life.pending.window == 0,
	   "M3, trap: a failed rollover leaves no fence open");
	ok(write_note(true, false).rollover_requested,
	   "M3: the checkpoint is written again");
	compact(COMPACT_ROLLOVER);
	commit(COMMIT_ABORTED, 2);
	ok(d.answer == ANSWER_ABORTED && life.stage == STAGE_SAVED &&
		   life.request == REQUEST_CHECKPOINT &&
		   life.pending.window == 0,
	   "M4, trap: a cancelled compaction loses no request");
	fresh();
	ask();
	compact(COMPACT_ROLLOVER);
	commit(COMMIT_FAILED, 2);
	is_int(life.request, REQUEST_NONE,
	       "M3, trap: nor is it kept after a real failure");
}

/* ---- evidence (7.3) ---------------------------------------------------- */

static void
test_delivery(void)
{
	struct evidence seen = {
		.valid = true, .scanned = true, .found = true, .window = 1
	};
	struct life_event look = { .type = EVENT_LOOK };

	fresh();
	life.reminder = REMINDER_DELIVERED;
	compact(COMPACT_THRESHOLD);
	with(look, seen);
	is_int(life.stage, STAGE_SENT, "7.3: not in the branch, not delivered");
	seen.proven[MESSAGE_FALLBACK] = true;
	with(look, seen);
	ok(life.stage == STAGE_ARMED &&
		   life.outbox[MESSAGE_FALLBACK].number == 0,
	   "7.3: in the branch, the fence is armed");
	fresh();
	usage(90, 100);
	event((struct life_event){ .type = EVENT_DELIVERED,
				   .message = MESSAGE_REMINDER,
				   .window = 1,
				   .number = 2 });
	is_int(d.answer, ANSWER_UNKNOWN_MESSAGE, "7.7: an id never issued");
	deliver(MESSAGE_REMINDER);
	ok(d.answer == ANSWER_ACCEPTED && life.reminder == REMINDER_DELIVERED,
	   "7.3: the reminder is delivered");
	event((struct life_event){ .type = EVENT_DELIVERED,
				   .message = MESSAGE_REMINDER,
				   .window = 1,
				   .number = 1 });
	is_int(d.answer, ANSWER_ACCEPTED, "7.7: twice is fine");
	fresh();
	life.window = 2;
	event((struct life_event){ .type = EVENT_DELIVERED,
				   .message = MESSAGE_FALLBACK,
				   .window = 1,
				   .number = 1 });
	ok(d.answer == ANSWER_STALE && life.stage == STAGE_NONE,
	   "7.7, trap: an old window's fallback proves nothing");
}

static void
test_unseen(void)
{
	struct evidence e = { .valid = true,
			      .scanned = true,
			      .found = true,
			      .window = 2,
			      .previous = 1,
			      .marker = 2,
			      .proven = { [MESSAGE_CONTINUATION] = true } };

	fresh();
	ask();
	compact(COMPACT_ROLLOVER);
	with((struct life_event){ .type = EVENT_USAGE }, e);
	ok(life.window == 2 && life.previous == 1 &&
		   life.identity == IDENTITY_DELIVERED &&
		   d.give[MESSAGE_CONTINUATION],
	   "7.3: a commit that happened unseen is applied");
	fresh();
	usage(90, 100);
	life.hard_latched = true;
	e.marker = 0;
	e.window = 3;
	e.previous = 2;
	with((struct life_event){ .type = EVENT_COMPACT,
				  .reason = COMPACT_ROLLOVER },
	     e);
	ok(life.window == 3 && life.previous == 2 &&
		   life.reminder == REMINDER_NONE && life.message_count == 0 &&
		   life.identity == IDENTITY_NEEDED && life.hard_latched,
	   "7.3: a foreign compaction resets all of the old window");
	settle();
	ok(d.answer == ANSWER_SETTLE_RESEND && d.give[MESSAGE_IDENTITY] &&
		   life.identity == IDENTITY_SENT,
	   "7.3: and the next program tells the model where it is");
	e.window = 1;
	with((struct life_event){ .type = EVENT_LOOK }, e);
	is_int(life.window, 3, "7.3: a branch that lags changes nothing");
}

static void
test_recovery(void)
{
	struct evidence e = { .scanned = true };
	struct life_event look = { .type = EVENT_LOOK };
	struct life_event init = { .type = EVENT_INIT };

	fresh();
	with(look, e);
	ok(life.window == 1 && life.previous == 0 &&
		   life.identity == IDENTITY_NEEDED,
	   "7.3: no state and no transcript is w1");
	usage(1, 100);
	ok(gives() == 0, "7.3: only context-init tells a first identity");
	event(init);
	ok(d.give[MESSAGE_IDENTITY] && life.message_count == 1,
	   "7.3: which it does");
	e = (struct evidence){ .scanned = true,
			       .found = true,
			       .window = 4,
			       .previous = 2,
			       .marker = 4 };
	fresh();
	with(look, e);
	ok(life.window == 4 && life.previous == 2 &&
		   life.reminder == REMINDER_DELIVERED &&
		   life.identity == IDENTITY_DELIVERED &&
		   life.stage == STAGE_NONE,
	   "7.3: after a loss the branch tells, and no reminder repeats");
	e.marker = 0;
	e.control = KIND_MANUAL;
	fresh();
	with(init, e);
	ok(life.stage == STAGE_ARMED && life.kind == KIND_MANUAL &&
		   !life.note_saved && d.give[MESSAGE_IDENTITY],
	   "7.3: its control entries arm the fence again");

	fresh();
	ask();
	compact(COMPACT_ROLLOVER);
	event(init);
	ok(life.pending.window == 0 && life.request == REQUEST_NEW_CONTEXT,
	   "7.7: init discards a rollover that is not in the branch, as M4");
	armed();
	life.claim.pid = 7;
	with(look, (struct evidence){ .valid = true, .claim_kept = true });
	ok(life.stage == STAGE_SAVED && life.request == REQUEST_CHECKPOINT &&
		   life.claim.pid == 0,
	   "8.3: a claim whose note is there is a checkpoint");
	armed();
	life.claim.pid = 7;
	with(look, nothing);
	ok(life.stage == STAGE_ARMED && life.claim.pid == 0,
	   "8.3: one whose note is not is dropped");
}

static void
test_phases(void)
{
	struct life_config off = defaults;

	off.disabled = true;
	fresh();
	is_int(decide_phase(&life, &off), PHASE_DISABLED, "7.1: disabled");
	is_int(decide_phase(&life, &defaults), PHASE_READY, "7.1: ready");
	ask();
	is_int(decide_phase(&life, &defaults), PHASE_ROLLOVER_PENDING,
	       "7.1: rollover pending");
	life.stage = STAGE_SENT;
	is_int(decide_phase(&life, &defaults), PHASE_CHECKPOINT_REQUIRED,
	       "7.1: a checkpoint that is sent comes before a request");
	life.pending.window = 2;
	is_int(decide_phase(&life, &defaults), PHASE_ROLLING_OVER,
	       "7.1: rolling over comes before both");
}

/* ---- against the model ------------------------------------------------- */

static unsigned
draw(void *ctx, unsigned below)
{
	return (unsigned)((test_random(ctx) >> 33) % below);
}

/*
 * No state is a dead end: a host that delivers what it gets, a model that
 * writes its checkpoint and asks, and the next window is there.
 */
static bool
reaches_next_window(const struct life_config *config)
{
	int64_t window = life.window;

	for (int i = 0; i < 8 && life.window == window; i++) {
		settle();
		for (int k = 0; k < MESSAGE_COUNT; k++)
			if (life.outbox[k].number != 0)
				deliver((enum message_kind)k);
		write_note(true, false);
		ask();
		if (settle().answer == ANSWER_SETTLE_ROLL ||
		    life.pending.window != 0) {
			compact(COMPACT_ROLLOVER);
			commit(COMMIT_COMMITTED, life.pending.window);
		}
	}
	(void)config;
	return life.window == window + 1;
}

#define SEQUENCES 1000000
#define EVENTS 12

static void
test_random_sequences(void)
{
	uint64_t seed = 20261130;
	size_t rows[MODEL_ROWS + 1] = { 0 }, states[3][4][3] = { 0 };
	const char *differs = NULL;
	bool stuck = false;
	struct model m;

	for (long i = 0; i < SEQUENCES && differs == NULL && !stuck; i++) {
		struct life_config c = { .disabled = draw(&seed, 20) == 0,
					 .percent = 0.25,
					 .floor = 1000,
					 .ceiling = 3000,
					 .hard = draw(&seed, 3) == 0 ? 8000
								     : 0 };

		decide_release(&life);
		decide_init(&life);
		m = (struct model){ .n = 1 };
		for (int k = 0; k < EVENTS && differs == NULL; k++) {
			struct life_event ev = model_random_event(&m, draw,
								  &seed);
			struct evidence e = model_random_evidence(&m, draw,
								  &seed);

			d = decide(&life, &ev, &c, &e);
			model_step(&m, &ev, &c, &e);
			if (d.claim && draw(&seed, 4) > 0)
				life.claim.pid = m.claim = 1;
			rows[model_row_number(&m)]++;
			states[life.reminder][life.stage][life.request]++;
			differs = model_differs(&m, &life, &d);
			if (differs != NULL)
				printf("# sequence %ld, event %d, row %s\n", i,
				       k, m.row);
		}
		if (i % 16 == 0 && !c.disabled)
			stuck = !reaches_next_window(&c);
	}
	ok(differs == NULL, "a million sequences agree with the model: %s",
	   differs == NULL ? "all" : differs);
	ok(!stuck, "no state is a dead end");
	for (size_t i = 0; i < MODEL_ROWS; i++)
		ok(rows[i] > 0, "row %s was reached", model_answers[i].row);
	/* A saved checkpoint is a request, and the only one of its kind. */
	for (int r = 0; r < 3; r++)
		for (int s = 0; s < 4; s++)
			for (int q = 0; q < 3; q++)
				ok(states[r][s][q] > 0 ||
					   (s == STAGE_SAVED) !=
						   (q == REQUEST_CHECKPOINT),
				   "reminder %s, stage %s, request %s is "
				   "reached",
				   decide_reminders[r],
				   s == 0 ? "none" : decide_stages[s],
				   decide_requests[q]);
}

int
main(void)
{
	decide_init(&life);
	test_levels();
	test_hard_level();
	test_usage();
	test_new_context();
	test_writes();
	test_settle();
	test_compact();
	test_commit();
	test_delivery();
	test_unseen();
	test_recovery();
	test_phases();
	test_random_sequences();
	decide_release(&life);
	return done();
}

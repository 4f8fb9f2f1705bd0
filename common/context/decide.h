#ifndef CONTEXT_DECIDE_H
#define CONTEXT_DECIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * The life of a context window (spec/context.md section 7): when to warn,
 * when to insist on a checkpoint, when to roll over.  A pure function over
 * the state of one agent: no file, no clock, no text of a message.  Windows
 * are numbers here: w3 is 3, and 0 is none.
 */

/* ---- state ------------------------------------------------------------- */

enum life_reminder { REMINDER_NONE, REMINDER_SENT, REMINDER_DELIVERED };
enum life_kind { KIND_NONE, KIND_FALLBACK, KIND_MANUAL };
enum life_stage { STAGE_NONE, STAGE_SENT, STAGE_ARMED, STAGE_SAVED };
enum life_request { REQUEST_NONE, REQUEST_NEW_CONTEXT, REQUEST_CHECKPOINT };
enum life_identity { IDENTITY_NEEDED, IDENTITY_SENT, IDENTITY_DELIVERED };
enum life_reason {
	COMPACT_THRESHOLD,
	COMPACT_MANUAL,
	COMPACT_OVERFLOW,
	COMPACT_ROLLOVER
};

/* A control message that is not proven delivered yet. */
enum message_kind {
	MESSAGE_IDENTITY,
	MESSAGE_REMINDER,
	MESSAGE_FALLBACK,
	MESSAGE_CHECKPOINT,
	MESSAGE_CONTINUATION,
	MESSAGE_COUNT
};

/*
 * One of each kind waits at most.  number is that of its id, 0: none waits;
 * decide() leaves the text of a new one empty for the caller to compose.
 */
struct life_message {
	int64_t number;
	struct buf text;
};

struct life_pending {
	int64_t window; /* 0: nothing is handed out */
	enum life_reason reason;
	bool resume; /* a continuation follows */
};

/* What a fenced write is about to store (8.3); pid 0: nothing. */
struct life_claim {
	int64_t pid, at_ms, bytes, updated_ms;
	struct buf path; /* canonical */
};

struct life {
	int64_t window, previous;
	enum life_reminder reminder;
	enum life_kind kind;
	enum life_stage stage;
	enum life_request request;
	struct life_pending pending;
	struct life_claim claim;
	bool note_saved, hard_latched, migration_shown;
	bool usage_known;
	int64_t used, context_window; /* where usage_known */
	struct buf model;	      /* the one given last; may be empty */
	enum life_identity identity;
	struct life_message outbox[MESSAGE_COUNT];
	int64_t message_count;
};

/* Their names in window.json and on results, in that order, NULL last. */
extern const char *const decide_reminders[],
	*const decide_kinds[],
		*const decide_stages[],
			*const decide_requests[],
				*const decide_identities[],
					*const decide_reasons[],
						*const decide_messages[];

void decide_init(struct life *life); /* an empty one; not yet a valid state */
void decide_release(struct life *life);

/* ---- what it goes by --------------------------------------------------- */

struct life_config {
	bool disabled;
	double percent; /* of the window that remains, for the reminder */
	int64_t floor, ceiling;
	int64_t hard; /* 0: off */
};

/* What the branch of the transcript proves (7.3). */
struct evidence {
	bool valid;	  /* a state was loaded; else life is an empty one */
	bool scanned;	  /* somebody looked for the transcript */
	bool found;	  /* and there is one; else all below is zero */
	int64_t window;	  /* of the branch's end */
	int64_t previous; /* the one before it */
	int64_t marker;	  /* the number that the last boundary's marker gives */
	bool fresh;	  /* nothing has happened in the last window */
	bool proven[MESSAGE_COUNT];
	enum life_kind
		control; /* asked for in the last window, by its entries */
	bool claim_kept; /* the note that life.claim tells of is there */
};

/* ---- events ------------------------------------------------------------ */

enum life_event_type {
	EVENT_LOOK, /* evidence only */
	EVENT_INIT,
	EVENT_USAGE,
	EVENT_DELIVERED,
	EVENT_SETTLE,
	EVENT_COMPACT,
	EVENT_COMMIT,
	EVENT_NEW_CONTEXT,
	EVENT_TOOL,	   /* any other tool is about to run */
	EVENT_WRITE,	   /* a writer of notes is about to write */
	EVENT_WRITTEN,	   /* and has */
	EVENT_WRITE_FAILED /* or has not */
};

enum life_outcome { COMMIT_COMMITTED, COMMIT_FAILED, COMMIT_ABORTED };

struct life_event {
	enum life_event_type type;
	/* EVENT_USAGE; a window of 0: not said */
	bool used_given, aborted;
	int64_t used, context_window;
	/* EVENT_USAGE: where it was measured; EVENT_COMMIT: what for */
	int64_t window;
	/* EVENT_DELIVERED */
	enum message_kind message;
	int64_t number;
	/* EVENT_SETTLE */
	bool idle;
	/* EVENT_COMPACT */
	enum life_reason reason;
	bool owns_continuation;
	/* EVENT_COMMIT */
	enum life_outcome outcome;
	/* EVENT_WRITE, EVENT_WRITTEN: to the agent's own notes; of white space */
	bool own, blank;
};

/* ---- decisions --------------------------------------------------------- */

enum answer {
	ANSWER_DONE, /* LOOK, INIT, TOOL, WRITE, WRITTEN, NEW_CONTEXT */
	/* what forbids it */
	ANSWER_DISABLED,
	ANSWER_FENCED,
	ANSWER_ROLLOVER_PENDING,
	/* USAGE: the reason, in the order of decide_usage_reasons */
	ANSWER_USAGE_DISABLED,
	ANSWER_USAGE_STALE,
	ANSWER_USAGE_ABORTED,
	ANSWER_USAGE_UNKNOWN,
	ANSWER_USAGE_PENDING,
	ANSWER_USAGE_CHECKPOINT,
	/* DELIVERED */
	ANSWER_ACCEPTED,
	ANSWER_STALE,
	ANSWER_UNKNOWN_MESSAGE,
	/* SETTLE, in the order of decide_settle_actions */
	ANSWER_SETTLE_NONE,
	ANSWER_SETTLE_RESEND,
	ANSWER_SETTLE_ROLL,
	/* COMPACT, in the order of decide_compact_actions */
	ANSWER_ALLOW,
	ANSWER_CANCEL,
	ANSWER_CANCEL_FRESH, /* with the note "fresh window" */
	ANSWER_ROLLOVER,
	/* COMMIT, in the order of decide_commit_statuses */
	ANSWER_COMMITTED,
	ANSWER_FAILED,
	ANSWER_ABORTED,
	ANSWER_IGNORED
};

struct decision {
	enum answer answer;
	bool give
		[MESSAGE_COUNT]; /* messages of the outbox to hand to the host */
	bool rollover_requested; /* WRITTEN: this write satisfied the fence */
	bool claim;		 /* WRITE: store a claim before writing */
};

/*
 * Takes life from one state to the next, by the evidence and then by the
 * event (in a commit the other way round), rows U1 to M4 of section 7.5.
 * What life owns is released where it is dropped.
 */
struct decision decide(struct life *life, const struct life_event *event,
		       const struct life_config *config,
		       const struct evidence *evidence);

/* Who asks to pass while a checkpoint is due (7.6). */
enum fence_tool {
	FENCE_ANY,
	FENCE_CHECKPOINT, /* a write of text to the agent's own notes */
	FENCE_NEW_CONTEXT
};
/* ANSWER_DONE, ANSWER_FENCED or ANSWER_ROLLOVER_PENDING; nothing changes. */
enum answer decide_fence(const struct life *life,
			 const struct life_config *config,
			 enum fence_tool tool);

enum life_phase {
	PHASE_DISABLED,
	PHASE_ROLLING_OVER,
	PHASE_CHECKPOINT_REQUIRED,
	PHASE_ROLLOVER_PENDING,
	PHASE_READY
};
extern const char *const decide_phases[];
enum life_phase decide_phase(const struct life *life,
			     const struct life_config *config);

/* How many remaining tokens a reminder is due at, for a window of that size. */
int64_t decide_level(const struct life_config *config, int64_t context_window);

/* What is left of the window, never below 0; -1 when it is not known. */
int64_t decide_remaining(const struct life *life);

#endif /* CONTEXT_DECIDE_H */

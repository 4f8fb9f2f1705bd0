#ifndef OUTPUT_SINK_H
#define OUTPUT_SINK_H

#include "output/apply.h"
#include "output/capture.h"

/*
 * A tool's output, details and usage as one bounded value (spec/output.md
 * section 7), changed by events.  What the events do to the state is here;
 * when that is published is the caller's.
 */
struct sink_options {
	struct capture_options capture;
	size_t details_max_bytes; /* 0: no limit */
	size_t images_max;	  /* 0: no limit */
	unsigned verbs;
	bool journal; /* memos can be kept */
};

struct sink {
	struct sink_options options;
	struct capture capture;
	struct value *state; /* but for what the window shows: see
				    sink_state() */
	struct replica details;
	struct value *memos; /* object */
	struct buf note;     /* joined to the text at the end */
	bool captured;	     /* the source accounts for what was left out */
	bool seeded_break;   /* the next text begins a line */
	bool ended, is_error;
};

void sink_init(struct sink *s, const struct sink_options *options);
void sink_release(struct sink *s);

/*
 * Goes on from a state and its memos; new output begins where section 7.3
 * says.  0, or -1: bad_path, it is not a state.
 */
int sink_seed(struct sink *s, struct value *state, struct value *memos,
	      const char *name, struct fail *fail);

/* What an event asks of the publisher besides. */
enum sink_wants {
	SINK_CHANGE, /* nothing */
	SINK_BASE,   /* a base, now */
	SINK_FLUSH,  /* now */
	SINK_MEMO,   /* a base with the memos, now, and its name */
	SINK_END
};

/*
 * Takes an event, checked here: bad_event, ended, the op codes,
 * details_too_large, too_many_images, no_journal, unknown_memo, spill_failed.
 * 0 and *wants, or -1 and nothing has changed.
 */
int sink_take(struct sink *s, const struct value *event, enum sink_wants *wants,
	      struct str *memo, struct fail *fail);

/* The whole state as it is now; borrowed, until the next event. */
struct value *sink_state(struct sink *s);

#endif /* OUTPUT_SINK_H */

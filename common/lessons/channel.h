#ifndef CHANNEL_H
#define CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "tool/declare.h"
#include "tool/fail.h"

/*
 * How a person is asked (spec/lessons.md section 6): two descriptors with
 * lines of JSON, the terminal, or another process that decides while this one
 * waits.
 */
enum channel_kind {
	CHANNEL_NONE,
	CHANNEL_LINES,
	CHANNEL_TERMINAL,
	CHANNEL_WAIT
};

#define CHANNEL_WAIT_VARIABLE "CTX_LESSONS_WAIT"
#define CHANNEL_WAIT_MAX_SECONDS 86400

/*
 * The options of the programs that ask.  A host that starts them for its
 * model gives no options: what --wait says may stand in a variable.
 */
struct channel_args {
	struct arg_integer wait; /* seconds */
	struct arg_string ui_fd;
	struct arg_boolean no_tty;
};
extern const struct param_kind channel_ui_fd;

#define CHANNEL_OPTIONS(at)                                                    \
	{ .name = "wait",                                                      \
	  .type = PARAM_INTEGER,                                               \
	  .offset = (at) + offsetof(struct channel_args, wait),                \
	  .max = CHANNEL_WAIT_MAX_SECONDS,                                     \
	  .metavar = "SECONDS",                                                \
	  .help = "How long to wait for lessons-review in another "            \
		  "terminal; by default what " CHANNEL_WAIT_VARIABLE           \
		  " says." },                                                  \
		{ .name = "ui_fd",                                             \
		  .type = PARAM_KIND,                                          \
		  .kind = &channel_ui_fd,                                      \
		  .offset = (at) + offsetof(struct channel_args, ui_fd),       \
		  .help = "Ask through these two descriptors, in lines of "    \
			  "JSON." },                                           \
	{                                                                      \
		.name = "no_tty", .type = PARAM_BOOLEAN, .has_fallback = true, \
		.offset = (at) + offsetof(struct channel_args, no_tty),        \
		.help = "Do not ask on the terminal."                          \
	}

struct channel {
	enum channel_kind kind;
	int in, out;	    /* of lines and of the terminal */
	int64_t wait_ms;    /* of waiting */
	struct buf pending; /* read, and not a whole line yet */
	/* Asked while the person thinks: false ends the dialog. */
	bool (*still)(void *ctx);
	void *ctx;
};

/*
 * The first that there is; CHANNEL_NONE without any.  -1 with
 * FAIL_ENVIRONMENT when the variable is not a number of seconds: nothing is
 * open then.
 */
int channel_open(struct channel *c, const struct channel_args *args,
		 struct fail *fail);
void channel_close(struct channel *c);

struct choice {
	const char *value;
	struct str label;
};

/*
 * One of several: its index, or -1 when the person cancelled or the dialog
 * was ended.  choices[fallback] is what an empty answer means.  On a terminal
 * the labels with `shown` true are printed as lines, and prompt is what the
 * person is asked; a number is never out of range there.
 */
struct question {
	const char *title;
	struct str body;
	const struct choice *choices;
	size_t n, fallback;
	const char *prompt;
	bool listed; /* on a terminal, labels are lines */
};
long channel_select(struct channel *c, const struct question *q);

/* A text: true with *answer, false when cancelled. */
bool channel_input(struct channel *c, const char *title, struct str body,
		   struct str value, struct buf *answer);

#endif /* CHANNEL_H */

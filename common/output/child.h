#ifndef OUTPUT_CHILD_H
#define OUTPUT_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <termios.h>

#include "base/spawn.h"
#include "tool/fail.h"

/*
 * A command that runs with its stdout and stderr in one pipe, in a session of
 * its own (spec/output.md section 6.3); stopped by a timeout or by the signals
 * that we get.
 *
 * As a job it has our terminal instead, as one that a shell has started: what
 * is typed is its input, Ctrl-C its signal, and Ctrl-Z stops it and then us.
 */
enum child_reason {
	CHILD_EXIT,
	CHILD_SIGNAL,
	CHILD_TIMEOUT,
	CHILD_ABORTED,
	CHILD_SPILL
};

struct child_options {
	const char *const *argv; /* NULL-terminated */
	char *const *environment;
	const char *cwd;  /* NULL: ours */
	struct str input; /* for its stdin, where that is a pipe */
	int in;		  /* its stdin: a descriptor, or SPAWN_PIPE */
	bool job;	  /* that is a terminal, and we are in its foreground */
	int64_t timeout_ms, grace_ms; /* timeout 0: none */
};

struct child {
	struct child_options options;
	struct spawn process;
	pid_t pid; /* also its group */
	int signals;
	struct buf block;
	size_t written; /* of the input */
	int64_t timeout_at, kill_at;
	int64_t look_at;  /* when a job in the foreground is looked at */
	int64_t drain_at; /* when an empty pipe is left; 0: at once, after */
	size_t rest;	  /* so many bytes at most */
	bool exited;
	int status; /* of waitpid(2) */
	bool stopping;
	enum child_reason reason; /* CHILD_EXIT while nothing else is known */
	int aborted_by;		  /* the signal */
	bool held;	      /* the pipe was still open when reading ended */
	bool foreground;      /* a job that has the terminal now */
	struct termios modes; /* of the terminal, as they were */
};

#define CHILD_INIT                                                       \
	{                                                                \
		.process = SPAWN_INIT, .signals = -1, .block = BUF_INIT, \
		.timeout_at = CHILD_NEVER, .kill_at = CHILD_NEVER,       \
		.drain_at = CHILD_NEVER                                  \
	}
#define CHILD_NEVER INT64_MAX

/*
 * From here on signals are taken, and not acted on.  0; or -1 with errno, when
 * nothing runs.
 */
int child_start(struct child *c, const struct child_options *options);
void child_release(struct child *c);

enum child_event {
	CHILD_OUTPUT, /* *data came; valid until the next call */
	CHILD_LATE,   /* the caller's time has come */
	CHILD_DONE    /* it has exited, and there is no more output */
};

enum child_event child_next(struct child *c, int64_t until, struct str *data);

/* Kills its group at once, for a reason of the caller's. */
void child_kill(struct child *c, enum child_reason reason);

/* Once it is done: its exit status, or -1; the number of its signal, or 0. */
int child_exit_code(const struct child *c);
int child_signal(const struct child *c);

#endif /* OUTPUT_CHILD_H */

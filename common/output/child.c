#include "output/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"

#define READ_BYTES 131072  /* at a time; more falls out of the cache */
#define PIPE_BYTES 1048576 /* so that nobody waits for each page */
#define DRAIN_MS 100	   /* without data, once the child has exited */
#define LOOK_MS 250	   /* how often a job in the foreground is looked at */
#define EXEC_MS 10	   /* for a program to be executed */
#define STATUS_BYTES 65536 /* of a process, in /proc */

/* ---- starting ---------------------------------------------------------- */

static void
take_signals(struct child *c)
{
	static const int taken[] = { SIGINT,  SIGTERM, SIGHUP,	SIGCHLD,
				     SIGTSTP, SIGCONT, SIGWINCH };
	sigset_t set;
	size_t i;

	/* Whoever ignores it must not make us lose the child's status. */
	(void)signal(SIGCHLD, SIG_DFL);
	sigemptyset(&set);
	for (i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		sigaddset(&set, taken[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	c->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (!c->options.job)
		return;
	/* Held back, not taken: to give the terminal, and to show text. */
	sigemptyset(&set);
	sigaddset(&set, SIGTTOU);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

/* ---- a job's terminal -------------------------------------------------- */

/* Back to us.  torn: it was not the job's own doing, so its modes are ours. */
static void
take_terminal(struct child *c, bool torn)
{
	if (!c->foreground)
		return;
	c->foreground = false;
	(void)tcsetpgrp(c->options.in, getpgrp());
	if (torn)
		(void)tcsetattr(c->options.in, TCSADRAIN, &c->modes);
}

static void
send_signal(const struct child *c, int number)
{
	if (!c->exited)
		(void)kill(-c->pid, number);
}

/* We go on: so does the job, with the terminal if that is ours to give. */
static void
resume(struct child *c)
{
	if (tcgetpgrp(c->options.in) == getpgrp())
		c->foreground = tcsetpgrp(c->options.in, c->pid) == 0;
	send_signal(c, SIGCONT);
}

/*
 * The job was stopped, so we stop with all of our group, as the shell expects
 * it: by SIGTSTP, which does nothing where no shell could go on with us.
 */
static void
stop_with_it(struct child *c)
{
	const struct timespec now = { 0, 0 };
	sigset_t stop, go_on;

	take_terminal(c, true);
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	sigemptyset(&go_on);
	sigaddset(&go_on, SIGCONT);
	(void)kill(0, SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &stop, NULL);
	sigprocmask(SIG_BLOCK, &stop, NULL);
	/* Answered here: later, it would undo the next Ctrl-Z. */
	(void)sigtimedwait(&go_on, NULL, &now);
	resume(c);
}

/*
 * True when Ctrl-Z has reached the job's leader, which cannot stop: it waits in
 * vfork(2), and its child was stopped ahead of the exec.  No signal tells of
 * that, and no shell sees it.
 */
static bool
cannot_stop(const struct child *c)
{
	struct buf text = BUF_INIT;
	const char *pending = NULL;
	bool waits = false;
	int fd;

	buf_addf(&text, "/proc/%ld/status", (long)c->pid);
	fd = open(text.data, O_RDONLY | O_CLOEXEC);
	buf_reset(&text);
	if (fd >= 0) {
		(void)io_read_all(fd, STATUS_BYTES, &text);
		close(fd);
		buf_addc(&text, '\n'); /* not empty */
		waits = strstr(text.data, "\nState:\tD") != NULL;
		pending = strstr(text.data, "\nShdPnd:\t");
	}
	waits = waits && pending != NULL &&
		(strtoull(pending + strlen("\nShdPnd:\t"), NULL, 16) >>
			 (SIGTSTP - 1) &
		 1) != 0;
	buf_release(&text);
	return waits;
}

/*
 * Now and then, while it has the terminal: once it got to the exec, it stops.
 */
static void
look_after(struct child *c, int64_t now)
{
	c->look_at = now + LOOK_MS;
	if (!cannot_stop(c))
		return;
	send_signal(c, SIGCONT);
	clock_sleep_ms(EXEC_MS);
	send_signal(c, SIGTSTP);
}

int
child_start(struct child *c, const struct child_options *options)
{
	struct spawn_command command = {
		.path = options->argv[0],
		.argv = options->argv,
		.environment = options->environment,
		.cwd = options->cwd,
		.in = options->in,
		.one_pipe = true,
		.session = !options->job,
		.foreground = options->job,
		.outlives = true,
		.confirm = true,
	};
	int64_t now;
	int error;

	c->options = *options;
	c->foreground = options->job;
	c->rest = PIPE_BYTES;
	if (options->job)
		(void)tcgetattr(options->in, &c->modes);
	take_signals(c);
	if (spawn_start(&c->process, &command) != 0) {
		error = errno;
		take_terminal(c, false);
		errno = error;
		return -1;
	}
	c->pid = c->process.pid;
	now = clock_monotonic_ms();
	if (options->timeout_ms > 0)
		c->timeout_at = now + options->timeout_ms;
	(void)fcntl(c->process.out, F_SETPIPE_SZ, PIPE_BYTES);
	(void)buf_reserve(&c->block, READ_BYTES);
	return 0;
}

void
child_release(struct child *c)
{
	spawn_close(&c->process);
	if (c->signals >= 0)
		close(c->signals);
	buf_release(&c->block);
}

/* ---- stopping ---------------------------------------------------------- */

/* The first time it is asked, after that it is killed. */
static void
stop(struct child *c, enum child_reason reason, int number)
{
	if (c->stopping) {
		send_signal(c, SIGKILL);
		return;
	}
	c->stopping = true;
	c->reason = reason;
	c->timeout_at = CHILD_NEVER;
	c->kill_at = clock_monotonic_ms() + c->options.grace_ms;
	send_signal(c, number);
	send_signal(c, SIGCONT); /* what is stopped cannot end */
}

void
child_kill(struct child *c, enum child_reason reason)
{
	c->stopping = true;
	c->reason = reason;
	c->timeout_at = c->kill_at = CHILD_NEVER;
	send_signal(c, SIGKILL);
}

/* Stopped at the keyboard: the child, which has no terminal, stops with us. */
static void
pause_both(const struct child *c)
{
	if (c->options.job) { /* once it has stopped, so do we */
		send_signal(c, SIGTSTP);
		return;
	}
	send_signal(c, SIGSTOP);
	(void)raise(SIGSTOP);
	send_signal(c, SIGCONT);
}

static void
reap(struct child *c)
{
	pid_t pid;

	if (c->exited)
		return;
	do
		pid = waitpid(c->pid, &c->status,
			      WNOHANG | (c->options.job ? WUNTRACED : 0));
	while (pid < 0 && errno == EINTR);
	if (pid != c->pid)
		return;
	if (WIFSTOPPED(c->status)) {
		stop_with_it(c);
		return;
	}
	c->exited = true;
	/* Ctrl-C was for the job alone; it was ended by it, so by us. */
	if (c->foreground && !c->stopping && child_signal(c) == SIGINT) {
		c->stopping = true;
		c->reason = CHILD_ABORTED;
		c->aborted_by = SIGINT;
	}
	take_terminal(c, WIFSIGNALED(c->status));
	c->kill_at = CHILD_NEVER;
	c->drain_at = clock_monotonic_ms() + DRAIN_MS;
	if (!c->stopping && WIFSIGNALED(c->status))
		c->reason = CHILD_SIGNAL;
}

/* What came to us. */
static void
take_signal(struct child *c)
{
	struct signalfd_siginfo info;

	while (read(c->signals, &info, sizeof(info)) == sizeof(info)) {
		switch (info.ssi_signo) {
		case SIGCHLD:
			reap(c);
			break;
		case SIGTSTP:
			pause_both(c);
			break;
		case SIGCONT:
			if (c->options.job)
				resume(c);
			break;
		case SIGWINCH:
			send_signal(c, SIGWINCH);
			break;
		default:
			if (!c->stopping)
				c->aborted_by = (int)info.ssi_signo;
			/* Who still holds the pipe is not waited for. */
			if (c->exited)
				c->drain_at = 0;
			else
				stop(c, CHILD_ABORTED, (int)info.ssi_signo);
		}
	}
}

static void
check_times(struct child *c, int64_t now)
{
	if (now >= c->timeout_at) {
		reap(c); /* it may have ended while we did not run */
		if (c->exited)
			c->drain_at = 0;
		else
			stop(c, CHILD_TIMEOUT, SIGTERM);
	}
	if (now >= c->kill_at) {
		send_signal(c, SIGKILL);
		c->kill_at = CHILD_NEVER;
	}
	if (c->foreground && now >= c->look_at)
		look_after(c, now);
}

/* ---- its input and output ---------------------------------------------- */

static void
give_input(struct child *c)
{
	struct str rest = str_from(c->options.input, c->written);
	ssize_t n = write(c->process.in, rest.s, rest.n);

	if (n > 0)
		c->written += (size_t)n;
	/* A child that does not want it is not a failure. */
	if ((n < 0 && errno != EAGAIN && errno != EINTR) ||
	    c->written == c->options.input.n)
		spawn_close_one(&c->process.in);
}

/* True with *data; an end of file closes the pipe. */
static bool
take_output(struct child *c, struct str *data)
{
	ssize_t n = read(c->process.out, c->block.data, READ_BYTES);

	if (n > 0) {
		*data = (struct str){ c->block.data, (size_t)n };
		if (c->exited && c->drain_at > 0)
			c->drain_at = clock_monotonic_ms() + DRAIN_MS;
		else if (c->exited)
			c->rest -= data->n < c->rest ? data->n : c->rest;
		return true;
	}
	if (n == 0 || (errno != EAGAIN && errno != EINTR))
		spawn_close_one(&c->process.out);
	return false;
}

static int
milliseconds(int64_t until, int64_t now)
{
	if (until == CHILD_NEVER)
		return -1;
	if (until <= now)
		return 0;
	return until - now > INT32_MAX ? INT32_MAX : (int)(until - now);
}

static int64_t
earliest(const struct child *c, int64_t until)
{
	const int64_t times[] = { c->timeout_at, c->kill_at, c->drain_at,
				  c->foreground ? c->look_at : CHILD_NEVER };
	size_t i;

	for (i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		if (times[i] < until)
			until = times[i];
	return until;
}

static enum child_event
ended(struct child *c)
{
	c->held = c->process.out >= 0;
	return CHILD_DONE;
}

enum child_event
child_next(struct child *c, int64_t until, struct str *data)
{
	int ready;

	for (;;) {
		int64_t now = clock_monotonic_ms();
		struct pollfd fds[3] = { { c->signals, POLLIN, 0 },
					 { c->process.out, POLLIN, 0 },
					 { c->process.in, POLLOUT, 0 } };

		check_times(c, now);
		if (c->exited && (c->process.out < 0 || c->rest == 0))
			return ended(c);
		if (now >= until)
			return CHILD_LATE;
		if (c->process.in >= 0 && c->written == c->options.input.n)
			spawn_close_one(&c->process.in);
		fds[2].fd = c->process.in;
		ready = poll(fds, 3, milliseconds(earliest(c, until), now));
		/* Only an empty pipe has had its time. */
		if (ready == 0 && c->exited &&
		    clock_monotonic_ms() >= c->drain_at)
			return ended(c);
		if (ready <= 0)
			continue;
		if (fds[0].revents != 0)
			take_signal(c);
		if (fds[2].revents != 0 && c->process.in >= 0)
			give_input(c);
		if (fds[1].revents != 0 && c->process.out >= 0 &&
		    take_output(c, data))
			return CHILD_OUTPUT;
	}
}

int
child_exit_code(const struct child *c)
{
	return c->exited && WIFEXITED(c->status) ? WEXITSTATUS(c->status) : -1;
}

int
child_signal(const struct child *c)
{
	return c->exited && WIFSIGNALED(c->status) ? WTERMSIG(c->status) : 0;
}

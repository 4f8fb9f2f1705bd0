#include "mcp/serve.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "mcp/dispatch.h"

#define ENVELOPE ((size_t)65536)      /* what a message has around arguments */
#define WAITING_MAX ((size_t)8 << 20) /* output that nobody reads */
#define GRACE_MS 2000
#define LAST_MS 1000 /* for killed programs to be gone */
#define CHUNK 65536

enum { POLL_SIGNALS, POLL_INPUT, POLL_OUTPUT, POLL_TALK, POLL_FIXED };

/* The server and its descriptors. */
struct loop {
	struct server s;
	int signals;
	int signal;    /* that ends us, or 0 */
	bool children; /* some have ended */
	bool open;     /* there may be more input */
	bool ending;   /* no call is to be answered any more */
	int64_t until; /* when the next step of ending comes */
	struct fail *fail;
	struct str input; /* of chunk: lines that are still to be taken */
	char chunk[CHUNK];
};

/* ---- input and output -------------------------------------------------- */

static void
end_input(struct loop *l)
{
	l->open = false;
	l->until = l->s.now + GRACE_MS;
	dispatch_end_input(&l->s);
}

/* No answers any more: what runs is killed, and waited for a little. */
static void
end_calls(struct loop *l)
{
	l->ending = true;
	l->until = l->s.now + LAST_MS;
	server_end_calls(&l->s);
	outbox_clear(&l->s.outbox);
}

static void
read_input(struct loop *l)
{
	ssize_t n = read(STDIN_FILENO, l->chunk, sizeof(l->chunk));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n < 0)
		fail_environment(l->fail, "standard input: %s",
				 strerror(errno));
	if (n <= 0) {
		end_input(l);
		return;
	}
	l->input = (struct str){ l->chunk, (size_t)n };
}

/* Whether what was read may be answered; section 2.2. */
static bool
may_take(const struct loop *l)
{
	return l->open && l->s.outbox.waiting <= WAITING_MAX;
}

/* As far as answers that nobody reads yet do not fill the memory. */
static void
take_input(struct loop *l)
{
	while (may_take(l) && dispatch_take(&l->s, &l->input))
		;
}

static void
write_output(struct loop *l)
{
	if (outbox_write(&l->s.outbox, STDOUT_FILENO) == 0)
		return;
	/* After the end of input nobody may be there (section 2.1). */
	if (!l->open) {
		outbox_clear(&l->s.outbox);
		return;
	}
	fail_environment(l->fail, "standard output: %s", strerror(errno));
	l->open = false;
	end_calls(l);
}

/*
 * Signals come through a descriptor, so that the loop has one place to wait
 * and no handler interrupts it half-way.
 */
static void
read_signals(struct loop *l)
{
	struct signalfd_siginfo info;

	while (read(l->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			l->children = true;
		else
			l->signal = (int)info.ssi_signo;
	}
}

/* ---- the loop ---------------------------------------------------------- */

/* Until the next thing that happens by itself; -1 where there is none. */
static int
wait_ms(const struct loop *l, int64_t deadline)
{
	int64_t next = deadline;

	if (l->input.n > 0 && may_take(l))
		return 0;
	if (l->s.roots.open && l->s.roots.until < next)
		next = l->s.roots.until;
	if (!l->open && l->until < next)
		next = l->until;
	if (next == INT64_MAX)
		return -1;
	if (next <= l->s.now)
		return 0;
	return next - l->s.now > INT_MAX ? INT_MAX : (int)(next - l->s.now);
}

/* Waits until something can be done, and does all that can. */
static void
turn(struct loop *l)
{
	struct pollfd v[POLL_FIXED + 3 * CALLS_RUNNING_MAX];
	struct server *s = &l->s;
	bool reading = l->input.n == 0 && may_take(l);
	int64_t deadline = calls_watch(&s->calls, s->now);
	size_t n;

	v[POLL_SIGNALS] = (struct pollfd){ l->signals, POLLIN, 0 };
	v[POLL_INPUT] = (struct pollfd){ reading ? STDIN_FILENO : -1, POLLIN,
					 0 };
	v[POLL_OUTPUT] = (struct pollfd){
		outbox_is_empty(&s->outbox) ? -1 : STDOUT_FILENO, POLLOUT, 0
	};
	v[POLL_TALK] = (struct pollfd){
		s->talk.pending.len == 0 ? -1 : STDERR_FILENO, POLLOUT, 0
	};
	n = POLL_FIXED + calls_poll(&s->calls, v + POLL_FIXED);
	if (poll(v, n, wait_ms(l, deadline)) < 0)
		return;
	s->now = clock_monotonic_ms();
	if (v[POLL_SIGNALS].revents != 0)
		read_signals(l);
	if (reading && v[POLL_INPUT].revents != 0)
		read_input(l);
	if (l->children) {
		l->children = false;
		calls_reap(&s->calls, s->now);
	}
	calls_transfer(&s->calls, s->now);
	server_finish_calls(s);
}

/* Whether there is nothing left to do. */
static bool
is_done(const struct loop *l)
{
	if (l->signal != 0)
		return true;
	if (l->open)
		return false;
	if (l->s.calls.n == 0 && (l->ending || outbox_is_empty(&l->s.outbox)))
		return true;
	return l->ending && l->s.now >= l->until;
}

static void
run(struct loop *l)
{
	struct server *s = &l->s;

	s->now = clock_monotonic_ms();
	while (!is_done(l)) {
		take_input(l);
		if (s->roots.open && s->now >= s->roots.until)
			s->roots.open = false;
		if (!l->open && !l->ending && s->now >= l->until)
			end_calls(l);
		if (!l->ending) {
			calls_look(&s->calls, &s->facts, s->roots.open,
				   &s->talk, s->now);
			calls_start(&s->calls, &s->facts, s->roots.open,
				    s->now);
		}
		write_output(l);
		talk_flush(&s->talk);
		if (!is_done(l))
			turn(l);
	}
	talk_flush(&s->talk);
}

/* ---- start and end ----------------------------------------------------- */

/* Those that end us, and that of a child, come by a descriptor. */
static int
catch_signals(struct fail *fail)
{
	static const int ours[] = { SIGTERM, SIGINT, SIGHUP, SIGCHLD };
	struct sigaction plain = { .sa_handler = SIG_DFL };
	sigset_t set;
	int fd;

	(void)sigemptyset(&set);
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
		/* Whoever started us may have had them ignored. */
		(void)sigaction(ours[i], &plain, NULL);
		(void)sigaddset(&set, ours[i]);
	}
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (fd < 0)
		fail_environment(fail, "signals: %s", strerror(errno));
	return fd;
}

_Noreturn static void
end_by_signal(int signo)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, signo);
	(void)raise(signo);
	(void)sigprocmask(SIG_UNBLOCK, &set, NULL);
	_exit(128 + signo); /* not reached: it is pending */
}

static int
find_bin(const struct serve_args *args, struct buf *bin, struct fail *fail)
{
	struct buf here = BUF_INIT;
	int rc = 0;

	if (!args->bin_dir.given) {
		rc = catalogue_own_folder(bin, fail);
	} else if (path_working_directory(&here) != 0) {
		rc = fail_environment(fail, "working directory: %s",
				      strerror(errno));
	} else {
		path_resolve(bin, buf_str(&here), str_of(args->bin_dir.s));
	}
	buf_release(&here);
	return rc;
}

/*
 * Asks the programs; what is missing is left out, and said: but not of a family
 * that nobody named and nothing is installed of.
 */
static int
load(struct catalogue *c, const struct serve_args *args, struct talk *talk,
     struct fail *fail)
{
	const uint64_t chosen = args->families.given ? args->families.bits
						     : families_unasked;
	struct buf bin = BUF_INIT, line = BUF_INIT;
	uint64_t tools;
	int rc = -1;

	if (families_choose(chosen, args->tools.bits, &tools, fail) != 0 ||
	    find_bin(args, &bin, fail) != 0)
		goto out;
	catalogue_load(c, bin.data, tools);
	for (size_t i = 0; i < c->gaps; i++) {
		if (!families_named(args->families.bits, args->tools.bits,
				    c->gap[i].tool) &&
		    catalogue_lacks_family(c, c->gap[i].tool))
			continue;
		buf_reset(&line);
		buf_addf(&line, "%s; left out", c->gap[i].fail.message.data);
		talk_say(talk, NULL, buf_str(&line));
	}
	talk_flush(talk);
	rc = c->n > 0 ? 0
		      : fail_environment(fail, "no tool can be served from %s",
					 bin.data);
out:
	buf_release(&bin);
	buf_release(&line);
	return rc;
}

/* A line is as long as the largest arguments, and what is around them. */
static size_t
line_max(const struct catalogue *c)
{
	size_t max = 0, input, i;

	for (i = 0; i < c->n; i++) {
		input = families_facts[c->v[i].tool].input_max;
		max = input > max ? input : max;
	}
	return max + ENVELOPE;
}

int
serve_run(const struct tool_call *call, struct fail *fail)
{
	const struct serve_args *args = call->args;
	struct server_options options = {
		.surface = (enum tool_surface)args->surface.v,
		.timeout_s = args->timeout.v,
		.jobs = (size_t)args->jobs.v,
		.ask_roots = args->roots.v,
	};
	struct loop l = { .open = true, .fail = fail };
	struct catalogue c = { NULL, 0, NULL, 0 };
	struct talk talk = TALK_INIT;
	int rc = load(&c, args, &talk, fail);

	talk_release(&talk);
	if (rc == 0) {
		l.signals = catch_signals(fail);
		rc = l.signals < 0 ? -1 : 0;
	}
	if (rc == 0) {
		options.line_max = line_max(&c);
		server_init(&l.s, &c, &options, call->facts);
		run(&l);
		server_release(&l.s);
		(void)close(l.signals);
		rc = fail->kind == FAIL_NONE ? 0 : -1;
	}
	catalogue_release(&c);
	if (l.signal != 0)
		end_by_signal(l.signal);
	return rc;
}

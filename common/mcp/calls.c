#include "mcp/calls.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/xalloc.h"

#define KILL_AFTER_MS 500
#define LET_GO_AFTER_MS 200

/* How long after the first look a live session is looked for once more. */
static const int64_t later_looks[] = { 20, 100 };
#define LOOKS (sizeof(later_looks) / sizeof(*later_looks))

void
calls_init(struct calls *c, size_t jobs, int64_t timeout_ms, size_t message_max)
{
	*c = (struct calls){ .last = &c->first,
			     .bytes_max = message_max > CALLS_BYTES_MAX
						  ? message_max
						  : CALLS_BYTES_MAX,
			     .jobs = jobs,
			     .timeout_ms = timeout_ms };
}

bool
calls_have_room(const struct calls *c, size_t bytes)
{
	return c->n < CALLS_MAX && bytes <= c->bytes_max - c->bytes;
}

struct call *
calls_add(struct calls *c, const struct definition *tool, struct str arguments)
{
	struct call *call = xcalloc(1, sizeof(*call));

	call->tool = tool;
	call->child = (struct spawn)SPAWN_INIT;
	buf_init(&call->id, BUF_UNLIMITED);
	buf_init(&call->key, BUF_UNLIMITED);
	buf_init(&call->arguments, BUF_UNLIMITED);
	buf_add_str(&call->arguments, arguments);
	c->bytes += arguments.n;
	buf_init(&call->out, CALLS_OUTPUT_MAX);
	buf_init(&call->err, CALLS_TALK_MAX);
	*c->last = call;
	c->last = &call->next;
	c->n++;
	return call;
}

void
calls_remove(struct calls *c, struct call *call)
{
	struct call **at = &c->first;

	while (*at != call)
		at = &(*at)->next;
	*at = call->next;
	if (call->next == NULL)
		c->last = at;
	c->n--;
	c->running -= call->running;
	c->bytes -= call->arguments.len;
	spawn_close(&call->child);
	host_facts_release_call(&call->facts);
	buf_release(&call->id);
	buf_release(&call->key);
	buf_release(&call->arguments);
	buf_release(&call->out);
	buf_release(&call->err);
	free(call);
}

/* The program and all that it started: they share its group. */
static void
kill_and_reap(struct call *call)
{
	(void)kill(-call->child.pid, SIGKILL);
	while (waitpid(call->child.pid, &call->status, 0) < 0 && errno == EINTR)
		;
	call->reaped = true;
}

void
calls_release(struct calls *c)
{
	/* All at once, and then each is waited for. */
	for (struct call *call = c->first; call != NULL; call = call->next)
		if (call->running && !call->reaped)
			(void)kill(-call->child.pid, SIGKILL);
	while (c->first != NULL) {
		if (c->first->running && !c->first->reaped)
			kill_and_reap(c->first);
		calls_remove(c, c->first);
	}
}

struct call *
calls_find(const struct calls *c, struct str key)
{
	for (struct call *call = c->first; call != NULL; call = call->next)
		if (str_eq(buf_str(&call->key), key))
			return call;
	return NULL;
}

/* ---- starting ---------------------------------------------------------- */

/*
 * Gives the program its arguments, as far as its pipe takes them; with the last
 * byte, or when it does not want them, its stdin ends.
 */
static void
feed(struct call *call)
{
	ssize_t n;

	while (call->child.in >= 0 && call->fed < call->arguments.len) {
		n = write(call->child.in, call->arguments.data + call->fed,
			  call->arguments.len - call->fed);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n < 0)
			break; /* it does not want them */
		call->fed += (size_t)n;
	}
	spawn_close_one(&call->child.in);
}

/*
 * argv is the name alone, so that the program reads its arguments from stdin
 * and prints both surfaces (spec/hosts.md section 5.1).
 */
static void
start(struct calls *c, struct call *call, const struct host_facts *h,
      int64_t now)
{
	struct buf pool = BUF_INIT;
	char **environment = host_facts_environment(h, &call->facts, &pool);
	const char *argv[] = { call->tool->program, NULL };
	const struct spawn_command command = { .path = call->tool->path,
					       .argv = argv,
					       .environment = environment,
					       .in = SPAWN_PIPE };

	call->running = true;
	c->running++;
	call->deadline = now + c->timeout_ms;
	if (spawn_start(&call->child, &command) == 0) {
		feed(call);
	} else {
		/* As if it had been started, and could not be executed. */
		buf_addf(&call->err, "cannot be started: %s", strerror(errno));
		call->status = SPAWN_NOT_EXECUTED << 8;
		call->reaped = true;
		call->over_at = now;
	}
	free(environment);
	buf_release(&pool);
}

void
calls_start(struct calls *c, const struct host_facts *h, bool roots_open,
	    int64_t now)
{
	/*
	 * A writer waits for every writer before it, running or not: they are
	 * in order of arrival.  Readers pass all of them.
	 */
	bool sequential_ahead = false;
	bool ready;

	for (struct call *call = c->first; call != NULL && c->running < c->jobs;
	     call = call->next)
		if (call->running && call->tool->sequential)
			sequential_ahead = true;
	for (struct call *call = c->first; call != NULL && c->running < c->jobs;
	     call = call->next) {
		if (call->running)
			continue;
		ready = call->look_at == 0 &&
			!(roots_open && call->wants_roots) &&
			!(call->tool->sequential && sequential_ahead);
		sequential_ahead |= call->tool->sequential;
		if (ready)
			start(c, call, h, now);
	}
}

void
calls_look(struct calls *c, struct host_facts *h, bool roots_open,
	   struct talk *talk, int64_t now)
{
	for (struct call *call = c->first; call != NULL; call = call->next) {
		/* Where the directory is to be known, too. */
		call->looking = call->look_at != 0 &&
				!(roots_open && call->wants_roots);
		if (!call->looking || now < call->look_at)
			continue;
		if (call->looks++ == 0)
			call->looked_at = now;
		if (host_facts_find_live(
			    h, &call->facts,
			    str_of(families_tools[call->tool->tool]),
			    buf_str(&call->arguments), talk) ||
		    call->looks > LOOKS ||
		    !host_facts_may_find_later(h, &call->facts))
			call->look_at = 0;
		else
			call->look_at = call->looked_at +
					later_looks[call->looks - 1];
	}
}

/* ---- ending ------------------------------------------------------------ */

void
calls_end(struct call *call, enum call_end why, int64_t now)
{
	/* A cancelled call is not answered, whatever else happens to it. */
	if (call->end == END_NONE || why == END_CANCELLED)
		call->end = why;
	if (call->kill_at != 0 || call->reaped)
		return;
	(void)kill(-call->child.pid, SIGTERM);
	call->kill_at = now + KILL_AFTER_MS;
}

int64_t
calls_watch(struct calls *c, int64_t now)
{
	int64_t next = INT64_MAX, at;

	for (struct call *call = c->first; call != NULL; call = call->next) {
		if (call->looking && call->look_at != 0 && call->look_at < next)
			next = call->look_at;
		if (!call->running)
			continue;
		/*
		 * Once SIGKILL is out there is nothing left to wait for but
		 * the end.
		 */
		if (!call->reaped && call->kill_at == 0 &&
		    now >= call->deadline)
			calls_end(call, END_TIMEOUT, now);
		if (!call->reaped && call->kill_at != 0 &&
		    now >= call->kill_at) {
			(void)kill(-call->child.pid, SIGKILL);
			call->kill_at = INT64_MAX;
		}
		at = call->reaped	  ? call->over_at
		     : call->kill_at != 0 ? call->kill_at
					  : call->deadline;
		next = at < next ? at : next;
	}
	return next;
}

/* Its exit is seen without being collected first, see below. */
void
calls_reap(struct calls *c, int64_t now)
{
	siginfo_t info;

	for (struct call *call = c->first; call != NULL; call = call->next) {
		if (!call->running || call->reaped)
			continue;
		info.si_pid = 0;
		if (waitid(P_PID, (id_t)call->child.pid, &info,
			   WEXITED | WNOHANG | WNOWAIT) != 0 ||
		    info.si_pid == 0)
			continue;
		/* While it is a zombie its group cannot be another's. */
		if (call->end != END_NONE)
			(void)kill(-call->child.pid, SIGKILL);
		(void)waitpid(call->child.pid, &call->status, 0);
		call->reaped = true;
		call->over_at = now + LET_GO_AFTER_MS;
	}
}

/*
 * A call is over when its program is gone and its stdout has ended; something
 * it left behind may hold the pipe, but not for long.
 */
struct call *
calls_over(const struct calls *c, int64_t now)
{
	for (struct call *call = c->first; call != NULL; call = call->next)
		if (call->reaped &&
		    (call->child.out < 0 || now >= call->over_at)) {
			if (call->child.err >= 0)
				(void)spawn_drain(call->child.err, &call->err);
			return call;
		}
	return NULL;
}

/* ---- bytes ------------------------------------------------------------- */

size_t
calls_poll(const struct calls *c, struct pollfd *v)
{
	size_t n = 0;

	for (const struct call *call = c->first; call != NULL;
	     call = call->next) {
		if (call->child.in >= 0)
			v[n++] = (struct pollfd){ call->child.in, POLLOUT, 0 };
		if (call->child.out >= 0)
			v[n++] = (struct pollfd){ call->child.out, POLLIN, 0 };
		if (call->child.err >= 0)
			v[n++] = (struct pollfd){ call->child.err, POLLIN, 0 };
	}
	return n;
}

void
calls_transfer(struct calls *c, int64_t now)
{
	for (struct call *call = c->first; call != NULL; call = call->next) {
		if (!call->running)
			continue;
		if (call->child.in >= 0)
			feed(call);
		if (call->child.out >= 0 &&
		    spawn_drain(call->child.out, &call->out) != 0)
			spawn_close_one(&call->child.out);
		if (call->child.err >= 0 &&
		    spawn_drain(call->child.err, &call->err) != 0)
			spawn_close_one(&call->child.err);
		/* No result of ours is that large: it has gone wrong. */
		if (call->out.full)
			calls_end(call, END_TOO_MUCH, now);
	}
}

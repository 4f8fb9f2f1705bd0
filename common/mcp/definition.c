#include "mcp/definition.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json_check.h"
#include "base/json_span.h"
#include "base/spawn.h"

#define TEXT_MAX ((size_t)262144)
#define TALK_MAX ((size_t)8192)
#define DEPTH 64
#define PATIENCE_MS 5000 /* a program that hangs is left out */

void
definition_release(struct definition *d)
{
	free(d->path);
	free(d->text);
	*d = (struct definition){ .path = NULL };
}

static void
find_program(struct definition *d, const char *bin)
{
	struct buf path = BUF_INIT;
	const char *p;

	buf_addf(&path, "%s/", bin);
	for (p = families_tools[d->tool]; *p != '\0'; p++)
		buf_addc(&path, *p == '_' ? '-' : *p);
	d->path = buf_detach(&path);
	d->program = strrchr(d->path, '/') + 1;
}

/* Reads stdout to its end: 0, or -1 when it takes too long. */
static int
await_end(const struct spawn *s, struct buf *out, int64_t until)
{
	int64_t left;
	struct pollfd p = { s->out, POLLIN, 0 };

	for (;;) {
		left = until - clock_monotonic_ms();
		if (left <= 0 || out->full)
			return -1;
		(void)poll(&p, 1, (int)left);
		if (spawn_drain(s->out, out) != 0)
			return 0;
	}
}

/* A program may close its stdout and stay: 0 when it is over in time, or -1. */
static int
await_exit(pid_t pid, int64_t until)
{
	int64_t left = until - clock_monotonic_ms();
	struct pollfd p = { (int)syscall(SYS_pidfd_open, pid, 0), POLLIN, 0 };
	int n;

	if (p.fd < 0)
		return 0;
	do
		n = poll(&p, 1, left > 0 ? (int)left : 0);
	while (n < 0 && errno == EINTR);
	(void)close(p.fd);
	return n > 0 ? 0 : -1;
}

/* Runs the program: its exit status, or -1 when it was no exit. */
static int
run(const struct definition *d, struct buf *out, struct buf *err)
{
	const char *argv[] = { d->program, "--schema", NULL };
	const struct spawn_command command = { .path = d->path,
					       .argv = argv,
					       .environment = environ,
					       .in = SPAWN_PIPE };
	struct spawn s = SPAWN_INIT;
	int64_t until = clock_monotonic_ms() + PATIENCE_MS;
	int status = 0, rc;

	if (spawn_start(&s, &command) != 0)
		return -1;
	spawn_close_one(&s.in);
	rc = await_end(&s, out, until);
	if (rc == 0)
		rc = await_exit(s.pid, until);
	if (rc != 0)
		(void)kill(-s.pid, SIGKILL);
	while (waitpid(s.pid, &status, 0) < 0 && errno == EINTR)
		;
	(void)spawn_drain(s.err, err);
	spawn_close(&s);
	return rc == 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* NULL, or what is wrong with the definition. */
static const char *
take_apart(struct definition *d)
{
	static const char *const names[] = { "name",	     "title",
					     "description",  "inputSchema",
					     "outputSchema", "executionMode",
					     "annotations" };
	struct str text = str_of(d->text), value[7];
	size_t i;

	if (json_check(text, DEPTH, 0, NULL) != 0 ||
	    json_kind(json_value(text)) != JSON_OBJECT)
		return "it is not one JSON object";
	json_get_many(json_value(text), names, value, 7);
	for (i = 0; i < 7; i++)
		if (json_kind(value[i]) !=
		    (i < 3 || i == 5 ? JSON_STRING : JSON_OBJECT))
			return "a member is missing, or of a wrong type";
	d->name = value[0];
	d->title = value[1];
	d->description = value[2];
	d->input_schema = value[3];
	d->output_schema = value[4];
	d->mode = value[5];
	d->annotations = value[6];
	d->sequential = json_string_is(d->mode, "sequential");
	if (!json_string_is(d->name, families_tools[d->tool]))
		return "it is of another tool";
	if (!d->sequential && !json_string_is(d->mode, "parallel"))
		return "its executionMode is unknown";
	return NULL;
}

int
definition_ask(struct definition *d, const char *bin, size_t tool, bool *absent,
	       struct fail *fail)
{
	struct buf out = BUF_INIT, err = BUF_INIT;
	const char *fault;
	int status;

	*d = (struct definition){ .tool = tool };
	find_program(d, bin);
	*absent = access(d->path, F_OK) != 0;
	if (*absent) {
		fail_environment(fail, "%s: not installed in %s", d->program,
				 bin);
		goto failed;
	}
	out.max = TEXT_MAX;
	err.max = TALK_MAX;
	status = run(d, &out, &err);
	err.data[strcspn(err.data, "\n")] = '\0';
	if (status != 0) {
		fail_environment(fail, "%s: cannot be asked for its schema%s%s",
				 d->program, err.len > 0 ? ": " : "", err.data);
		goto failed;
	}
	d->text = buf_detach(&out);
	fault = take_apart(d);
	if (fault != NULL) {
		fail_environment(fail, "%s: its schema is no good: %s",
				 d->program, fault);
		goto failed;
	}
	buf_release(&err);
	return 0;
failed:
	buf_release(&out);
	buf_release(&err);
	definition_release(d);
	return -1;
}

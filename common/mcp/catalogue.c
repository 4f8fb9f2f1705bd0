#include "mcp/catalogue.h"

#include <errno.h>
#include <limits.h>
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
#include "base/path.h"
#include "base/spawn.h"
#include "base/xalloc.h"

#define TEXT_MAX ((size_t)262144)
#define TALK_MAX ((size_t)8192)
#define DEPTH 64
#define PATIENCE_MS 5000 /* a program that hangs is left out */

const char *const catalogue_surfaces[] = { "both", "text", "json", NULL };

/* ---- asking the programs ----------------------------------------------- */

/* A program that is asked for its schema. */
struct question {
	struct definition d;
	bool absent;
	struct spawn child;
	struct buf out, err;
	int end;    /* a pidfd once its stdout has ended, else -1 */
	int status; /* its exit status; -1 when there is none */
};

static void
release_definition(struct definition *d)
{
	free(d->path);
	free(d->text);
	*d = (struct definition){ .path = NULL };
}

/* Starts the program; one that cannot be started has no exit status. */
static void
ask(struct question *q, const char *bin, size_t tool)
{
	const char *argv[] = { NULL, "--schema", NULL };
	struct spawn_command command = { .argv = argv,
					 .environment = environ,
					 .in = SPAWN_PIPE };
	struct buf path = BUF_INIT;

	*q = (struct question){
		.d.tool = tool, .child = SPAWN_INIT, .end = -1, .status = -1
	};
	/* A program that is not ours must not fill the memory. */
	buf_init(&q->out, TEXT_MAX);
	buf_init(&q->err, TALK_MAX);
	buf_addf(&path, "%s/", bin);
	for (const char *p = families_tools[tool]; *p != '\0'; p++)
		buf_addc(&path, *p == '_' ? '-' : *p);
	q->d.path = buf_detach(&path);
	q->d.program = strrchr(q->d.path, '/') + 1;
	q->absent = access(q->d.path, F_OK) != 0;
	if (q->absent)
		return;
	argv[0] = q->d.program;
	command.path = q->d.path;
	if (spawn_start(&q->child, &command) == 0)
		spawn_close_one(&q->child.in);
}

/* It is over, by itself or now. */
static void
collect(struct question *q, bool kill_it)
{
	int status = 0;

	if (kill_it)
		(void)kill(-q->child.pid, SIGKILL);
	while (waitpid(q->child.pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!kill_it && WIFEXITED(status))
		q->status = WEXITSTATUS(status);
	(void)spawn_drain(q->child.err, &q->err);
	spawn_close(&q->child);
	spawn_close_one(&q->end);
	q->child.pid = 0;
}

/* Something can be read, or it has ended. */
static void
advance(struct question *q)
{
	if (q->end >= 0) {
		collect(q, false);
		return;
	}
	if (spawn_drain(q->child.out, &q->out) == 0) {
		/* No definition is that long. */
		if (q->out.full)
			collect(q, true);
		return;
	}
	/* It may close its stdout and stay: the end of it is waited for. */
	spawn_close_one(&q->child.out);
	q->end = (int)syscall(SYS_pidfd_open, q->child.pid, 0);
	if (q->end < 0)
		collect(q, false);
}

/* Until each has answered, or has taken too long. */
static void
await_all(struct question *q, size_t n)
{
	const int64_t until = clock_monotonic_ms() + PATIENCE_MS;
	struct pollfd ready[FAMILIES_TOOLS_MAX];
	size_t which[FAMILIES_TOOLS_MAX], open;
	int64_t left;

	for (;;) {
		open = 0;
		for (size_t i = 0; i < n; i++) {
			if (q[i].child.pid == 0)
				continue;
			ready[open] = (struct pollfd){ q[i].end >= 0
							       ? q[i].end
							       : q[i].child.out,
						       POLLIN, 0 };
			which[open++] = i;
		}
		left = until - clock_monotonic_ms();
		if (open == 0 || left <= 0)
			break;
		if (poll(ready, open, (int)left) <= 0)
			continue;
		for (size_t i = 0; i < open; i++)
			if (ready[i].revents != 0)
				advance(&q[which[i]]);
	}
	/* One that hangs costs its own tool, and not the server's start. */
	for (size_t i = 0; i < open; i++)
		collect(&q[which[i]], true);
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

	if (json_check(text, DEPTH, 0, NULL) != 0 ||
	    json_kind(json_value(text)) != JSON_OBJECT)
		return "it is not one JSON object";
	json_get_many(json_value(text), names, value, 7);
	for (size_t i = 0; i < 7; i++)
		if (json_kind(value[i]) !=
		    (i < 3 || i == 5 ? JSON_STRING : JSON_OBJECT))
			return "a member is missing, or of a wrong type";
	/* Spans of the text, which goes to clients byte for byte as it came. */
	d->name = value[0];
	d->title = value[1];
	d->description = value[2];
	d->input_schema = value[3];
	d->output_schema = value[4];
	d->mode = value[5];
	d->annotations = value[6];
	d->sequential = json_string_is(d->mode, "sequential");
	/* A link or an old file in its place would run something else. */
	if (!json_string_is(d->name, families_tools[d->tool]))
		return "it is of another tool";
	if (!d->sequential && !json_string_is(d->mode, "parallel"))
		return "its executionMode is unknown";
	return NULL;
}

/* What became of a question: its definition in q->d, or why there is none. */
static int
judge(struct question *q, const char *bin, struct fail *fail)
{
	const char *fault;

	if (q->absent)
		return fail_environment(fail, "%s: not installed in %s",
					q->d.program, bin);
	q->err.data[strcspn(q->err.data, "\n")] = '\0';
	if (q->status != 0)
		return fail_environment(
			fail, "%s: cannot be asked for its schema%s%s",
			q->d.program, q->err.len > 0 ? ": " : "", q->err.data);
	q->d.text = buf_detach(&q->out);
	fault = take_apart(&q->d);
	if (fault != NULL)
		return fail_environment(fail, "%s: its schema is invalid: %s",
					q->d.program, fault);
	return 0;
}

void
catalogue_load(struct catalogue *c, const char *bin, uint64_t tools)
{
	struct question *q = xcalloc(FAMILIES_TOOLS_MAX, sizeof(*q));
	size_t n = 0, i;

	*c = (struct catalogue){ NULL, 0, NULL, 0 };
	c->v = xcalloc(FAMILIES_TOOLS_MAX, sizeof(*c->v));
	c->gap = xcalloc(FAMILIES_TOOLS_MAX, sizeof(*c->gap));
	/* All are started before any is waited for: some sixty small programs. */
	for (i = 0; families_tools[i] != NULL; i++)
		if ((tools & UINT64_C(1) << i) != 0)
			ask(&q[n++], bin, i);
	await_all(q, n);
	for (i = 0; i < n; i++) {
		struct catalogue_gap gap = { q[i].d.tool, q[i].absent,
					     FAIL_INIT };

		if (judge(&q[i], bin, &gap.fail) == 0) {
			c->v[c->n++] = q[i].d;
		} else {
			c->gap[c->gaps++] = gap;
			release_definition(&q[i].d);
		}
		buf_release(&q[i].out);
		buf_release(&q[i].err);
	}
	free(q);
}

void
catalogue_release(struct catalogue *c)
{
	for (size_t i = 0; i < c->n; i++)
		release_definition(&c->v[i]);
	for (size_t i = 0; i < c->gaps; i++)
		fail_release(&c->gap[i].fail);
	free(c->v);
	free(c->gap);
	*c = (struct catalogue){ NULL, 0, NULL, 0 };
}

/* ---- what there is ----------------------------------------------------- */

const struct definition *
catalogue_find(const struct catalogue *c, struct str name)
{
	for (size_t i = 0; i < c->n; i++)
		if (str_is(name, families_tools[c->v[i].tool]))
			return &c->v[i];
	return NULL;
}

uint64_t
catalogue_tools(const struct catalogue *c)
{
	uint64_t tools = 0;

	for (size_t i = 0; i < c->n; i++)
		tools |= UINT64_C(1) << c->v[i].tool;
	return tools;
}

/* One that is there but does not say what it is counts as installed. */
bool
catalogue_lacks_family(const struct catalogue *c, size_t tool)
{
	const size_t family = families_facts[tool].family;

	for (size_t i = 0; i < c->n; i++)
		if (families_facts[c->v[i].tool].family == family)
			return false;
	for (size_t i = 0; i < c->gaps; i++)
		if (families_facts[c->gap[i].tool].family == family &&
		    !c->gap[i].absent)
			return false;
	return true;
}

/*
 * The programs beside this one, whatever PATH says: a host may start us by a
 * full path and with a PATH of its own.
 */
int
catalogue_own_folder(struct buf *out, struct fail *fail)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path));

	if (n <= 0 || (size_t)n == sizeof(path))
		return fail_environment(fail, "/proc/self/exe: %s",
					n < 0 ? strerror(errno) : "too long");
	buf_add_str(out, path_parent((struct str){ path, (size_t)n }));
	return 0;
}

/* ---- the list of a client ---------------------------------------------- */

static void
member_raw(struct json_writer *w, const char *key, struct str value)
{
	json_key(w, key);
	json_raw(w, value);
}

/*
 * The success schema widened to a refusal: some clients check what a refusal
 * carries as well (section 1).
 */
static void
write_output_schema(struct json_writer *w, struct str success)
{
	json_key(w, "outputSchema");
	json_open_object(w);
	json_member_string(w, "type", STR("object"));
	json_key(w, "anyOf");
	json_open_array(w);
	json_raw(w, success);
	json_raw(w, STR("{\"type\":\"object\",\"properties\":{\"error\":"
			"{\"type\":\"string\"},\"code\":{\"type\":\"string\"}},"
			"\"required\":[\"error\",\"code\"],"
			"\"additionalProperties\":false}"));
	json_close_array(w);
	json_close_object(w);
}

void
catalogue_write(struct json_writer *w, const struct catalogue *c,
		enum version version, enum tool_surface surface)
{
	/* A client gets the members that its revision of the protocol has. */
	const bool structured = version >= VERSION_2025_06_18;

	json_open_array(w);
	for (size_t i = 0; i < c->n; i++) {
		const struct definition *d = &c->v[i];

		json_open_object(w);
		member_raw(w, "name", d->name);
		if (structured)
			member_raw(w, "title", d->title);
		member_raw(w, "description", d->description);
		member_raw(w, "inputSchema", d->input_schema);
		if (structured && surface != TOOL_SURFACE_TEXT)
			write_output_schema(w, d->output_schema);
		if (version >= VERSION_2025_03_26)
			member_raw(w, "annotations", d->annotations);
		json_close_object(w);
	}
	json_close_array(w);
}

#include "output/output_run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/json_write.h"
#include "base/xalloc.h"
#include "output/capture.h"
#include "output/child.h"
#include "output/ndjson.h"
#include "output/place.h"
#include "output/publisher.h"
#include "output/state.h"
#include "output/surface.h"
#include "text/sanitize.h"
#include "tool/result.h"

const char *const output_run_reasons[] = { "exit",    "signal", "timeout",
					   "aborted", "spill",	NULL };

enum form { FORM_RESULT, FORM_STREAM, FORM_PERSON };

/* A run that is under way. */
struct run {
	const struct tool_call *call;
	const struct output_run_args *args;
	enum form form;
	bool live; /* a person watches */
	const char **argv;
	struct buf strings; /* of the environment that is not ours */
	char **environment;
	struct buf cwd, spill_dir, id;
	struct child child;
	struct capture capture;
	struct fail spill_fault;
	struct journal journal;
	bool has_journal, publishes;
	struct publisher publisher;
	struct value *state;
	struct utf8_stream child_text; /* live, as the next two */
	struct sanitizer shown;
	char last[3]; /* characters that were shown */
	int64_t started;
	int spawn_error;
};

/* ---- what is to be run ------------------------------------------------- */

static int
take_argv(struct run *r, struct fail *fail)
{
	const struct arg_list *list = &r->args->argv;
	const char *const *command = r->call->command;
	size_t n = 0, i;

	if (command != NULL)
		while (command[n] != NULL)
			n++;
	else
		n = list->n;
	r->argv = xcalloc(n + 1, sizeof(char *));
	for (i = 0; i < n; i++)
		r->argv[i] = command != NULL ? command[i] : list->v[i].s;
	if (r->argv[0] == NULL || r->argv[0][0] == '\0')
		return fail_invalid(fail, "argv: an empty first word given; "
					  "legal: a command");
	return 0;
}

static const struct arg_pair *
given(const struct run *r, struct str name)
{
	size_t i;

	for (i = 0; i < r->args->env.n; i++)
		if (str_eq(r->args->env.v[i].key, name))
			return &r->args->env.v[i];
	return NULL;
}

/* Ours, without what is given; then what is given and not null. */
static int
take_environment(struct run *r, struct fail *fail)
{
	const struct arg_map *env = &r->args->env;
	size_t n = 0, ours = 0, i;

	for (i = 0; i < env->n; i++)
		if (env->v[i].key.n == 0 ||
		    memchr(env->v[i].key.s, '=', env->v[i].key.n) != NULL)
			return fail_invalid(fail,
					    "env: a name that is empty or has "
					    "a \"=\" given; legal: names "
					    "without");
	while (environ[ours] != NULL)
		ours++;
	r->environment = xcalloc(ours + env->n + 1, sizeof(char *));
	for (i = 0; i < ours; i++) {
		size_t length = strcspn(environ[i], "=");

		if (given(r, (struct str){ environ[i], length }) == NULL)
			r->environment[n++] = environ[i];
	}
	for (i = 0; i < env->n; i++) {
		const struct arg_pair *pair = &env->v[i];
		struct buf text = BUF_INIT;

		if (pair->value.s == NULL)
			continue;
		buf_add_str(&text, pair->key);
		buf_addc(&text, '=');
		buf_add_str(&text, pair->value);
		r->environment[n++] = buf_detach(&text);
	}
	return 0;
}

/* The strings that take_environment() has made come last. */
static void
free_environment(struct run *r)
{
	size_t i, k;

	for (i = 0; r->environment != NULL && r->environment[i] != NULL; i++) {
		for (k = 0; environ[k] != NULL; k++)
			if (environ[k] == r->environment[i])
				break;
		if (environ[k] == NULL)
			free(r->environment[i]);
	}
	free(r->environment);
}

static int
take_cwd(struct run *r, struct fail *fail)
{
	const char *path = r->args->cwd.given ? r->args->cwd.s : ".";
	struct buf quoted = BUF_INIT;
	struct stat st;
	int rc = place_resolve(&r->cwd, r->call->facts, path, fail);

	if (rc != 0)
		return rc;
	fail_quote(&quoted, buf_str(&r->cwd));
	if (stat(r->cwd.data, &st) != 0)
		rc = fail_refuse(fail, "not_found",
				 "cwd: there is no directory %s", quoted.data);
	else if (!S_ISDIR(st.st_mode))
		rc = fail_refuse(fail, "not_file", "cwd: %s is no directory",
				 quoted.data);
	buf_release(&quoted);
	return rc;
}

/* ---- beginning --------------------------------------------------------- */

static int
begin_capture(struct run *r, struct fail *fail)
{
	const struct output_run_args *args = r->args;
	struct capture_options options = {
		.retain = args->head.v ? TRUNCATE_HEAD
				       : (enum truncate_retain)args->retain.v,
		.max_bytes = (size_t)args->max_bytes.v,
		.max_lines = (size_t)args->max_lines.v,
		.sanitize = args->sanitize.v,
		.spill = (enum spill_when)args->spill.v,
		.spill_kind = "run",
	};
	int rc = args->spill_dir.given
			 ? place_resolve(&r->spill_dir, r->call->facts,
					 args->spill_dir.s, fail)
			 : place_spill(&r->spill_dir, r->call->facts, fail);

	options.spill_dir = buf_str(&r->spill_dir);
	capture_init(&r->capture, &options);
	if (rc == 0 && options.spill == SPILL_ALWAYS)
		rc = spill_open(&r->capture.spill, fail);
	return rc;
}

/* Whether the journal can be written to; nothing is yet. */
static int
begin_journal(struct run *r, struct fail *fail)
{
	struct journal_options options = {
		.id = r->id.data,
		.kind = "tool_output",
		.fsync = (enum journal_fsync)r->args->fsync.v,
		.lock_ms = JOURNAL_LOCK_MS,
		.verbs = OP_VERBS,
	};
	int rc;

	if (!r->args->journal.given)
		return 0;
	r->has_journal = true;
	rc = journal_init(&r->journal, r->call->facts, r->args->journal.s,
			  &options, fail);
	if (rc == 0)
		rc = journal_lock(&r->journal, JOURNAL_CREATE, fail);
	if (rc == 0)
		rc = journal_open_end(&r->journal, fail);
	journal_unlock(&r->journal);
	return rc;
}

static int
put_line(void *ctx, struct buf *line, struct fail *fail)
{
	(void)ctx;
	return ndjson_put(line, fail);
}

static void
begin_publisher(struct run *r)
{
	const struct output_run_args *args = r->args;
	struct truncation t;
	struct buf shown = BUF_INIT;

	r->publishes = r->form == FORM_STREAM || r->has_journal;
	publisher_init(&r->publisher, args->min_ms.v, args->bytes_per_s.v,
		       OP_VERBS);
	r->publisher.rebase_every = (uint64_t)args->rebase_every.v;
	r->publisher.journal = r->has_journal ? &r->journal : NULL;
	r->publisher.put = r->form == FORM_STREAM ? put_line : NULL;
	capture_view(&r->capture, &shown, &t);
	r->state = state_new(&t);
	state_set_account(&r->state, &t, buf_str(&r->capture.spill.path));
	buf_release(&shown);
}

static int
start(struct run *r, struct fail *fail)
{
	struct child_options options = {
		.argv = r->argv,
		.environment = r->environment,
		.cwd = r->cwd.data,
		.input = { r->args->input.s, r->args->input.n },
		.in = SPAWN_PIPE,
		.timeout_ms = r->args->timeout_ms.v,
		.grace_ms = r->args->grace_ms.v,
	};
	struct buf quoted = BUF_INIT;
	bool ours = r->call->command != NULL && !r->args->input.given &&
		    !isatty(STDIN_FILENO);
	int null = -1, rc;

	if (!r->args->input.given)
		options.in =
			ours ? STDIN_FILENO
			     : (null = open("/dev/null", O_RDONLY | O_CLOEXEC));
	r->started = clock_monotonic_ms();
	rc = child_start(&r->child, &options);
	r->spawn_error = rc != 0 ? errno : 0;
	if (null >= 0)
		close(null);
	if (rc != 0) {
		fail_quote(&quoted, str_of(r->argv[0]));
		rc = fail_refuse(fail, "spawn_failed", "%s: %s", quoted.data,
				 strerror(r->spawn_error));
		buf_release(&quoted);
	}
	return rc;
}

/* All up to the running child.  0, or -1 with nothing left to run. */
static int
begin(struct run *r, const struct tool_call *call, enum form form,
      struct fail *fail)
{
	const struct output_run_args *args = call->args;

	*r = (struct run){ .call = call,
			   .args = args,
			   .form = form,
			   .strings = BUF_INIT,
			   .cwd = BUF_INIT,
			   .spill_dir = BUF_INIT,
			   .id = BUF_INIT,
			   .spill_fault = FAIL_INIT };
	r->child.signals = -1;
	r->child.process = (struct spawn)SPAWN_INIT;
	buf_init(&r->child.block, BUF_UNLIMITED);
	if (args->id.given)
		buf_adds(&r->id, args->id.s);
	else
		buf_addf(&r->id, "run-%ld", (long)getpid());
	if (args->head.v && args->retain.given &&
	    args->retain.v == TRUNCATE_TAIL)
		return fail_invalid(fail, "head: given with retain tail; "
					  "legal: one of them");
	if (take_argv(r, fail) != 0 || take_environment(r, fail) != 0 ||
	    take_cwd(r, fail) != 0 || begin_capture(r, fail) != 0 ||
	    begin_journal(r, fail) != 0)
		return -1;
	begin_publisher(r);
	return start(r, fail);
}

static void
end(struct run *r)
{
	child_release(&r->child);
	capture_release(&r->capture);
	if (r->has_journal)
		journal_release(&r->journal);
	publisher_release(&r->publisher);
	value_free(r->state);
	free_environment(r);
	free(r->argv);
	buf_release(&r->strings);
	buf_release(&r->cwd);
	buf_release(&r->spill_dir);
	buf_release(&r->id);
	fail_release(&r->spill_fault);
}

/* ---- running ----------------------------------------------------------- */

static int
flush(struct run *r, enum publish_as as, struct fail *fail)
{
	struct buf shown = BUF_INIT;
	struct truncation t;
	int rc;

	capture_view(&r->capture, &shown, &t);
	state_set_text(&r->state, buf_str(&shown));
	state_set_account(&r->state, &t, buf_str(&r->capture.spill.path));
	rc = publisher_flush(&r->publisher, r->state, clock_monotonic_ms(), as,
			     fail);
	buf_release(&shown);
	return rc;
}

/* What a person sees at once: all of it, sanitised and escaped. */
static int
show(struct run *r, struct str text, struct fail *fail)
{
	struct buf clean = BUF_INIT, out = BUF_INIT;
	size_t n;
	int rc;

	sanitize_add(&r->shown, text, &clean);
	surface_text(&out, buf_str(&clean));
	n = out.len;
	if (n > 1)
		r->last[0] = out.data[n - 2];
	else if (n == 1)
		r->last[0] = r->last[1];
	if (n > 0)
		r->last[1] = out.data[n - 1];
	rc = io_write_all(STDOUT_FILENO, out.data, n);
	buf_release(&clean);
	buf_release(&out);
	if (rc != 0)
		return fail_environment(fail, "standard output: %s",
					strerror(errno));
	return 0;
}

/* Bytes of the child, or the end of them. */
static int
take(struct run *r, struct str data, bool ended, struct fail *fail)
{
	struct capture *c = &r->capture;
	bool spilling = c->spill.fd >= 0;
	int rc;

	if (r->spill_fault.kind == FAIL_NONE &&
	    (ended ? capture_end(c, &r->spill_fault)
		   : capture_add(c, data, &r->spill_fault)) != 0) {
		/* No success without all of it. */
		spill_close(&c->spill);
		c->spill.when = SPILL_NEVER;
		child_kill(&r->child, CHILD_SPILL);
	} else if (r->spill_fault.kind != FAIL_NONE && !ended) {
		(void)capture_add(c, data, fail);
	}
	if (r->live) {
		buf_reset(&c->decoded);
		utf8_stream_add(&r->child_text, data.s, data.n, &c->decoded);
		if (ended)
			utf8_stream_end(&r->child_text, &c->decoded);
		if (show(r, buf_str(&c->decoded), fail) != 0)
			return -1;
	}
	if (!r->publishes || ended)
		return 0;
	/* Where the whole of it lies is worth telling at once. */
	if (!spilling && c->spill.fd >= 0)
		return flush(r, PUBLISH_CHANGE, fail);
	rc = pace_change(&r->publisher.pace, clock_monotonic_ms());
	return rc ? flush(r, PUBLISH_CHANGE, fail) : 0;
}

/* Until the child is done.  -1: a line could not be written. */
static int
follow(struct run *r, struct fail *fail)
{
	struct str data;
	int rc = 0;

	while (rc == 0) {
		int64_t until = r->publisher.pace.deadline == PACE_NONE
					? CHILD_NEVER
					: r->publisher.pace.deadline;

		switch (child_next(&r->child, until, &data)) {
		case CHILD_OUTPUT:
			rc = take(r, data, false, fail);
			break;
		case CHILD_LATE:
			rc = flush(r, PUBLISH_CHANGE, fail);
			break;
		case CHILD_DONE:
			return take(r, STR(""), true, fail);
		}
	}
	/* Nobody listens, or nothing is durable: it is of no use. */
	child_kill(&r->child, CHILD_ABORTED);
	return -1;
}

/* ---- what has become of it --------------------------------------------- */

static void
add_seconds(struct buf *out, int64_t ms)
{
	size_t n;

	buf_addf(out, "%" PRId64, ms / 1000);
	if (ms % 1000 == 0)
		return;
	buf_addf(out, ".%03" PRId64, ms % 1000);
	for (n = out->len; out->data[n - 1] == '0'; n--)
		;
	buf_truncate(out, n);
}

static void
add_status(struct buf *out, const struct run *r,
	   const struct output_run_result *result)
{
	const struct buf *fault = &r->spill_fault.message;

	switch (result->reason) {
	case CHILD_EXIT:
		buf_addf(out, "Command exited with code %" PRId64,
			 result->exit_code);
		break;
	case CHILD_SIGNAL:
		buf_addf(out, "Command was killed by signal %s",
			 result->signal);
		break;
	case CHILD_TIMEOUT:
		buf_adds(out, "Command timed out after ");
		add_seconds(out, r->args->timeout_ms.v);
		buf_adds(out, " seconds");
		break;
	case CHILD_ABORTED:
		buf_adds(out, "Command aborted");
		break;
	default:
		buf_addf(out,
			 "Command stopped: the output file could not be "
			 "written: %s",
			 fault->data);
	}
}

static void
make_note(struct run *r, struct output_run_result *result)
{
	struct buf part = BUF_INIT;

	if (result->truncation.truncated) {
		truncate_footer(&part, r->capture.window.retain, false,
				&result->truncation,
				buf_str(&r->capture.spill.path));
		truncate_join(&result->note, buf_str(&part));
	}
	if (result->is_error) {
		buf_reset(&part);
		add_status(&part, r, result);
		truncate_join(&result->note, buf_str(&part));
	}
	if (result->pipe_held)
		truncate_join(&result->note,
			      STR("A background process still holds the output "
				  "pipe; what it writes from now on is not "
				  "kept"));
	buf_release(&part);
}

static void
result_init(struct output_run_result *result)
{
	buf_init(&result->text, BUF_UNLIMITED);
	buf_init(&result->note, BUF_UNLIMITED);
	buf_init(&result->spill_path, BUF_UNLIMITED);
	buf_init(&result->signal_name, BUF_UNLIMITED);
}

static void
conclude(struct run *r, struct output_run_result *result)
{
	const struct child *c = &r->child;
	int code = child_exit_code(c), number = child_signal(c);
	const char *name = number > 0 ? sigabbrev_np(number) : NULL;

	capture_view(&r->capture, &result->text, &result->truncation);
	buf_add_str(&result->spill_path, buf_str(&r->capture.spill.path));
	result->exit_code = code < 0 ? FIELD_NONE : code;
	if (number > 0) {
		if (name != NULL)
			buf_adds(&result->signal_name, name);
		else
			buf_addf(&result->signal_name, "%d", number);
		result->signal = result->signal_name.data;
	}
	result->reason = (int)c->reason;
	result->pipe_held = c->held;
	result->is_error = c->reason != CHILD_EXIT || code != 0;
	result->last_line_bytes = result->truncation.last_line_partial
					  ? result->truncation.last_line_bytes
					  : FIELD_NONE;
	result->raw_bytes = (int64_t)r->capture.raw;
	result->duration_ms = clock_monotonic_ms() - r->started;
	make_note(r, result);
	result->text_json = buf_str(&result->text);
	if (result->note.len > 0)
		result->note_json = buf_str(&result->note);
	if (result->spill_path.len > 0)
		result->spill_json = buf_str(&result->spill_path);
}

/* The last of it, with its notes, is published and settled. */
static int
publish_end(struct run *r, const struct output_run_result *result,
	    struct fail *fail)
{
	struct buf text = BUF_INIT;
	int rc;

	if (!r->publishes)
		return 0;
	buf_add_str(&text, buf_str(&result->text));
	if (result->note.len > 0)
		truncate_join(&text, buf_str(&result->note));
	state_set_text(&r->state, buf_str(&text));
	state_set_account(&r->state, &result->truncation,
			  buf_str(&result->spill_path));
	rc = publisher_flush(&r->publisher, r->state, clock_monotonic_ms(),
			     PUBLISH_CHANGE, fail);
	if (rc == 0)
		rc = publisher_settle(&r->publisher, result->is_error, fail);
	buf_release(&text);
	return rc;
}

/* Begins, follows, concludes. */
static int
run_all(struct run *r, struct output_run_result *result, struct fail *fail)
{
	int rc = 0;

	if (r->publishes)
		rc = flush(r, PUBLISH_BASE, fail);
	if (rc == 0)
		rc = follow(r, fail);
	else
		child_kill(&r->child, CHILD_ABORTED);
	if (rc != 0) {
		/* A journal that refuses is as one that cannot be written. */
		if (fail->kind == FAIL_REFUSED)
			fail->kind = FAIL_ENVIRONMENT;
		return -1;
	}
	conclude(r, result);
	rc = publish_end(r, result, fail);
	if (rc != 0 && fail->kind == FAIL_REFUSED)
		fail->kind = FAIL_ENVIRONMENT;
	return rc;
}

/* ---- one call ---------------------------------------------------------- */

int
output_run_run(const struct tool_call *call, void *result, struct fail *fail)
{
	struct run r;
	int rc;

	result_init(result);
	rc = begin(&r, call, FORM_RESULT, fail);
	if (rc == 0)
		rc = run_all(&r, result, fail);
	end(&r);
	return rc;
}

static void
whole_text(const struct output_run_result *r, struct buf *out)
{
	if (r->text.len == 0 && !r->truncation.truncated)
		buf_adds(out, "(no output)");
	else
		buf_add_str(out, buf_str(&r->text));
	if (r->note.len > 0)
		truncate_join(out, buf_str(&r->note));
}

void
output_run_text(const void *result, struct buf *out)
{
	struct buf text = BUF_INIT;

	whole_text(result, &text);
	surface_text(out, buf_str(&text));
	buf_release(&text);
}

void
output_run_release(void *result)
{
	struct output_run_result *r = result;

	buf_release(&r->text);
	buf_release(&r->note);
	buf_release(&r->spill_path);
	buf_release(&r->signal_name);
}

/* ---- a stream of events ------------------------------------------------ */

static int
put_start(const struct run *r, struct fail *fail)
{
	struct buf line = BUF_INIT;
	int rc;

	buf_adds(&line, "{\"event\":\"start\",\"id\":");
	json_quote(&line, buf_str(&r->id));
	buf_addf(&line, ",\"pid\":%ld}", (long)r->child.pid);
	rc = ndjson_put(&line, fail);
	buf_release(&line);
	return rc;
}

static int
put_end(const struct run *r, const struct output_run_result *result,
	struct fail *fail)
{
	struct buf line = BUF_INIT;
	struct json_writer w;
	int rc;

	json_begin(&w, &line);
	json_open_object(&w);
	json_member_string(&w, "event", STR("end"));
	json_member_boolean(&w, "isError", result->is_error);
	if (result->exit_code == FIELD_NONE)
		json_member_null(&w, "exitCode");
	else
		json_member_integer(&w, "exitCode", result->exit_code);
	if (result->signal == NULL)
		json_member_null(&w, "signal");
	else
		json_member_string(&w, "signal", str_of(result->signal));
	json_member_string(&w, "reason",
			   str_of(output_run_reasons[result->reason]));
	if (result->pipe_held)
		json_member_boolean(&w, "pipeHeld", true);
	json_member_integer(&w, "batches", (int64_t)r->publisher.batches);
	json_member_integer(&w, "bytes", (int64_t)r->publisher.bytes);
	json_member_integer(&w, "rawBytes", result->raw_bytes);
	json_close_object(&w);
	rc = ndjson_put(&line, fail);
	buf_release(&line);
	return rc;
}

static int
stream_events(const struct tool_call *call, struct fail *fail)
{
	struct output_run_result result = { .reason = 0 };
	struct buf line = BUF_INIT;
	struct run r;
	int rc;

	result_init(&result);
	rc = begin(&r, call, FORM_STREAM, fail);
	if (rc != 0 && fail->kind == FAIL_REFUSED) {
		result_refusal(fail, &line);
		rc = ndjson_put(&line, fail) != 0 ? -1 : FAIL_REFUSED;
		goto out;
	}
	if (rc == 0) {
		rc = put_start(&r, fail);
		if (rc != 0)
			child_kill(&r.child, CHILD_ABORTED);
	}
	if (rc == 0)
		rc = run_all(&r, &result, fail);
	if (rc == 0)
		rc = put_end(&r, &result, fail);
out:
	end(&r);
	output_run_release(&result);
	buf_release(&line);
	return rc;
}

/* ---- a person ---------------------------------------------------------- */

#define NOT_FOUND 127
#define NOT_EXECUTABLE 126
#define TIMED_OUT 124

static int
status_of(const struct run *r)
{
	switch (r->child.reason) {
	case CHILD_TIMEOUT:
		return TIMED_OUT;
	case CHILD_ABORTED:
		return 128 + r->child.aborted_by;
	case CHILD_SPILL:
		return FAIL_ENVIRONMENT;
	default:
		return child_signal(&r->child) > 0
			       ? 128 + child_signal(&r->child)
			       : child_exit_code(&r->child);
	}
}

/* What stands below what was shown as it came. */
static void
below(const struct run *r, const struct output_run_result *result,
      struct buf *out)
{
	struct buf text = BUF_INIT;
	size_t shown;

	buf_adds(&text, r->last[0] != '\0' ? r->last : r->last + 1);
	shown = text.len;
	if (shown == 0)
		buf_adds(&text, "(no output)");
	if (result->note.len > 0)
		truncate_join(&text, buf_str(&result->note));
	if (text.data[text.len - 1] != '\n')
		buf_addc(&text, '\n');
	surface_text(out, str_from(buf_str(&text), shown));
	buf_release(&text);
}

static int
print(const struct run *r, const struct output_run_result *result,
      struct fail *fail)
{
	struct buf out = BUF_INIT;
	int rc;

	if (r->call->surface == SURFACE_JSON) {
		result_json(r->call->tool, result, &out);
		buf_addc(&out, '\n');
	} else if (r->live) {
		below(r, result, &out);
	} else {
		output_run_text(result, &out);
		if (out.data[out.len - 1] != '\n')
			buf_addc(&out, '\n');
	}
	rc = io_write_all(STDOUT_FILENO, out.data, out.len);
	buf_release(&out);
	if (rc != 0)
		return fail_environment(fail, "standard output: %s",
					strerror(errno));
	return 0;
}

static int
run_for_person(const struct tool_call *call, struct fail *fail)
{
	struct output_run_result result = { .reason = 0 };
	struct run r;
	int rc;

	result_init(&result);
	rc = begin(&r, call, FORM_PERSON, fail);
	r.live = call->surface != SURFACE_JSON && isatty(STDOUT_FILENO);
	if (rc != 0 && r.spawn_error != 0) {
		buf_addf(call->remarks, "%s\n", fail->message.data);
		rc = r.spawn_error == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
		goto out;
	}
	if (rc == 0)
		rc = run_all(&r, &result, fail);
	if (rc == 0)
		rc = print(&r, &result, fail);
	if (rc == 0)
		rc = status_of(&r);
out:
	end(&r);
	output_run_release(&result);
	return rc;
}

int
output_run_stream(const struct tool_call *call, struct fail *fail)
{
	const struct output_run_args *args = call->args;

	return args->stream.v ? stream_events(call, fail)
			      : run_for_person(call, fail);
}

#include "output/output_run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/json_write.h"
#include "output/command.h"
#include "output/ndjson.h"
#include "output/place.h"
#include "output/publisher.h"
#include "output/state.h"
#include "output/surface.h"
#include "text/sanitize.h"
#include "tool/result.h"

enum form { FORM_RESULT, FORM_STREAM, FORM_PERSON };

/* A run that is under way. */
struct run {
	const struct tool_call *call;
	const struct output_run_args *args;
	enum form form;
	bool live; /* a person watches */
	struct command command;
	struct buf spill_dir, id;
	struct child child;
	struct capture capture;
	struct fail spill_fault;
	struct journal journal;
	struct publisher publisher;
	struct value *state;
	struct utf8_stream child_text; /* live, as the next two */
	struct sanitizer shown;
	char last[3]; /* characters that were shown */
	int64_t started;
	int spawn_error;
};

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
	int rc = place_spill(&r->spill_dir, r->call->facts, &args->spill_dir,
			     fail);

	options.spill_dir = buf_str(&r->spill_dir);
	capture_init(&r->capture, &options);
	return rc;
}

/* Where changes go: to a journal, as lines to stdout, or nowhere. */
static int
begin_publisher(struct run *r, struct fail *fail)
{
	const struct output_run_args *args = r->args;
	struct journal_options options = {
		.id = r->id.data,
		.kind = "tool_output",
		.fsync = (enum journal_fsync)args->fsync.v,
		.lock_ms = JOURNAL_LOCK_MS,
		.verbs = OP_VERBS,
	};
	struct truncation t;
	struct buf shown = BUF_INIT;

	publisher_init(&r->publisher, args->min_ms.v, args->bytes_per_s.v,
		       OP_VERBS);
	r->publisher.rebase_every = (uint64_t)args->rebase_every.v;
	r->publisher.put = r->form == FORM_STREAM ? publisher_to_stdout : NULL;
	capture_view(&r->capture, &shown, &t);
	r->state = state_new(&t);
	buf_release(&shown);
	if (!args->journal.given)
		return 0;
	r->publisher.journal = &r->journal;
	return journal_init(&r->journal, r->call->facts, args->journal.s,
			    &options, fail) != 0
		       ? -1
		       : journal_try(&r->journal, fail);
}

static bool
publishes(const struct run *r)
{
	return r->publisher.put != NULL || r->publisher.journal != NULL;
}

/*
 * Its input: what is given, else that of a person, else none.  Of a terminal
 * only a job has it, while a person watches who has us in the foreground.
 */
static void
choose_input(const struct run *r, struct child_options *options)
{
	bool ours = r->call->command != NULL && !r->args->input.given;

	if (ours && isatty(STDIN_FILENO)) {
		options->job = r->live && tcgetpgrp(STDIN_FILENO) == getpgrp();
		ours = options->job;
	}
	options->input = arg_str(r->args->input);
	options->in = r->args->input.given ? SPAWN_PIPE
		      : ours		   ? STDIN_FILENO
			     : open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static int
start(struct run *r, struct fail *fail)
{
	struct child_options options = {
		.argv = r->command.argv,
		.environment = r->command.environment,
		.cwd = r->command.cwd.data,
		.timeout_ms = r->args->timeout_ms.v,
		.grace_ms = r->args->grace_ms.v,
	};
	struct buf quoted = BUF_INIT;
	int rc;

	choose_input(r, &options);
	r->started = clock_monotonic_ms();
	rc = child_start(&r->child, &options);
	r->spawn_error = rc != 0 ? errno : 0;
	if (options.in > STDIN_FILENO)
		close(options.in);
	if (rc != 0) {
		fail_quote(&quoted, str_of(r->command.argv[0]));
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
			   .live = form == FORM_PERSON &&
				   call->surface != SURFACE_JSON &&
				   isatty(STDOUT_FILENO),
			   .command = { .cwd = BUF_INIT },
			   .spill_dir = BUF_INIT,
			   .id = BUF_INIT,
			   .child = CHILD_INIT,
			   .spill_fault = FAIL_INIT };
	if (args->id.given)
		buf_adds(&r->id, args->id.s);
	else
		buf_addf(&r->id, "run-%ld", (long)getpid());
	if (args->head.v && args->retain.given &&
	    args->retain.v == TRUNCATE_TAIL)
		return fail_invalid(fail, "head: given with retain tail; "
					  "legal: one of them");
	if (command_init(&r->command, call->facts, call->command, &args->argv,
			 &args->env, &args->cwd, fail) != 0 ||
	    begin_capture(r, fail) != 0 || begin_publisher(r, fail) != 0)
		return -1;
	/* Last, so that what is refused leaves no file behind. */
	if (r->capture.spill.when == SPILL_ALWAYS &&
	    spill_open(&r->capture.spill, fail) != 0)
		return -1;
	if (start(r, fail) != 0) {
		spill_discard(&r->capture.spill);
		return -1;
	}
	return 0;
}

static void
end(struct run *r)
{
	child_release(&r->child);
	capture_release(&r->capture);
	if (r->publisher.journal != NULL)
		journal_release(&r->journal);
	publisher_release(&r->publisher);
	value_free(r->state);
	command_release(&r->command);
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
	if (!publishes(r) || ended)
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
	/*
	 * Nobody listens, or nothing is durable: there is no point in going on.
	 */
	child_kill(&r->child, CHILD_ABORTED);
	return -1;
}

/* The last of it, with its notes, is published and settled. */
static int
publish_end(struct run *r, const struct run_result *result, struct fail *fail)
{
	struct buf text = BUF_INIT;
	int rc;

	if (!publishes(r))
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
run_all(struct run *r, struct run_result *result, struct fail *fail)
{
	if (publishes(r) && flush(r, PUBLISH_BASE, fail) != 0) {
		child_kill(&r->child, CHILD_ABORTED);
		return -1;
	}
	if (follow(r, fail) != 0)
		return -1;
	run_result_fill(result, &r->child, &r->capture, r->started,
			buf_str(&r->spill_fault.message));
	return publish_end(r, result, fail);
}

/* ---- one call ---------------------------------------------------------- */

int
output_run_run(const struct tool_call *call, void *result, struct fail *fail)
{
	struct run r;
	int rc;

	run_result_init(result);
	rc = begin(&r, call, FORM_RESULT, fail);
	if (rc == 0)
		rc = run_all(&r, result, fail);
	end(&r);
	return rc;
}

/* ---- a stream of events ------------------------------------------------ */

static int
put_start(const struct run *r, struct fail *fail)
{
	struct buf line = BUF_INIT;

	buf_adds(&line, "{\"event\":\"start\",\"id\":");
	json_quote(&line, buf_str(&r->id));
	buf_addf(&line, ",\"pid\":%ld}", (long)r->child.pid);
	return ndjson_put(&line, fail);
}

static int
put_end(const struct run *r, const struct run_result *result, struct fail *fail)
{
	struct buf line = BUF_INIT;
	struct json_writer w;

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
			   str_of(run_result_reasons[result->reason]));
	if (result->pipe_held)
		json_member_boolean(&w, "pipeHeld", true);
	json_member_integer(&w, "batches", (int64_t)r->publisher.batches);
	json_member_integer(&w, "bytes", (int64_t)r->publisher.bytes);
	json_member_integer(&w, "rawBytes", result->raw_bytes);
	json_close_object(&w);
	return ndjson_put(&line, fail);
}

static int
stream_events(const struct tool_call *call, struct fail *fail)
{
	struct run_result result = { .reason = 0 };
	struct buf line = BUF_INIT;
	struct run r;
	int rc;

	run_result_init(&result);
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
	run_result_release(&result);
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
below(const struct run *r, const struct run_result *result, struct buf *out)
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
print(const struct run *r, const struct run_result *result, struct fail *fail)
{
	struct buf out = BUF_INIT;
	int rc;

	if (r->call->surface == SURFACE_JSON) {
		result_json(r->call->tool, result, &out);
		buf_addc(&out, '\n');
	} else if (r->live) {
		below(r, result, &out);
	} else {
		run_result_text(result, &out);
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
	struct run_result result = { .reason = 0 };
	struct run r;
	int rc;

	run_result_init(&result);
	rc = begin(&r, call, FORM_PERSON, fail);
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
	run_result_release(&result);
	return rc;
}

int
output_run_stream(const struct tool_call *call, struct fail *fail)
{
	const struct output_run_args *args = call->args;

	return args->stream.v ? stream_events(call, fail)
			      : run_for_person(call, fail);
}

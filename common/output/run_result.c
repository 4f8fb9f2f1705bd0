#include "output/run_result.h"

#include <inttypes.h>
#include <signal.h>

#include "base/clock.h"
#include "output/surface.h"
#include "tool/result.h"

const char *const run_result_reasons[] = { "exit",    "signal", "timeout",
					   "aborted", "spill",	NULL };

void
run_result_init(struct run_result *r)
{
	buf_init(&r->text, BUF_UNLIMITED);
	buf_init(&r->note, BUF_UNLIMITED);
	buf_init(&r->spill_path, BUF_UNLIMITED);
	buf_init(&r->signal_name, BUF_UNLIMITED);
}

void
run_result_release(void *result)
{
	struct run_result *r = result;

	buf_release(&r->text);
	buf_release(&r->note);
	buf_release(&r->spill_path);
	buf_release(&r->signal_name);
}

/* ---- notes ------------------------------------------------------------- */

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
add_status(struct buf *out, const struct run_result *r, int64_t timeout_ms,
	   struct str spill_fault)
{
	switch (r->reason) {
	case CHILD_EXIT:
		buf_addf(out, "Command exited with code %" PRId64,
			 r->exit_code);
		break;
	case CHILD_SIGNAL:
		buf_addf(out, "Command was killed by signal %s", r->signal);
		break;
	case CHILD_TIMEOUT:
		buf_adds(out, "Command timed out after ");
		add_seconds(out, timeout_ms);
		buf_adds(out, " seconds");
		break;
	case CHILD_ABORTED:
		buf_adds(out, "Command aborted");
		break;
	default:
		buf_adds(out, "Command stopped: the output file could not be "
			      "written: ");
		buf_add_str(out, spill_fault);
	}
}

static void
add_note(struct run_result *r, const struct child *c,
	 enum truncate_retain retain, struct str spill_fault)
{
	struct buf part = BUF_INIT;

	if (r->truncation.truncated) {
		truncate_footer(&part, retain, false, &r->truncation,
				buf_str(&r->spill_path));
		truncate_join(&r->note, buf_str(&part));
	}
	if (r->is_error) {
		buf_reset(&part);
		add_status(&part, r, c->options.timeout_ms, spill_fault);
		truncate_join(&r->note, buf_str(&part));
	}
	if (r->pipe_held)
		truncate_join(&r->note,
			      STR("A background process still holds the output "
				  "pipe; what it writes from now on is not "
				  "kept"));
	buf_release(&part);
}

/* ---- the whole --------------------------------------------------------- */

void
run_result_fill(struct run_result *r, const struct child *c,
		const struct capture *capture, int64_t started,
		struct str spill_fault)
{
	int code = child_exit_code(c), number = child_signal(c);
	const char *name = number > 0 ? sigabbrev_np(number) : NULL;

	capture_view(capture, &r->text, &r->truncation);
	buf_add_str(&r->spill_path, buf_str(&capture->spill.path));
	r->exit_code = code < 0 ? FIELD_NONE : code;
	if (number > 0) {
		if (name != NULL)
			buf_adds(&r->signal_name, name);
		else
			buf_addf(&r->signal_name, "%d", number);
		r->signal = r->signal_name.data;
	}
	r->reason = (int)c->reason;
	r->pipe_held = c->held;
	r->is_error = c->reason != CHILD_EXIT || code != 0;
	r->last_line_bytes = r->truncation.last_line_partial
				     ? r->truncation.last_line_bytes
				     : FIELD_NONE;
	r->raw_bytes = (int64_t)capture->raw;
	r->duration_ms = clock_monotonic_ms() - started;
	add_note(r, c, capture->window.retain, spill_fault);
	r->text_json = buf_str(&r->text);
	if (r->note.len > 0)
		r->note_json = buf_str(&r->note);
	if (r->spill_path.len > 0)
		r->spill_json = buf_str(&r->spill_path);
}

void
run_result_text(const void *result, struct buf *out)
{
	const struct run_result *r = result;
	struct buf text = BUF_INIT;

	if (r->text.len == 0 && !r->truncation.truncated)
		buf_adds(&text, "(no output)");
	else
		buf_add_str(&text, buf_str(&r->text));
	if (r->note.len > 0)
		truncate_join(&text, buf_str(&r->note));
	surface_text(out, buf_str(&text));
	buf_release(&text);
}

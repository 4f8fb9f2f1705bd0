#include "context/notes_write_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "context/bounds.h"
#include "context/fence.h"
#include "context/item_blocks.h"
#include "context/parameters.h"
#include "context/virtual_path.h"

/* How often a note is looked at anew that somebody else keeps changing. */
#define TRIES 3

/* One write, from the fence to the state that it leaves. */
struct writing {
	struct context c;
	struct virtual_path path;
	struct notebook other; /* of another agent's note */
	struct notebook *notes;
	struct note_write write;
	struct life_event event;
};

/* Before a fenced write is done: what it is about to store (8.3). */
static int
claim(struct writing *w, struct fail *fail)
{
	struct life_claim *claim = &w->c.life.claim;

	claim->pid = getpid();
	claim->at_ms = w->c.now_ms;
	buf_reset(&claim->path);
	virtual_path_canonical(&claim->path, w->notes->agent, w->write.path);
	claim->bytes = w->write.size;
	claim->updated_ms = w->write.updated_ms;
	return context_store(&w->c, fail);
}

/*
 * Looks and writes; again when somebody has changed the note in between.  A
 * failed write may be tried again by the model (W3).
 */
static int
store(struct writing *w, bool fenced, struct fail *fail)
{
	int rc = 1;

	for (unsigned i = 0; rc > 0 && i < TRIES; i++) {
		if (notebook_prepare(w->notes, &w->write, fail) != 0 ||
		    (fenced && claim(w, fail) != 0))
			return -1;
		rc = notebook_store(w->notes, w->c.dir, &w->write, fail);
	}
	if (rc > 0)
		rc = fail_environment(fail,
				      "the note keeps being changed by "
				      "somebody else; nothing is written");
	return rc;
}

/*
 * A claim that came to nothing is dropped; that it was is not a second failure.
 */
static void
give_up(struct writing *w)
{
	struct evidence evidence = { 0 };
	struct fail ignored = FAIL_INIT;

	w->event.type = EVENT_WRITE_FAILED;
	(void)context_decide(&w->c, &w->event, &evidence);
	(void)context_store(&w->c, &ignored);
	fail_release(&ignored);
}

static int
open_target(struct writing *w, const struct tool_call *call, struct str path,
	    struct fail *fail)
{
	/* A path that is invalid leaves nothing behind, not even a folder. */
	if (context_begin(&w->c, call->facts, call->remarks, fail) != 0 ||
	    virtual_path_parse(&w->path, path, w->c.agent, fail) != 0 ||
	    context_load(&w->c, CONTEXT_WRITE, fail) != 0 ||
	    agents_require(&w->c.agents, buf_str(&w->path.agent), fail) != 0)
		return -1;
	w->event.own = str_eq(buf_str(&w->path.agent), w->c.agent);
	w->notes = &w->c.own;
	if (w->event.own)
		return 0;
	w->notes = &w->other;
	return notebook_open(&w->other, w->c.dir, buf_str(&w->path.agent),
			     fail);
}

static int
write_note(struct writing *w, const struct tool_call *call, struct decision *d,
	   struct fail *fail)
{
	struct evidence evidence = { 0 };
	bool fenced;

	w->event.type = EVENT_WRITE;
	if (fence_decide(&w->c, &w->event, d, fail) != 0)
		return -1;
	if (d->answer != ANSWER_DONE) {
		/* What was proven on the way is recorded all the same. */
		if (context_store(&w->c, fail) != 0)
			return -1;
		return fence_answer(&w->c, d->answer, call->tool->name, fail);
	}
	fenced = d->claim;
	if (store(w, fenced, fail) != 0) {
		/* Where the note is there all the same, the claim tells. */
		if (fenced && !notebook_has(w->notes, w->write.path,
					    w->write.size, w->write.updated_ms))
			give_up(w);
		return -1;
	}
	w->event.type = EVENT_WRITTEN;
	*d = context_decide(&w->c, &w->event, &evidence);
	return context_store(&w->c, fail);
}

static int
run(const struct tool_call *call, struct notes_write_file_result *r,
    bool append, struct fail *fail)
{
	const struct notes_write_file_args *args = call->args;
	struct str path = { args->path.s, args->path.n };
	struct writing w = {
		.path = VIRTUAL_PATH_INIT,
		.other = { .dir = -1, .notes = -1, .ledger = LEDGER_INIT }
	};
	struct buf canonical = BUF_INIT;
	struct decision d = { 0 };
	int rc = -1;

	if (parameters_not_empty("path", args->path, fail) != 0)
		return -1;
	buf_init(&w.write.bytes, BUF_UNLIMITED);
	w.write.append = append;
	w.write.text = arg_str(args->text);
	w.event.blank = item_blocks_blank(w.write.text);
	if (open_target(&w, call, path, fail) != 0)
		goto out;
	w.write.path = buf_str(&w.path.relative);
	w.write.max_bytes = w.c.policy.note_bytes;
	w.write.now_ms = w.c.now_ms;
	if (write_note(&w, call, &d, fail) != 0)
		goto out;
	virtual_path_canonical(&canonical, buf_str(&w.path.agent),
			       w.write.path);
	*r = (struct notes_write_file_result){
		.path = buf_detach(&canonical),
		.bytes = w.write.size,
		.appended_bytes = (int64_t)w.write.text.n,
		.created = !w.write.exists,
		.created_ms = w.write.created_ms,
		.updated_ms = w.write.updated_ms,
		.rollover_requested = d.rollover_requested
	};
	rc = 0;
out:
	notebook_close(&w.other);
	context_close(&w.c);
	virtual_path_release(&w.path);
	buf_release(&w.write.bytes);
	return rc;
}

int
notes_write_file_run(const struct tool_call *call, void *result,
		     struct fail *fail)
{
	return run(call, result, false, fail);
}

int
notes_append_to_file_run(const struct tool_call *call, void *result,
			 struct fail *fail)
{
	return run(call, result, true, fail);
}

static void
add_checkpoint_line(const struct notes_write_file_result *r, struct buf *out)
{
	if (r->rollover_requested)
		buf_adds(out, "\nCheckpoint saved. A new context window has "
			      "been requested; stop here.");
}

void
notes_write_file_text(const void *result, struct buf *out)
{
	const struct notes_write_file_result *r = result;

	buf_addf(out, "Wrote %" PRId64 " bytes to ", r->bytes);
	bounds_show(out, str_of(r->path));
	buf_addc(out, '.');
	add_checkpoint_line(r, out);
}

void
notes_append_to_file_text(const void *result, struct buf *out)
{
	const struct notes_write_file_result *r = result;

	buf_addf(out, "Appended %" PRId64 " bytes to ", r->appended_bytes);
	bounds_show(out, str_of(r->path));
	buf_addf(out, " (%" PRId64 " bytes now).", r->bytes);
	add_checkpoint_line(r, out);
}

void
notes_write_file_release(void *result)
{
	struct notes_write_file_result *r = result;

	free(r->path);
}

#include "notes/notes_read.h"

#include <inttypes.h>

#include "base/visible.h"
#include "base/xalloc.h"
#include "notes/near.h"
#include "notes/store.h"
#include "tool/budget.h"
#include "tool/terminal.h"

/* ---- rendering --------------------------------------------------------- */

static void
text_time(struct buf *out, const struct terminal *t, const char *label,
	  int64_t ms)
{
	buf_adds(out, label);
	terminal_time(out, t, ms);
}

static void
metadata_text(struct buf *out, const struct terminal *t,
	      const struct notes_read_result *r)
{
	buf_adds(out, "origin ");
	buf_adds(out, note_origins[r->metadata.origin]);
	text_time(out, t, " | created ", r->metadata.created_at);
	text_time(out, t, " | updated ", r->metadata.updated_at);
	if (r->metadata.crumpled_at != FIELD_NONE)
		text_time(out, t, " | crumpled ", r->metadata.crumpled_at);
	if (r->metadata.project.s != NULL) {
		buf_adds(out, " | project ");
		visible_field(out, r->metadata.project);
	}
	if (!str_is(r->metadata.extra, "{}")) {
		buf_adds(out, " | extra ");
		visible_field(out, r->metadata.extra);
	}
}

void
notes_read_person(const void *result, const struct terminal *t, struct buf *out)
{
	const struct notes_read_result *r = result;

	terminal_on(out, t, TERMINAL_ADDRESS);
	address_identity(out, str_of(r->address), r->project_key);
	terminal_off(out, t);
	buf_addc(out, '\n');
	metadata_text(out, t, r);
	if (r->text.n > 0) {
		buf_adds(out, "\n\n");
		visible_text(out, r->text);
	}
	terminal_continuation(out, t, r->next_offset_chars);
}

void
notes_read_text(const void *result, struct buf *out)
{
	notes_read_person(result, NULL, out);
}

void
notes_read_release(void *result)
{
	struct notes_read_result *r = result;

	free(r->address);
	free(r->project_key);
	note_release(&r->note);
}

/* ---- reading ----------------------------------------------------------- */

static void
take_metadata(struct notes_read_result *r)
{
	const struct note_meta *meta = &r->note.meta;
	struct str extra = buf_str(&r->note.fm.extra);

	r->metadata.origin = (int)meta->origin;
	r->metadata.created_at = meta->created_at;
	r->metadata.updated_at = meta->updated_at;
	r->metadata.crumpled_at = meta->crumpled ? meta->crumpled_at
						 : FIELD_NONE;
	if (meta->has_project)
		r->metadata.project = meta->project;
	r->metadata.extra = extra.n > 0 ? extra : STR("{}");
}

struct fitting {
	const struct tool *tool;
	struct notes_read_result *result;
};

/* Delivers the first k characters of the window. */
static bool
fits(void *ctx, size_t k)
{
	struct fitting *f = ctx;
	struct notes_read_result *r = f->result;
	int64_t next = window_next(&r->window, k);

	r->text = window_prefix(&r->window, k);
	r->next_offset_chars = next < 0 ? FIELD_NONE : next;
	return budget_holds(f->tool, r);
}

/* The window over the body, and how much of it both surfaces can hold. */
static int
fit_window(struct notes_read_result *r, const struct tool_call *call,
	   struct fail *fail)
{
	const struct notes_read_args *args = call->args;
	struct fitting f = { call->tool, r };
	size_t k;

	if (!window_open(&r->window, note_body(&r->note), args->offset_chars.v,
			 args->limit_chars.v))
		return fail_refuse(fail, "invalid_offset",
				   "offset_chars %" PRId64
				   " is past the end of %s: total_chars is "
				   "%zu, the largest legal offset",
				   args->offset_chars.v, r->address,
				   r->window.total);
	r->total_chars = (int64_t)r->window.total;
	take_metadata(r);
	k = budget_window(r->window.length, fits, &f);
	/* An empty window that is not the end would never advance. */
	if (k == BUDGET_NONE || (k == 0 && r->window.length > 0))
		return fail_refuse(fail, "output_too_large",
				   "the metadata of %s leaves no room for its "
				   "text in %d bytes; no narrower range can "
				   "help",
				   r->address, BUDGET_BYTES);
	(void)fits(&f, k);
	return 0;
}

static int
read_note(struct notes_read_result *r, const struct tool_call *call,
	  const struct address *address, const struct identity *who,
	  struct fail *fail)
{
	struct store store = STORE_INIT;
	int rc;

	rc = store_open(&store, address, who, fail);
	if (rc == 0 && store.home >= 0)
		rc = note_fetch(&r->note, store.home, address, NOTE_EXTRA,
				fail);
	if (rc == 0)
		rc = near_fail_not_found(store.home, address, fail);
	if (rc > 0)
		rc = fit_window(r, call, fail);
	if (rc == 0)
		store_bump(&store, &r->note, who->now);
	store_close(&store);
	return rc;
}

int
notes_read_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct notes_read_args *args = call->args;
	struct notes_read_result *r = result;
	struct identity who;
	struct address address;
	int rc;

	r->note = (struct note)NOTE_INIT;
	rc = address_resolve(&address, &who, call->facts, &args->cwd,
			     &args->address, fail);
	/* What can never have been written is simply not there. */
	if (rc == 0 && address.given > ADDRESS_PATH_MAX)
		rc = near_fail_not_found(-1, &address, fail);
	if (rc == 0) {
		address_tell(&address, &who, &r->address, &r->project_key);
		rc = read_note(r, call, &address, &who, fail);
	}
	address_release(&address);
	identity_release(&who);
	return rc;
}

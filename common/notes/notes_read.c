#include "notes/notes_read.h"

#include <inttypes.h>

#include "base/json_write.h"
#include "base/timestamp.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "notes/store.h"
#include "tool/budget.h"

/* ---- rendering --------------------------------------------------------- */

static void
json_time(struct json_writer *w, const char *key, int64_t ms)
{
	char text[TIMESTAMP_SIZE];

	timestamp_utc(ms, text);
	json_member_string(w, key, str_of(text));
}

static void
metadata_json(struct json_writer *w, const struct note *note)
{
	const struct note_meta *meta = &note->meta;

	json_key(w, "metadata");
	json_open_object(w);
	json_member_string(w, "origin", str_of(note_origins[meta->origin]));
	json_time(w, "created_at", meta->created_at);
	json_time(w, "updated_at", meta->updated_at);
	if (meta->crumpled)
		json_time(w, "crumpled_at", meta->crumpled_at);
	if (meta->has_project)
		json_member_string(w, "project", meta->project);
	json_key(w, "extra");
	if (note->fm.extra.len == 0)
		json_raw(w, STR("{}"));
	else
		json_raw(w, buf_str(&note->fm.extra));
	json_close_object(w);
}

void
notes_read_json(const void *result, struct buf *out)
{
	const struct notes_read_result *r = result;
	int64_t next = window_next(&r->window, r->delivered);
	struct json_writer w;

	json_begin(&w, out);
	json_open_object(&w);
	json_member_string(&w, "address", str_of(r->address));
	if (r->project_key != NULL)
		json_member_string(&w, "project_key", str_of(r->project_key));
	metadata_json(&w, &r->note);
	json_member_string(&w, "text", window_prefix(&r->window, r->delivered));
	json_member_integer(&w, "total_chars", (int64_t)r->window.total);
	if (next < 0)
		json_member_null(&w, "next_offset_chars");
	else
		json_member_integer(&w, "next_offset_chars", next);
	json_close_object(&w);
}

static void
text_time(struct buf *out, const char *label, int64_t ms)
{
	char text[TIMESTAMP_SIZE];

	timestamp_utc(ms, text);
	buf_adds(out, label);
	buf_adds(out, text);
}

static void
metadata_text(struct buf *out, const struct note *note)
{
	const struct note_meta *meta = &note->meta;
	struct str extra = buf_str(&note->fm.extra);

	buf_adds(out, "origin ");
	buf_adds(out, note_origins[meta->origin]);
	text_time(out, " | created ", meta->created_at);
	text_time(out, " | updated ", meta->updated_at);
	if (meta->crumpled)
		text_time(out, " | crumpled ", meta->crumpled_at);
	if (meta->has_project) {
		buf_adds(out, " | project ");
		visible_field(out, meta->project);
	}
	if (extra.n > 0 && !str_is(extra, "{}")) {
		buf_adds(out, " | extra ");
		visible_field(out, extra);
	}
}

void
notes_read_text(const void *result, struct buf *out)
{
	const struct notes_read_result *r = result;
	struct str text = window_prefix(&r->window, r->delivered);
	int64_t next = window_next(&r->window, r->delivered);

	address_identity(out, str_of(r->address), r->project_key);
	buf_addc(out, '\n');
	metadata_text(out, &r->note);
	if (text.n > 0) {
		buf_adds(out, "\n\n");
		visible_text(out, text);
	}
	if (next >= 0)
		buf_addf(out,
			 "\n\n[truncated; continue at offset_chars=%" PRId64
			 "]",
			 next);
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

static bool
fits(void *ctx, size_t k)
{
	struct notes_read_result *r = ctx;

	r->delivered = k;
	return budget_fits(notes_read_json, notes_read_text, r);
}

/* The window over the body, and how much of it both surfaces can hold. */
static int
fit_window(struct notes_read_result *r, const struct notes_read_args *args,
	   struct fail *fail)
{
	size_t k;

	if (!window_open(&r->window, note_body(&r->note), args->offset_chars.v,
			 args->limit_chars.v))
		return fail_refuse(fail, "invalid_offset",
				   "offset_chars %" PRId64
				   " is past the end of %s: total_chars is "
				   "%zu, the largest legal offset",
				   args->offset_chars.v, r->address,
				   r->window.total);
	k = budget_window(r->window.length, fits, r);
	/* An empty window that is not the end would never advance. */
	if (k == BUDGET_NONE || (k == 0 && r->window.length > 0))
		return fail_refuse(fail, "output_too_large",
				   "the metadata of %s leaves no room for its "
				   "text in %d bytes; no narrower range can "
				   "help",
				   r->address, BUDGET_BYTES);
	r->delivered = k;
	return 0;
}

static int
read_note(struct notes_read_result *r, const struct notes_read_args *args,
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
		rc = address_fail_not_found(address, fail);
	if (rc > 0)
		rc = fit_window(r, args, fail);
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
	struct address address = ADDRESS_INIT;
	int rc;

	r->note = (struct note)NOTE_INIT;
	rc = identity_resolve(&who, call->facts, &args->cwd, fail);
	if (rc == 0)
		rc = address_parse(
			&address,
			(struct str){ args->address.s, args->address.n }, &who,
			fail);
	/* What can never have been written is simply not there. */
	if (rc == 0 && address.given > ADDRESS_PATH_MAX)
		rc = address_fail_not_found(&address, fail);
	if (rc == 0) {
		r->address = xstrdup(address.rendered);
		if (address.home.kind == HOME_PROJECT)
			r->project_key = xstrdup(who.project);
		rc = read_note(r, args, &address, &who, fail);
	}
	address_release(&address);
	identity_release(&who);
	return rc;
}

#include "notes/notes_update.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>

#include "base/io.h"
#include "base/json_write.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "notes/front_matter_rewrite.h"
#include "notes/near.h"
#include "notes/rename.h"
#include "notes/store.h"
#include "text/diff.h"
#include "tool/budget.h"

const char *const notes_update_kinds[] = { "body", "metadata", "file", "none",
					   NULL };

/* One change of a note's text or metadata on its way. */
struct update_job {
	const struct notes_update_args *args;
	const struct identity *who;
	const struct address *address;
	struct notes_update_result *result;

	struct store store;
	struct note old;
	struct buf body;		   /* the new one */
	struct front_matter_change change; /* what becomes of the rest */
	bool body_changed, meta_changed;
	struct buf file; /* what is to be stored */
};

/* ---- changing ---------------------------------------------------------- */

/* Only the text of a note with a broken block can be changed. */
static int
check_block(struct update_job *job, struct fail *fail)
{
	struct front_matter_change change = { .set = FRONT_MATTER_BIT(
						      FRONT_MATTER_ORIGIN) };
	const struct note *old = &job->old;
	struct buf unused = BUF_INIT;
	int rc;

	if (old->fm.kind != FRONT_MATTER_BROKEN ||
	    (!job->args->origin.given && !job->args->crumpled.given))
		return 0;
	rc = front_matter_rewrite(&old->fm, buf_str(&old->file), &old->meta,
				  &change, &unused, fail);
	buf_release(&unused);
	return rc;
}

static int
apply_edits(struct update_job *job, struct fail *fail)
{
	const struct notes_update_args *args = job->args;
	struct str body = note_body(&job->old);
	size_t size = job->old.file.len;
	size_t max = size > NOTE_STORE_MAX ? size : NOTE_STORE_MAX;

	if (edit_apply(body, args->edits.v, args->edits.n, args->replace_all.v,
		       max, &job->body, &job->result->applied, fail) != 0)
		return -1;
	job->body_changed = !str_eq(body, buf_str(&job->body));
	return 0;
}

/* What origin and crumpled ask for that is not so already. */
static void
apply_metadata(struct update_job *job)
{
	const struct notes_update_args *args = job->args;
	const struct note_meta *now = &job->old.meta;
	struct front_matter_change *change = &job->change;
	uint32_t crumpled = FRONT_MATTER_BIT(FRONT_MATTER_CRUMPLED_AT);

	if (args->origin.given && args->origin.v != (int)now->origin) {
		change->set |= FRONT_MATTER_BIT(FRONT_MATTER_ORIGIN);
		change->to.origin = (enum note_origin)args->origin.v;
	}
	if (args->crumpled.given && args->crumpled.v && !now->crumpled) {
		change->set |= crumpled;
		change->to.crumpled = true;
		change->to.crumpled_at = job->who->now;
	} else if (args->crumpled.given && !args->crumpled.v && now->crumpled) {
		change->remove |= crumpled;
	}
	job->meta_changed = (change->set | change->remove) != 0;
}

/*
 * The new file, and its stamp if it gets one: when the text or the origin has
 * changed, and there is a block that could hold it.
 */
static int
compose(struct update_job *job, bool *stamped, int64_t *stamp,
	struct fail *fail)
{
	struct front_matter_change *change = &job->change;
	const struct note *old = &job->old;
	struct str body = buf_str(&job->body);
	uint32_t origin = FRONT_MATTER_BIT(FRONT_MATTER_ORIGIN);
	int rc;

	*stamped = old->fm.kind != FRONT_MATTER_BROKEN &&
		   (job->body_changed || (change->set & origin) != 0);
	if (*stamped) {
		*stamp = store_stamp_next(job->store.home, job->who->now);
		change->set |= FRONT_MATTER_BIT(FRONT_MATTER_UPDATED_AT);
		change->to.updated_at = *stamp;
	}
	if (job->body_changed)
		change->body = &body;
	change->record_times = true;
	rc = front_matter_rewrite(&old->fm, buf_str(&old->file), &old->meta,
				  change, &job->file, fail);
	change->body = NULL; /* it was this function's */
	if (rc != 0)
		return -1;
	return note_check_size(job->address, job->file.len, old->file.len,
			       fail);
}

/* From reading the old file to storing the new one; also STORE_AGAIN. */
static int
change_locked(void *ctx, struct fail *fail)
{
	struct update_job *job = ctx;
	int64_t stamp = 0;
	bool stamped;
	int found;

	note_release(&job->old);
	job->old = (struct note)NOTE_INIT;
	job->change = (struct front_matter_change){ 0 };
	buf_reset(&job->body);
	buf_reset(&job->file);
	found = note_fetch(&job->old, job->store.home, job->address, 0, fail);
	if (found == 0)
		near_fail_not_found(job->store.home, job->address, fail);
	if (found <= 0 || check_block(job, fail) != 0 ||
	    apply_edits(job, fail) != 0)
		return -1;
	apply_metadata(job);
	if (!job->body_changed && !job->meta_changed)
		return 0;
	if (compose(job, &stamped, &stamp, fail) != 0)
		return -1;
	return store_put(&job->store, buf_str(&job->file),
			 stamped ? &stamp : NULL, &job->old, fail);
}

static void
fill_result(struct update_job *job)
{
	const struct notes_update_args *args = job->args;
	struct notes_update_result *r = job->result;

	if (job->body_changed && job->meta_changed)
		r->kind = NOTES_UPDATE_FILE;
	else if (job->body_changed)
		r->kind = NOTES_UPDATE_BODY;
	else if (job->meta_changed)
		r->kind = NOTES_UPDATE_METADATA;
	else
		r->kind = NOTES_UPDATE_NONE;
	if (job->change.set & FRONT_MATTER_BIT(FRONT_MATTER_ORIGIN))
		r->new_origin = note_origins[job->change.to.origin];
	if (job->change.set & FRONT_MATTER_BIT(FRONT_MATTER_CRUMPLED_AT))
		r->moved = NOTES_UPDATE_PUT;
	else if (job->change.remove &
		 FRONT_MATTER_BIT(FRONT_MATTER_CRUMPLED_AT))
		r->moved = NOTES_UPDATE_TAKEN;
	if (job->body_changed && (args->diff.v || args->details_fd.given))
		diff_unified(&r->diff, note_body(&job->old),
			     buf_str(&job->body),
			     str_of(job->address->rendered));
}

static int
change_note(const struct notes_update_args *args, const struct identity *who,
	    const struct address *address, struct notes_update_result *result,
	    struct fail *fail)
{
	struct update_job job = { .args = args,
				  .who = who,
				  .address = address,
				  .result = result,
				  .store = STORE_INIT,
				  .old = NOTE_INIT,
				  .body = BUF_INIT,
				  .file = BUF_INIT };
	int rc;

	rc = store_open(&job.store, address, who, fail);
	if (rc == 0 && job.store.home < 0)
		rc = near_fail_not_found(-1, address, fail);
	if (rc == 0)
		rc = store_change(&job.store, change_locked, &job, fail);
	store_close(&job.store);
	if (rc == 0)
		fill_result(&job);
	note_release(&job.old);
	buf_release(&job.body);
	buf_release(&job.file);
	return rc;
}

/* ---- what was asked for ------------------------------------------------ */

/* An address that is to be changed, with all its checks. */
static int
take_address(struct address *a, const struct arg_string *given,
	     const struct identity *who, struct fail *fail)
{
	if (address_parse(a, arg_str(*given), who, fail) != 0 ||
	    address_check_scope(a, fail) != 0)
		return -1;
	return 0;
}

static int
check_alone(const struct notes_update_args *args, struct fail *fail)
{
	const char *other = NULL;

	if (args->edits.n > 0)
		other = "edits";
	else if (args->origin.given)
		other = "origin";
	else if (args->crumpled.given)
		other = "crumpled";
	else if (args->replace_all.v)
		other = "replace_all";
	if (other == NULL)
		return 0;
	return fail_refuse(fail, "invalid_rename",
			   "rename_to is used alone, and not beside %s", other);
}

static int
rename_note(const struct notes_update_args *args, const struct identity *who,
	    const struct address *from, struct address *to, struct fail *fail)
{
	if (check_alone(args, fail) != 0 ||
	    take_address(to, &args->rename_to, who, fail) != 0)
		return -1;
	if (strcmp(from->rendered, to->rendered) == 0)
		return fail_refuse(fail, "nothing_to_do",
				   "%s is the address of the note already; "
				   "rename_to takes another one",
				   from->rendered);
	return rename_move(from, to, who, fail);
}

static int
check_asked(const struct notes_update_args *args, struct fail *fail)
{
	if (args->edits.n > 0 || args->origin.given || args->crumpled.given)
		return 0;
	return fail_refuse(fail, "nothing_to_do",
			   "no change is asked for; give edits, origin, "
			   "crumpled or rename_to");
}

/* ---- details ----------------------------------------------------------- */

static int
check_details(const struct notes_update_args *args, struct fail *fail)
{
	int flags;

	if (!args->details_fd.given)
		return 0;
	flags = fcntl((int)args->details_fd.v, F_GETFL);
	if (flags >= 0 && (flags & O_PATH) == 0 &&
	    (flags & O_ACCMODE) != O_RDONLY)
		return 0;
	return fail_invalid(fail,
			    "--details-fd: %d given, which is not open for "
			    "writing; legal: a descriptor from 3 that is",
			    (int)args->details_fd.v);
}

static int
write_details(const struct notes_update_args *args,
	      const struct notes_update_result *r, struct fail *fail)
{
	struct buf line = BUF_INIT;
	struct json_writer w;
	int rc = 0;

	if (!args->details_fd.given)
		return 0;
	json_begin(&w, &line);
	json_open_object(&w);
	json_member_string(&w, "diff", buf_str(&r->diff));
	json_close_object(&w);
	buf_addc(&line, '\n');
	if (io_write_all((int)args->details_fd.v, line.data, line.len) != 0)
		rc = fail_environment(
			fail, "%sthe details could not be written: %s",
			r->kind == NOTES_UPDATE_NONE ? "" : "stored; ",
			strerror(errno));
	buf_release(&line);
	return rc;
}

int
notes_update_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct notes_update_args *args = call->args;
	struct notes_update_result *r = result;
	struct identity who = IDENTITY_INIT;
	struct address from = ADDRESS_INIT, to = ADDRESS_INIT;
	const struct address *now = &from;
	int rc = -1;

	buf_init(&r->diff, BUF_UNLIMITED);
	r->show_diff = args->diff.v;
	if (check_details(args, fail) != 0 ||
	    identity_resolve(&who, call->facts, &args->cwd, fail) != 0 ||
	    take_address(&from, &args->address, &who, fail) != 0)
		goto out;
	if (args->rename_to.n > 0) {
		rc = rename_note(args, &who, &from, &to, fail);
		r->kind = NOTES_UPDATE_FILE;
		now = &to;
	} else {
		rc = check_asked(args, fail);
		if (rc == 0)
			rc = change_note(args, &who, &from, r, fail);
	}
	if (rc != 0)
		goto out;
	address_tell(now, &who, &r->address, &r->project_key);
	if (now == &to)
		r->rename_from = xstrdup(from.rendered);
	rc = write_details(args, r, fail);
out:
	address_release(&from);
	address_release(&to);
	identity_release(&who);
	return rc;
}

/* ---- rendering --------------------------------------------------------- */

/* What became of the origin and the wastebasket, when only they changed. */
static void
metadata_receipt(const struct notes_update_result *r, struct str address,
		 struct buf *out)
{
	bool both = r->new_origin != NULL && r->moved != NOTES_UPDATE_STAYED;

	if (r->new_origin != NULL)
		buf_adds(out, "updated ");
	else
		buf_adds(out, r->moved == NOTES_UPDATE_PUT ? "put " : "took ");
	address_identity(out, address, r->project_key);
	if (r->new_origin != NULL)
		buf_addf(out, ": origin %s%s", r->new_origin,
			 both ? ", and wastebasket" : "");
	else
		buf_adds(out, r->moved == NOTES_UPDATE_PUT
				      ? " into the wastebasket"
				      : " out of the wastebasket");
}

static void
receipt_text(const struct notes_update_result *r, struct buf *out)
{
	struct str address = str_of(r->address);

	if (r->rename_from != NULL) {
		buf_addf(out, "moved %s -> %s", r->rename_from, r->address);
		return;
	}
	if (r->kind == NOTES_UPDATE_METADATA) {
		metadata_receipt(r, address, out);
		return;
	}
	buf_adds(out, r->kind == NOTES_UPDATE_NONE ? "unchanged " : "updated ");
	address_identity(out, address, r->project_key);
	if (r->kind != NOTES_UPDATE_NONE) {
		buf_adds(out, ": ");
		buf_add_count(out, (uint64_t)r->applied, "edit");
	}
	if (r->kind == NOTES_UPDATE_FILE)
		buf_adds(out, " and metadata");
}

/* The diff without its last newline, cut at a line end where it must be. */
static void
diff_text(const struct notes_update_result *r, struct buf *out)
{
	static const char shortened[] =
		"[diff shortened; the update was applied in full]";
	size_t start = out->len, room;
	const char *end;

	visible_text(out, buf_str(&r->diff));
	if (out->len > start)
		buf_truncate(out, out->len - 1);
	if (out->len <= BUDGET_BYTES)
		return;
	room = BUDGET_BYTES - (sizeof(shortened) - 1) - start;
	end = memrchr(out->data + start, '\n', room);
	buf_truncate(out, end == NULL ? start : (size_t)(end + 1 - out->data));
	buf_adds(out, shortened);
}

void
notes_update_text(const void *result, struct buf *out)
{
	const struct notes_update_result *r = result;
	struct buf text = BUF_INIT;

	receipt_text(r, &text);
	if (r->show_diff) {
		buf_adds(&text, "\ndiff:");
		if (r->diff.len > 0) {
			buf_addc(&text, '\n');
			diff_text(r, &text);
		}
	}
	buf_add_str(out, buf_str(&text));
	buf_release(&text);
}

void
notes_update_release(void *result)
{
	struct notes_update_result *r = result;

	free(r->address);
	free(r->project_key);
	free(r->rename_from);
	buf_release(&r->diff);
}

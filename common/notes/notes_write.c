#include "notes/notes_write.h"

#include "base/xalloc.h"
#include "notes/front_matter_rewrite.h"
#include "notes/store.h"

const char *const notes_write_outcomes[] = { "created", "overwrote",
					     "uncrumpled", NULL };

/* One write on its way. */
struct write_job {
	const struct notes_write_args *args;
	const struct identity *who;
	const struct address *address;
	struct store store;
	struct buf file; /* what is to be stored */
	enum notes_write_outcome outcome;
};

static struct str
content(const struct write_job *job)
{
	return arg_str(job->args->content);
}

static enum note_origin
origin(const struct write_job *job)
{
	return (enum note_origin)job->args->origin.v;
}

static void
compose_new(struct write_job *job, int64_t stamp)
{
	struct note_meta meta = { .origin = origin(job),
				  .created_at = stamp,
				  .updated_at = stamp,
				  .last_accessed = stamp };

	if (job->address->home.kind == HOME_SESSION) {
		meta.has_project = true;
		meta.project = str_of(job->who->project);
	}
	front_matter_compose(&job->file, &meta, content(job));
}

/*
 * The fresh block of a bare note: a broken block is replaced with the rest of
 * the file (spec/notes.md section 3.2).
 */
static void
compose_over_broken(struct write_job *job, const struct note *old,
		    int64_t stamp)
{
	struct note_meta meta = old->meta;

	meta.origin = origin(job);
	meta.last_accessed = meta.updated_at;
	meta.updated_at = stamp;
	meta.access_count = 0;
	meta.crumpled = false;
	meta.has_project = false;
	front_matter_compose(&job->file, &meta, content(job));
}

static int
compose_over(struct write_job *job, const struct note *old, int64_t stamp,
	     struct fail *fail)
{
	struct str body = content(job);
	struct front_matter_change change = {
		.set = FRONT_MATTER_BIT(FRONT_MATTER_ORIGIN) |
		       FRONT_MATTER_BIT(FRONT_MATTER_UPDATED_AT),
		.remove = FRONT_MATTER_BIT(FRONT_MATTER_CRUMPLED_AT),
		.to = { .origin = origin(job), .updated_at = stamp },
		.record_times = true,
		.body = &body
	};

	if (old->fm.kind == FRONT_MATTER_BROKEN) {
		compose_over_broken(job, old, stamp);
		return 0;
	}
	return front_matter_rewrite(&old->fm, buf_str(&old->file), &old->meta,
				    &change, &job->file, fail);
}

/*
 * Nothing is created for a write that is refused: when there is no home, the
 * note will be a new one, and its size is known before its stamp is.
 */
static int
make_home(struct write_job *job, struct fail *fail)
{
	if (job->store.home >= 0)
		return 0;
	compose_new(job, job->who->now);
	if (note_check_size(job->address, job->file.len, 0, fail) != 0)
		return -1;
	buf_reset(&job->file);
	return store_make(&job->store, job->who, fail);
}

/*
 * Under the lock: from reading the old file to storing the new one.
 * STORE_AGAIN as store_put().
 */
static int
write_locked(void *ctx, struct fail *fail)
{
	struct write_job *job = ctx;
	struct note old = NOTE_INIT;
	int64_t stamp = store_stamp_next(job->store.home, job->who->now);
	int found, rc;

	found = note_fetch(&old, job->store.home, job->address,
			   NOTE_ANY_BYTES | NOTE_ANY_SIZE, fail);
	if (found < 0) {
		rc = -1;
		goto out;
	}
	rc = 0;
	buf_reset(&job->file);
	if (!found)
		compose_new(job, stamp);
	else
		rc = compose_over(job, &old, stamp, fail);
	if (rc == 0)
		rc = note_check_size(job->address, job->file.len,
				     found ? (size_t)old.st.st_size : 0, fail);
	if (rc == 0)
		rc = store_put(&job->store, buf_str(&job->file), &stamp,
			       found ? &old : NULL, fail);
	if (!found)
		job->outcome = NOTES_WRITE_CREATED;
	else if (old.meta.crumpled)
		job->outcome = NOTES_WRITE_UNCRUMPLED;
	else
		job->outcome = NOTES_WRITE_OVERWROTE;
out:
	note_release(&old);
	return rc;
}

static int
write_note(struct write_job *job, struct fail *fail)
{
	int rc;

	rc = store_open(&job->store, job->address, job->who, fail);
	if (rc == 0)
		rc = make_home(job, fail);
	if (rc == 0)
		rc = store_change(&job->store, write_locked, job, fail);
	store_close(&job->store);
	buf_release(&job->file);
	return rc;
}

int
notes_write_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct notes_write_args *args = call->args;
	struct notes_write_result *r = result;
	struct identity who;
	struct address address;
	struct write_job job = { .args = args,
				 .who = &who,
				 .address = &address,
				 .store = STORE_INIT,
				 .file = BUF_INIT };
	int rc;

	rc = address_resolve(&address, &who, call->facts, &args->cwd,
			     &args->address, fail);
	if (rc == 0)
		rc = address_check_scope(&address, fail);
	if (rc == 0)
		rc = write_note(&job, fail);
	if (rc == 0)
		address_tell(&address, &who, &r->address, &r->project_key);
	r->outcome = (int)job.outcome;
	address_release(&address);
	identity_release(&who);
	return rc;
}

void
notes_write_text(const void *result, struct buf *out)
{
	const struct notes_write_result *r = result;

	buf_adds(out, notes_write_outcomes[r->outcome]);
	buf_addc(out, ' ');
	address_identity(out, str_of(r->address), r->project_key);
}

void
notes_write_release(void *result)
{
	struct notes_write_result *r = result;

	free(r->address);
	free(r->project_key);
}

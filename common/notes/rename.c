#include "notes/rename.h"

#include <errno.h>

#include "base/clock.h"
#include "notes/front_matter_rewrite.h"
#include "notes/near.h"
#include "notes/store.h"

/* A rename on its way. */
struct rename_job {
	const struct identity *who;
	struct store from, to;
	struct note note; /* the source */
	bool as_it_is;	  /* it moves without a change of metadata */
	int64_t stamp;
	struct buf file; /* the note with its new metadata */
};

static void
job_reset(struct rename_job *job)
{
	note_release(&job->note);
	job->note = (struct note)NOTE_INIT;
	buf_reset(&job->file);
}

/*
 * A broken block is never touched, and nothing is put in front of bytes that
 * are not text: such a file moves as it is.
 */
static bool
stays_as_it_is(const struct note *note)
{
	struct str file = buf_str(&note->file);

	if (note->fm.kind == FRONT_MATTER_BLOCK)
		return false;
	return note->fm.kind == FRONT_MATTER_BROKEN ||
	       note_text_prefix(file) < file.n;
}

/* The owner is that of a session note, and stays within the session. */
static void
change_project(struct rename_job *job, struct front_matter_change *change)
{
	bool from_session = job->from.at->home.kind == HOME_SESSION;
	bool to_session = job->to.at->home.kind == HOME_SESSION;
	uint32_t bit = FRONT_MATTER_BIT(FRONT_MATTER_PROJECT);

	if (from_session && !to_session) {
		change->remove |= bit;
	} else if (!from_session && to_session) {
		change->set |= bit;
		change->to.has_project = true;
		change->to.project = str_of(job->who->project);
	}
}

static int
compose(struct rename_job *job, struct fail *fail)
{
	struct front_matter_change change = { .set = FRONT_MATTER_BIT(
						      FRONT_MATTER_UPDATED_AT),
					      .record_times = true };
	const struct note *note = &job->note;

	job->as_it_is = stays_as_it_is(note);
	if (job->as_it_is)
		return 0;
	job->stamp = job->to.home < 0
			     ? job->who->now
			     : store_stamp_next(job->to.home, job->who->now);
	change.to.updated_at = job->stamp;
	change_project(job, &change);
	if (front_matter_rewrite(&note->fm, buf_str(&note->file), &note->meta,
				 &change, &job->file, fail) != 0)
		return -1;
	return note_check_size(job->to.at, job->file.len,
			       (size_t)note->st.st_size, fail);
}

/* The target is free; else already_exists. */
static int
check_target(struct rename_job *job, struct fail *fail)
{
	const struct address *from = job->from.at, *to = job->to.at;
	struct note there = NOTE_INIT;
	int found = 0;

	if (job->to.home >= 0)
		found = note_fetch(&there, job->to.home, to,
				   NOTE_ANY_BYTES | NOTE_ANY_SIZE, fail);
	if (found > 0 && there.meta.crumpled)
		fail_refuse(fail, "already_exists",
			    "%s stays: %s exists and lies in the wastebasket; "
			    "writing to it or renaming it away frees the name",
			    from->rendered, to->rendered);
	else if (found > 0)
		fail_refuse(fail, "already_exists",
			    "%s stays: %s exists already", from->rendered,
			    to->rendered);
	note_release(&there);
	return found == 0 ? 0 : -1;
}

/* Everything that can be refused, with nothing changed. */
static int
prepare(struct rename_job *job, struct fail *fail)
{
	int found = 0;

	job_reset(job);
	if (job->from.home >= 0)
		found = note_fetch(&job->note, job->from.home, job->from.at,
				   NOTE_ANY_BYTES, fail);
	if (found == 0)
		near_fail_not_found(job->from.home, job->from.at, fail);
	if (found <= 0 || check_target(job, fail) != 0)
		return -1;
	return compose(job, fail);
}

/* Both locks, within one deadline, in byte order of the homes' paths. */
static int
lock_both(struct rename_job *job, struct fail *fail)
{
	int64_t deadline = clock_monotonic_ms() + STORE_LOCK_MS;
	struct store *first = &job->from, *second = &job->to;
	int order = strcmp(first->at->home.directory,
			   second->at->home.directory);

	if (order > 0) {
		first = &job->to;
		second = &job->from;
	}
	if (store_lock(first, deadline, fail) != 0)
		return -1;
	return order == 0 ? 0 : store_lock(second, deadline, fail);
}

/* The move is done: what fails now has to say so. */
static int
fail_metadata(const struct rename_job *job, const char *reason,
	      struct fail *fail)
{
	fail_release(fail);
	return fail_refuse(fail, "io_error",
			   "the note has moved to %s, but its metadata could "
			   "not be updated: %s",
			   job->to.at->rendered, reason);
}

/* Also STORE_AGAIN: somebody has changed the note at its new address. */
static int
put_metadata(void *ctx, struct fail *fail)
{
	struct rename_job *job = ctx;
	struct store_how how = { .like = &job->note.st };
	struct beneath_fault fault;
	bool landed;

	job_reset(job);
	if (note_fetch(&job->note, job->to.home, job->to.at, NOTE_ANY_BYTES,
		       fail) <= 0 ||
	    compose(job, fail) != 0)
		return fail_metadata(job, "somebody changed it meanwhile",
				     fail);
	if (job->as_it_is)
		return 0;
	if (store_stamp_record(job->to.home, job->stamp) == 0 &&
	    store_replace(&job->to, buf_str(&job->file), &how, &landed,
			  &fault) == 0)
		return 0;
	return errno == ESTALE ? STORE_AGAIN
			       : fail_metadata(job, strerror(errno), fail);
}

/* Also STORE_AGAIN: one of the two names is not as it was. */
static int
move_locked(void *ctx, struct fail *fail)
{
	struct rename_job *job = ctx;

	return prepare(job, fail) != 0
		       ? -1
		       : store_move(&job->from, &job->to, &job->note, fail);
}

static int
move_and_update(struct rename_job *job, struct fail *fail)
{
	int rc = store_retry(move_locked, job, fail);

	if (rc == STORE_AGAIN)
		return store_fail_changed(job->from.at, fail);
	if (rc != 0)
		return rc;
	rc = store_retry(put_metadata, job, fail);
	return rc == STORE_AGAIN
		       ? fail_metadata(job, "somebody keeps changing it", fail)
		       : rc;
}

int
rename_move(const struct address *from, const struct address *to,
	    const struct identity *who, struct fail *fail)
{
	struct rename_job job = { .who = who,
				  .from = STORE_INIT,
				  .to = STORE_INIT,
				  .note = NOTE_INIT,
				  .file = BUF_INIT };
	int rc;

	rc = store_open(&job.from, from, who, fail);
	if (rc == 0)
		rc = store_open(&job.to, to, who, fail);
	/* No home is made for a rename that is refused. */
	if (rc == 0 && (job.from.home < 0 || job.to.home < 0))
		rc = prepare(&job, fail);
	if (rc == 0 && job.to.home < 0)
		rc = store_make(&job.to, who, fail);
	if (rc == 0)
		rc = lock_both(&job, fail);
	if (rc == 0)
		rc = move_and_update(&job, fail);
	store_close(&job.from);
	store_close(&job.to);
	job_reset(&job);
	buf_release(&job.file);
	return rc;
}

#include "notes/notes_edit.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "notes/front_matter_rewrite.h"
#include "notes/notes_path.h"
#include "notes/store.h"

const char *const notes_edit_outcomes[] = { "created",	 "changed", "unchanged",
					    "discarded", "gone",    NULL };

struct edit_job {
	struct notes_edit_result *result;
	const struct identity *who;
	const struct address *address;
	struct store store;
	struct buf before; /* the file as the editor gets it */
	size_t body;	   /* where its body begins */
	bool fresh;	   /* it was made for the editor */
};

/* ---- the editor -------------------------------------------------------- */

static const char *
editor(void)
{
	const char *visual = facts_variable("VISUAL");

	return visual != NULL ? visual : facts_variable("EDITOR");
}

/* An editor that nobody chose needs a terminal. */
static int
check_terminal(struct fail *fail)
{
	if (editor() != NULL ||
	    (isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1))
		return 0;
	return fail_invalid(fail, "no terminal to edit at; legal: VISUAL or "
				  "EDITOR set to a program");
}

/* What is printed when there is no terminal must not mix with the result. */
_Noreturn static void
become_editor(const char *path)
{
	struct buf script = BUF_INIT;

	(void)signal(SIGINT, SIG_DFL);
	(void)signal(SIGQUIT, SIG_DFL);
	(void)signal(SIGPIPE, SIG_DFL);
	(void)signal(SIGXFSZ, SIG_DFL);
	if (isatty(STDOUT_FILENO) != 1)
		(void)dup2(STDERR_FILENO, STDOUT_FILENO);
	buf_addf(&script, "%s \"$1\"", editor() != NULL ? editor() : "vi");
	(void)execl("/bin/sh", "sh", "-c", script.data, "notes-edit", path,
		    (char *)NULL);
	_exit(127);
}

/* Waits for it, as the shell does: an interrupt is the editor's. */
static int
run_editor(const char *path, struct fail *fail)
{
	void (*on_int)(int) = signal(SIGINT, SIG_IGN);
	void (*on_quit)(int) = signal(SIGQUIT, SIG_IGN);
	pid_t pid = fork();
	int status = 0, error = errno;

	if (pid == 0)
		become_editor(path);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	(void)signal(SIGINT, on_int);
	(void)signal(SIGQUIT, on_quit);
	if (pid < 0)
		return fail_environment(fail, "the editor: %s",
					strerror(error));
	if (WIFSIGNALED(status))
		return fail_environment(fail,
					"the editor was killed by signal "
					"%d; the file is as it left it",
					WTERMSIG(status));
	if (WEXITSTATUS(status) != 0)
		return fail_environment(fail,
					"the editor failed with status "
					"%d; the file is as it left it",
					WEXITSTATUS(status));
	return 0;
}

/* ---- before ------------------------------------------------------------ */

static void
compose_fresh(struct edit_job *job, int64_t stamp)
{
	struct note_meta meta = { .origin = NOTE_ORIGIN_USER,
				  .created_at = stamp,
				  .updated_at = stamp,
				  .last_accessed = stamp };

	buf_reset(&job->before);
	front_matter_compose(&job->before, &meta, STR(""));
}

/* Under the lock: the note as it is, or a fresh one. */
static int
prepare(void *ctx, struct fail *fail)
{
	struct edit_job *job = ctx;
	struct note note = NOTE_INIT;
	int64_t stamp = store_stamp_next(job->store.home, job->who->now);
	int found, rc = -1;

	found = note_fetch(&note, job->store.home, job->address,
			   NOTE_ANY_BYTES | NOTE_ANY_SIZE, fail);
	if (found > 0) {
		job->fresh = false;
		buf_reset(&job->before);
		buf_add_str(&job->before, buf_str(&note.file));
		job->body = note.fm.body;
		rc = 0;
	} else if (found == 0) {
		job->fresh = true;
		compose_fresh(job, stamp);
		job->body = job->before.len;
		rc = store_put(&job->store, buf_str(&job->before), &stamp, NULL,
			       fail);
	}
	note_release(&note);
	return rc;
}

/* Does step under the lock of the home, again where others interfere. */
static int
under_lock(struct edit_job *job, store_step *step, struct fail *fail)
{
	int rc = store_open(&job->store, job->address, job->who, fail);

	if (rc == 0 && job->store.home < 0)
		rc = store_make(&job->store, job->who, fail);
	if (rc == 0)
		rc = store_change(&job->store, step, job, fail);
	store_close(&job->store);
	return rc;
}

/* ---- after ------------------------------------------------------------- */

static bool
same_body(const struct edit_job *job, const struct note *now)
{
	return str_eq(str_from(buf_str(&job->before), job->body),
		      note_body(now));
}

/* A changed body counts as an update, where there is a block to say so. */
static int
stamp(struct edit_job *job, const struct note *now, struct fail *fail)
{
	int64_t at = store_stamp_next(job->store.home, job->who->now);
	struct front_matter_change change = { .set = FRONT_MATTER_BIT(
						      FRONT_MATTER_UPDATED_AT),
					      .to = { .updated_at = at } };
	struct fail refused = FAIL_INIT;
	struct buf file = BUF_INIT;
	int rc = 0;

	if (front_matter_rewrite(&now->fm, buf_str(&now->file), &now->meta,
				 &change, &file, &refused) == 0)
		rc = store_put(&job->store, buf_str(&file), &at, now, fail);
	else
		buf_add_str(&job->result->block_error,
			    buf_str(&refused.message));
	buf_release(&file);
	fail_release(&refused);
	return rc;
}

/* Whether the note is as it was made for the editor, or has no text now. */
static bool
is_left_empty(const struct edit_job *job, const struct note *now)
{
	return job->fresh && str_eq(buf_str(&job->before), buf_str(&now->file));
}

static int
discard(struct edit_job *job, struct fail *fail)
{
	struct buf path = BUF_INIT;
	int rc = notes_path_of(&path, job->address, job->who, fail);

	if (rc == 0 && unlink(path.data) != 0 && errno != ENOENT)
		rc = address_fail_io(job->address->rendered, errno, fail);
	buf_release(&path);
	return rc;
}

static int
take_over(void *ctx, struct fail *fail)
{
	struct edit_job *job = ctx;
	struct notes_edit_result *r = job->result;
	struct note now = NOTE_INIT;
	int found, rc = 0;

	buf_reset(&r->block_error);
	found = note_fetch(&now, job->store.home, job->address,
			   NOTE_ANY_BYTES | NOTE_ANY_SIZE, fail);
	if (found < 0) {
		rc = -1;
	} else if (found == 0) {
		r->outcome = job->fresh ? NOTES_EDIT_DISCARDED
					: NOTES_EDIT_GONE;
	} else if (is_left_empty(job, &now)) {
		r->outcome = NOTES_EDIT_DISCARDED;
		rc = discard(job, fail);
	} else if (str_eq(buf_str(&job->before), buf_str(&now.file))) {
		r->outcome = NOTES_EDIT_UNCHANGED;
	} else {
		r->outcome = job->fresh ? NOTES_EDIT_CREATED
					: NOTES_EDIT_CHANGED;
		if (now.fm.kind == FRONT_MATTER_BROKEN)
			buf_addf(&r->block_error, "line %zu: %s", now.fm.line,
				 now.fm.reason);
		else if (now.fm.kind == FRONT_MATTER_BLOCK &&
			 now.st.st_size <= NOTE_READ_MAX &&
			 !same_body(job, &now))
			rc = stamp(job, &now, fail);
	}
	note_release(&now);
	return rc;
}

/* After an editor that failed: only what was made for it goes. */
static int
clear_away(void *ctx, struct fail *fail)
{
	struct edit_job *job = ctx;
	struct note now = NOTE_INIT;
	int rc = 0;

	if (note_fetch(&now, job->store.home, job->address,
		       NOTE_ANY_BYTES | NOTE_ANY_SIZE, fail) > 0 &&
	    is_left_empty(job, &now))
		rc = discard(job, fail);
	note_release(&now);
	return rc;
}

/* ---- the operation ----------------------------------------------------- */

static int
edit(struct edit_job *job, struct fail *fail)
{
	struct fail ignored = FAIL_INIT;
	struct buf path = BUF_INIT;
	int rc;

	rc = under_lock(job, prepare, fail);
	if (rc == 0)
		rc = notes_path_of(&path, job->address, job->who, fail);
	if (rc == 0 && run_editor(path.data, fail) != 0) {
		(void)under_lock(job, clear_away, &ignored);
		rc = -1;
	}
	if (rc == 0)
		rc = under_lock(job, take_over, fail);
	buf_release(&path);
	fail_release(&ignored);
	return rc;
}

int
notes_edit_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct notes_edit_args *args = call->args;
	struct notes_edit_result *r = result;
	struct address address;
	struct identity who;
	struct edit_job job = { .result = r,
				.who = &who,
				.address = &address,
				.store = STORE_INIT,
				.before = BUF_INIT };
	int rc;

	buf_init(&r->block_error, BUF_UNLIMITED);
	rc = address_resolve(&address, &who, call->facts, &args->cwd,
			     &args->address, fail);
	if (rc == 0)
		rc = address_check_scope(&address, fail);
	if (rc == 0)
		rc = check_terminal(fail);
	if (rc == 0)
		rc = edit(&job, fail);
	if (rc == 0) {
		address_tell(&address, &who, &r->address, &r->project_key);
		if (r->block_error.len > 0)
			buf_addf(call->remarks,
				 "the front matter is not as it should be: "
				 "%s\n",
				 r->block_error.data);
	}
	buf_release(&job.before);
	address_release(&address);
	identity_release(&who);
	return rc;
}

void
notes_edit_text(const void *result, struct buf *out)
{
	const struct notes_edit_result *r = result;

	buf_addf(out, "%s ", notes_edit_outcomes[r->outcome]);
	address_identity(out, str_of(r->address), r->project_key);
}

void
notes_edit_release(void *result)
{
	struct notes_edit_result *r = result;

	free(r->address);
	free(r->project_key);
	buf_release(&r->block_error);
}

#include "lessons/lessons_add.h"

/* A new lesson, unless its wording is active there. */
static int
add(struct desk *d, struct new_lesson *n, struct memory_result *r,
    struct fail *fail)
{
	struct sql *s = &d->database.sql;
	struct deed deed = { &d->origin, d->now, { NULL, 0 } };
	char key[WORDING_KEY_SIZE];
	int rc;

	wording_key(n->text, key);
	if (sql_begin(s, fail) != 0)
		return -1;
	rc = lesson_active(s, n->scope, key, &r->id, fail);
	if (rc == 0)
		rc = lesson_add(s, n, &deed, &r->id, fail) == 0 &&
				     sql_commit(s, fail) == 0
			     ? 0
			     : -1;
	else if (rc == 1)
		r->status = STR("already exists");
	sql_rollback(s);
	return rc < 0 ? -1 : 0;
}

int
lessons_add_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct lessons_add_args *a = call->args;
	struct memory_result *r = result;
	struct new_lesson n = { .text = arg_str(a->text),
				.evidence = a->evidence.given
						    ? arg_str(a->evidence)
						    : STR("user-supplied"),
				.basis = BASIS_REQUEST };
	struct desk d;
	int rc = -1;

	if (a->global.v && a->supersedes.given)
		return fail_invalid(fail, "global: given together with "
					  "supersedes; legal: one of them, a "
					  "successor stays in its scope");
	if (desk_begin(&d, call, ORIGIN_USER, fail) != 0 ||
	    wording_check_words("text", n.text, d.settings.limits.lesson_words,
				fail) != 0 ||
	    (a->evidence.given &&
	     wording_check_words("evidence", n.evidence,
				 d.settings.limits.evidence_words,
				 fail) != 0) ||
	    desk_project(&d, fail) != 0 ||
	    desk_store(&d, !a->supersedes.given || d.database.exists, fail) !=
		    0)
		goto out;
	if (a->supersedes.given) {
		rc = memory_supersede(&d, a->supersedes.v, LOOKUP_NEAR, &n,
				      (struct str){ NULL, 0 }, r, fail);
	} else {
		n.scope = a->global.v ? STR(GLOBAL_SCOPE) : buf_str(&d.project);
		r->shape = MEMORY_SAVED;
		r->status = STR("saved");
		r->scope = keep_str(&r->keep, n.scope);
		rc = add(&d, &n, r, fail);
	}
out:
	desk_release(&d);
	return rc;
}

int
lessons_archive_run(const struct tool_call *call, void *result,
		    struct fail *fail)
{
	const struct lessons_archive_args *a = call->args;
	struct desk d;
	int rc = -1;

	if (desk_begin(&d, call, ORIGIN_USER, fail) == 0 &&
	    desk_project(&d, fail) == 0 &&
	    desk_store(&d, d.database.exists, fail) == 0)
		rc = memory_archive(&d, a->id.v,
				    a->anywhere.v ? LOOKUP_ANY : LOOKUP_NEAR,
				    arg_str(a->reason), result, fail);
	desk_release(&d);
	return rc;
}

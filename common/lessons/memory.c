#include "lessons/memory.h"

#include "lessons/candidate.h"
#include "lessons/review.h"

const char *const memory_actions[] = { "add", "supersede", "archive", NULL };

#define AT(member) offsetof(struct memory_result, member)
#define STATUS                                                               \
	{                                                                    \
		.name = "status", .type = FIELD_STRING, .offset = AT(status) \
	}
#define ID                                                            \
	{                                                             \
		.name = "id", .type = FIELD_INTEGER, .offset = AT(id) \
	}
#define SCOPE                                                              \
	{                                                                  \
		.name = "scope", .type = FIELD_STRING, .offset = AT(scope) \
	}

static const struct field staged_fields[] = {
	STATUS, { MEMBER(AT, message, FIELD_STRING) }, FIELD_END
};

static const struct field superseded_fields[] = { STATUS,
						  ID,
						  { .name = "supersedes_id",
						    .type = FIELD_INTEGER,
						    .offset = AT(supersedes) },
						  SCOPE,
						  FIELD_END };

static const struct field archived_fields[] = {
	ID,
	{ MEMBER(AT, archived, FIELD_BOOLEAN) },
	{ MEMBER(AT, changed, FIELD_BOOLEAN) },
	SCOPE,
	FIELD_END
};

static const struct field saved_fields[] = { ID, STATUS, SCOPE, FIELD_END };

const struct field *const memory_shapes[] = { staged_fields, superseded_fields,
					      archived_fields, saved_fields,
					      NULL };

/* ---- lessons by id ----------------------------------------------------- */

static int
not_found(int64_t id, struct fail *fail)
{
	return fail_refuse(fail, "not_found",
			   "no lesson #%lld in this project or global",
			   (long long)id);
}

int
memory_find(struct desk *d, int64_t id, enum lookup lookup,
	    struct lesson *lesson, struct fail *fail)
{
	int rc = lesson_get(&d->database.sql, id, &d->keep, lesson, fail);

	if (rc < 0)
		return -1;
	if (rc == 1 && (lookup == LOOKUP_ANY ||
			str_eq(lesson->scope, buf_str(&d->project)) ||
			str_is(lesson->scope, GLOBAL_SCOPE)))
		return 0;
	if (rc == 0 || lookup == LOOKUP_MODEL)
		return lookup == LOOKUP_MODEL
			       ? not_found(id, fail)
			       : fail_refuse(fail, "not_found",
					     "no lesson #%lld", (long long)id);
	return fail_refuse(fail, "out_of_scope",
			   "lesson #%lld belongs to %.*s; --anywhere takes it "
			   "all the same",
			   (long long)id, (int)lesson->scope.n,
			   lesson->scope.s);
}

int
memory_archive(struct desk *d, int64_t id, enum lookup lookup,
	       struct str reason, struct memory_result *r, struct fail *fail)
{
	struct sql *s = &d->database.sql;
	struct deed deed = { &d->origin, d->now, reason };
	struct lesson lesson;
	int rc = -1;

	if (sql_begin(s, fail) != 0)
		return -1;
	if (memory_find(d, id, lookup, &lesson, fail) != 0)
		goto out;
	r->shape = MEMORY_ARCHIVED;
	r->id = id;
	r->archived = true;
	r->changed = !lesson.archived;
	r->scope = keep_str(&r->keep, lesson.scope);
	if (lesson.archived)
		rc = 0;
	else if (lesson_archive(s, &lesson, &deed, fail) == 0)
		rc = sql_commit(s, fail);
out:
	sql_rollback(s);
	return rc;
}

int
memory_supersede(struct desk *d, int64_t id, enum lookup lookup,
		 struct new_lesson *n, struct str reason,
		 struct memory_result *r, struct fail *fail)
{
	struct sql *s = &d->database.sql;
	struct deed deed = { &d->origin, d->now, reason };
	struct lesson old;
	int rc = -1;

	if (sql_begin(s, fail) != 0)
		return -1;
	if (memory_find(d, id, lookup, &old, fail) != 0)
		goto out;
	if (old.archived) {
		rc = fail_refuse(fail, "archived",
				 "lesson #%lld is archived; only an active "
				 "one can be replaced",
				 (long long)id);
		goto out;
	}
	n->scope = old.scope;
	if (lesson_supersede(s, &old, n, &deed, &r->id, fail) != 0)
		goto out;
	r->shape = MEMORY_SUPERSEDED;
	r->status = STR("superseded");
	r->supersedes = id;
	r->scope = keep_str(&r->keep, old.scope);
	rc = sql_commit(s, fail);
out:
	sql_rollback(s);
	return rc;
}

/* ---- the model's tool -------------------------------------------------- */

static int
missing(const char *field, enum memory_action action, const char *legal,
	struct fail *fail)
{
	return fail_invalid(fail,
			    "%s: nothing given; legal: %s, which `%s` "
			    "needs",
			    field, legal, memory_actions[action]);
}

/* What an action needs beyond its fields' own rules. */
static int
check_needs(const struct memory_args *a, struct fail *fail)
{
	enum memory_action action = (enum memory_action)a->action.v;

	if (action != MEMORY_ADD && !a->id.given)
		return missing("id", action, "id of a lesson", fail);
	if (action == MEMORY_ARCHIVE)
		return 0;
	if (!a->text.given)
		return missing("text", action, "text", fail);
	if (!a->evidence.given)
		return missing("evidence", action, "text", fail);
	if (!a->basis.given)
		return missing("basis", action,
			       "one of validated_learning, validated_fix, "
			       "user_request",
			       fail);
	return 0;
}

/* Also of fields that the action does not use. */
static int
check_words(const struct desk *d, const struct memory_args *a,
	    struct fail *fail)
{
	const struct limits *l = &d->settings.limits;

	if (a->text.given && wording_check_words("text", str_of(a->text.s),
						 l->lesson_words, fail) != 0)
		return -1;
	return a->evidence.given
		       ? wording_check_words("evidence", str_of(a->evidence.s),
					     l->evidence_words, fail)
		       : 0;
}

static int
check_blocked(struct desk *d, struct fail *fail)
{
	struct staged review;
	int rc = sidecar_open_review(&d->sidecar, desk_session_key(d), &d->keep,
				     &review, fail);

	if (rc < 0)
		return -1;
	if (rc == 1)
		return review_pending(&review, fail);
	if (d->session.barrier)
		return fail_block(fail, "barrier",
				  "writes are blocked until a fresh prompt "
				  "(lessons-session prompt)");
	return 0;
}

static int
check_ephemeral(const struct desk *d, const struct memory_args *a,
		struct fail *fail)
{
	if (!desk_ephemeral(d) ||
	    (a->basis.given && a->basis.v == BASIS_REQUEST))
		return 0;
	return fail_refuse(fail, "ephemeral_session",
			   "%s only writes what the user asked for: basis "
			   "user_request",
			   d->origin.has_session ? "an ephemeral session"
						 : "a process without a "
						   "session");
}

/* Tells the sidecar of the session, unless it knows it. */
static int
register_session(struct desk *d, struct fail *fail)
{
	if (!d->origin.has_session || d->session.known)
		return 0;
	if (d->sidecar.sql.db != NULL)
		sql_close(&d->sidecar.sql);
	if (sidecar_open(&d->sidecar, SIDECAR_MAKE, fail) != 0)
		return -1;
	return sidecar_register(&d->sidecar, desk_session_key(d), fail);
}

static int
act(struct desk *d, const struct memory_args *a, struct memory_result *r,
    struct fail *fail)
{
	struct new_lesson n = { .text = arg_str(a->text),
				.evidence = arg_str(a->evidence),
				.basis = a->basis.given ? (enum basis)a->basis.v
							: BASIS_LEARNING };
	struct str reason = arg_str(a->reason);

	if (a->action.v == MEMORY_ARCHIVE)
		return memory_archive(d, a->id.v, LOOKUP_MODEL, reason, r,
				      fail);
	if (a->action.v == MEMORY_SUPERSEDE)
		return memory_supersede(d, a->id.v, LOOKUP_MODEL, &n, reason, r,
					fail);
	r->shape = MEMORY_STAGED;
	r->status = STR("candidate staged");
	r->message = STR("Stored as a private candidate of this session. Only "
			 "an evaluation approved by the user can publish it.");
	return candidate_stage(&d->database.sql, buf_str(&d->project), &n,
			       &d->origin, desk_lineage(d), reason, d->now,
			       fail);
}

int
memory_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct memory_args *a = call->args;
	struct memory_result *r = result;
	struct desk d;
	bool write;
	int rc = -1;

	if (check_needs(a, fail) != 0)
		return -1;
	if (desk_begin(&d, call, ORIGIN_MODEL, fail) != 0 ||
	    check_words(&d, a, fail) != 0 ||
	    desk_sidecar(&d, SIDECAR_READ, fail) != 0 ||
	    check_blocked(&d, fail) != 0 || desk_project(&d, fail) != 0 ||
	    check_ephemeral(&d, a, fail) != 0)
		goto out;
	/* What is not there cannot be found in it: no store is made for that. */
	write = a->action.v == MEMORY_ADD || d.database.exists;
	if (desk_store(&d, write, fail) == 0 &&
	    (!write || register_session(&d, fail) == 0))
		rc = act(&d, a, r, fail);
out:
	desk_release(&d);
	return rc;
}

void
memory_text(const void *result, struct buf *out)
{
	const struct memory_result *r = result;

	switch ((enum memory_shape)r->shape) {
	case MEMORY_STAGED:
		buf_add_str(out, r->message);
		return;
	case MEMORY_SUPERSEDED:
		buf_addf(out, "lesson #%lld replaces #%lld in ",
			 (long long)r->id, (long long)r->supersedes);
		break;
	case MEMORY_ARCHIVED:
		buf_addf(out, "lesson #%lld %s in ", (long long)r->id,
			 r->changed ? "archived" : "was already archived");
		break;
	case MEMORY_SAVED:
		buf_addf(out, "#%lld %.*s in ", (long long)r->id,
			 (int)r->status.n, r->status.s);
		break;
	}
	wording_show_line(out, r->scope);
}

void
memory_release(void *result)
{
	keep_release(&((struct memory_result *)result)->keep);
}

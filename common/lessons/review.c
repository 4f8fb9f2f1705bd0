#include "lessons/review.h"

#include <stdlib.h>
#include <string.h>

#include "lessons/audit.h"
#include "lessons/evaluation.h"

const char *
review_command(enum review_kind kind)
{
	return kind == REVIEW_AUDIT ? "lessons-audit" : "lessons-evaluate";
}

int
review_pending(const struct staged *staged, struct fail *fail)
{
	const char *command = review_command(staged->kind);

	if (staged->state == REVIEW_SUBMITTED)
		return fail_block(fail, "review_pending",
				  "review pending: decide with lessons-review "
				  "%s, or drop it with `%s cancel`",
				  staged->id.s, command);
	return fail_block(fail, "review_pending",
			  "review pending: %s %s waits for its proposal; drop "
			  "it with `%s cancel`",
			  review_kinds[staged->kind], staged->id.s, command);
}

/* ---- taken apart ------------------------------------------------------- */

int
review_load(struct review *r, const struct limits *limits, struct fail *fail)
{
	struct staged *s = &r->staged;

	if (s->kind == REVIEW_AUDIT) {
		r->audit = audit_new();
		if (audit_parse(r->audit, s->snapshot, fail) != 0)
			return -1;
		return s->proposal.s == NULL
			       ? 0
			       : audit_parse_proposal(r->audit, s->proposal,
						      fail);
	}
	r->evaluation = evaluation_new();
	if (evaluation_parse(r->evaluation, s->snapshot, fail) != 0)
		return -1;
	if (s->proposal.s == NULL)
		return 0;
	if (evaluation_parse_proposal(r->evaluation, s->proposal, fail) != 0)
		return -1;
	evaluation_qualify(r->evaluation, limits);
	return 0;
}

void
review_release(struct review *r)
{
	audit_free(r->audit);
	evaluation_free(r->evaluation);
	r->audit = NULL;
	r->evaluation = NULL;
}

size_t
review_items(const struct review *r)
{
	if (r->audit != NULL)
		return r->audit->changes_n;
	return r->evaluation != NULL ? r->evaluation->n : 0;
}

/* ---- whether it still holds -------------------------------------------- */

int
review_drop(struct desk *d, const struct staged *staged, struct fail *fail)
{
	struct buf outcome = BUF_INIT;
	struct fail gone = FAIL_INIT;
	int rc;

	fail_refuse(&gone, "no_matching_review",
		    "no matching pending %s: %s was closed; start one with %s",
		    review_kinds[staged->kind], staged->id.s,
		    review_command(staged->kind));
	outcome_write(NULL, &gone, &outcome);
	rc = sidecar_close(&d->sidecar, staged->id, (struct str){ NULL, 0 },
			   buf_str(&outcome), fail);
	buf_release(&outcome);
	fail_release(&gone);
	return rc < 0 ? -1 : 0;
}

static int
invalidated(struct desk *d, const struct staged *staged, const char *what,
	    struct fail *fail)
{
	if (review_drop(d, staged, fail) != 0)
		return -1;
	return fail_refuse(fail, "invalidated",
			   "the %s changed since %s %s was started, which is "
			   "closed; start a new one with %s",
			   what, review_kinds[staged->kind], staged->id.s,
			   review_command(staged->kind));
}

int
review_context(struct desk *d, const struct staged *staged, struct str project,
	       struct fail *fail)
{
	struct session session;
	char hash[WORDING_KEY_SIZE];

	if (sidecar_session(&d->sidecar, staged->session, &d->keep, &session,
			    fail) != 0)
		return -1;
	if (session.epoch != staged->epoch)
		return fail_refuse(fail, "no_matching_review",
				   "no matching pending %s: its session went "
				   "on since; start one with %s",
				   review_kinds[staged->kind],
				   review_command(staged->kind));
	desk_config_hash(d, hash);
	if (!str_is(staged->config_hash, hash))
		return invalidated(d, staged, "configuration or the database",
				   fail);
	if (project.s != NULL && !str_eq(project, staged->project))
		return invalidated(d, staged, "project", fail);
	return 0;
}

int
review_check(const struct review *r, const struct decision *decision,
	     struct fail *fail)
{
	size_t i;

	if (decision->verdict == VERDICT_CANCEL)
		return 0;
	if ((decision->verdict == VERDICT_APPLY) != (r->audit != NULL))
		return fail_refuse(fail, "bad_decision",
				   "%s is not a decision on an %s; legal: %s "
				   "or cancel",
				   r->audit != NULL ? "finish" : "apply",
				   review_kinds[r->staged.kind],
				   r->audit != NULL ? "apply" : "finish");
	if (r->evaluation == NULL)
		return 0;
	for (i = 0; i < r->evaluation->n; i++) {
		const struct evaluation_group *g = &r->evaluation->groups[i];

		if (decision->approve[i] && !evaluation_may(g))
			return fail_refuse(
				fail, "not_eligible",
				"group %zu cannot be promoted: %s "
				"(occurrences %lld of %lld, projects %lld of "
				"%lld)",
				i,
				g->recommend ? "it does not qualify"
					     : "it is not recommended",
				(long long)g->qualification.occurrences,
				(long long)g->qualification.needed,
				(long long)g->qualification.projects,
				(long long)g->qualification.needed_projects);
	}
	return 0;
}

/* ---- carrying it out --------------------------------------------------- */

/* Who applied it: the session that started it, the model that proposed. */
static void
deciding_origin(struct origin *o, const struct staged *staged)
{
	origin_init(o);
	o->actor = ORIGIN_USER;
	buf_add_str(&o->harness, staged->harness);
	buf_add_str(&o->session, staged->session);
	o->has_session = staged->session.n > 0;
	buf_add_str(&o->provider, staged->provider);
	o->has_provider = staged->provider.s != NULL;
	buf_add_str(&o->model, staged->model);
	o->has_model = staged->model.s != NULL;
}

static int
carry_out(struct desk *d, struct review *r, const struct decision *decision,
	  struct review_result *result, struct fail *fail)
{
	struct origin origin;
	struct deed deed = { &origin, d->now, { NULL, 0 } };
	int rc;

	deciding_origin(&origin, &r->staged);
	if (desk_store(d, true, fail) != 0)
		rc = -1;
	else if (r->audit != NULL)
		rc = audit_apply(r->audit, &d->database.sql, &deed, result,
				 fail);
	else
		rc = evaluation_finish(r->evaluation, &d->database.sql,
				       decision, &deed, result, fail);
	origin_release(&origin);
	return rc;
}

static int
gone(const struct staged *staged, struct fail *fail)
{
	return fail_refuse(fail, "no_matching_review",
			   "no matching pending %s: %s was closed meanwhile; "
			   "start one with %s",
			   review_kinds[staged->kind], staged->id.s,
			   review_command(staged->kind));
}

static void
cancelled(const struct review *r, struct review_result *result)
{
	result->status = REVIEW_CANCELLED;
	result->message =
		r->audit != NULL
			? STR("The user cancelled the audit; nothing was "
			      "changed.")
			: STR("The user cancelled the evaluation; no judgment "
			      "or promotion was saved.");
}

/* A failure after the review was closed says so. */
static void
say_closed(const struct staged *staged, struct fail *fail)
{
	struct buf message = BUF_INIT;

	if (fail->kind != FAIL_ENVIRONMENT)
		return;
	buf_add_str(&message, buf_str(&fail->message));
	fail_environment(
		fail, "%s; %s %s is closed and nothing of it was applied",
		message.data, review_kinds[staged->kind], staged->id.s);
	buf_release(&message);
}

int
review_decide(struct desk *d, struct review *r, const struct decision *decision,
	      struct review_result *result, struct fail *fail)
{
	bool cancel = decision->verdict == VERDICT_CANCEL;
	struct buf holder = BUF_INIT, outcome = BUF_INIT;
	struct str none = { NULL, 0 };
	struct fail ignored = FAIL_INIT;
	int rc;

	sidecar_holder(&holder);
	if (cancel) {
		cancelled(r, result);
		outcome_write(result, NULL, &outcome);
	}
	rc = sidecar_close(&d->sidecar, r->staged.id, buf_str(&holder),
			   cancel ? buf_str(&outcome) : none, fail);
	if (rc == 0)
		rc = gone(&r->staged, fail);
	else if (rc == 1)
		rc = 0;
	if (rc == 0 && !cancel) {
		rc = carry_out(d, r, decision, result, fail);
		if (rc != 0)
			say_closed(&r->staged, fail);
		outcome_write(result, rc == 0 ? NULL : fail, &outcome);
		/* It is done: that it cannot be told to others changes nothing. */
		(void)sidecar_outcome(&d->sidecar, r->staged.id,
				      buf_str(&outcome), &ignored);
	}
	fail_release(&ignored);
	buf_release(&holder);
	buf_release(&outcome);
	return rc;
}

#include "lessons/lessons_session.h"

#include "lessons/review.h"

const char *const lessons_session_actions[] = { "start",  "prompt", "compact",
						"branch", "end",    "show",
						NULL };

/* The root of the session that this one is a fork of, which gets registered. */
static int
fork_root(struct desk *d, struct str id, struct str *root, struct fail *fail)
{
	struct session parent;

	if (sidecar_register(&d->sidecar, id, fail) != 0 ||
	    sidecar_session(&d->sidecar, id, &d->keep, &parent, fail) != 0)
		return -1;
	*root = parent.root;
	return 0;
}

static int
start(struct desk *d, const struct lessons_session_args *a, struct str fork_of,
      struct fail *fail)
{
	struct session *s = &d->session;
	struct str root = s->root;

	if (fork_of.s != NULL && fork_root(d, fork_of, &root, fail) != 0)
		return -1;
	if (s->known && fork_of.s != NULL && !str_eq(root, s->root))
		return fail_refuse(fail, "lineage_fixed",
				   "the root of session %s is %s and stays "
				   "so; %s was given",
				   d->origin.session.data, s->root.s, root.s);
	if (!s->known)
		s->root = root;
	s->ephemeral = a->ephemeral.v;
	return 0;
}

static int
change(struct desk *d, const struct lessons_session_args *a, struct str fork_of,
       struct lessons_session_result *r, struct fail *fail)
{
	struct staged review;
	int rc;

	if (a->action.v == SESSION_START && start(d, a, fork_of, fail) != 0)
		return -1;
	rc = sidecar_open_review(&d->sidecar, desk_session_key(d), &d->keep,
				 &review, fail);
	if (rc < 0)
		return -1;
	if (a->action.v == SESSION_PROMPT) {
		if (rc == 0)
			d->session.barrier = false;
	} else {
		d->session.epoch++;
		if (rc == 1) {
			if (review_drop(d, &review, fail) != 0)
				return -1;
			r->dropped = keep_str(&r->keep, review.id);
		}
	}
	return sidecar_put_session(&d->sidecar, desk_session_key(d),
				   &d->session, fail);
}

static int
check_options(const struct lessons_session_args *a, struct str *fork_of,
	      struct fail *fail)
{
	struct str harness;

	*fork_of = (struct str){ NULL, 0 };
	if (a->action.v != SESSION_START &&
	    (a->fork_of.given || a->ephemeral.given))
		return fail_invalid(fail,
				    "%s: given with another action; "
				    "legal: with start only",
				    a->fork_of.given ? "fork_of" : "ephemeral");
	if (a->fork_of.given &&
	    !origin_session_id(str_of(a->fork_of.s), &harness, fork_of))
		return fail_invalid(fail, "fork_of: no session given; legal: "
					  "<host>:<id> or an id of 1 to 160 "
					  "UTF-16 units without control "
					  "characters");
	return 0;
}

int
lessons_session_run(const struct tool_call *call, void *result,
		    struct fail *fail)
{
	const struct lessons_session_args *a = call->args;
	struct lessons_session_result *r = result;
	bool show = a->action.v == SESSION_SHOW;
	struct str fork_of;
	struct desk d;
	int rc = -1;

	if (check_options(a, &fork_of, fail) != 0)
		return -1;
	if (desk_begin(&d, call, ORIGIN_USER, fail) != 0)
		goto out;
	if (!d.origin.has_session) {
		fail_refuse(fail, "no_session",
			    "there is no session; legal: CTX_SESSION or "
			    "--session");
		goto out;
	}
	if (desk_sidecar(&d, show ? SIDECAR_READ : SIDECAR_MAKE, fail) != 0)
		goto out;
	if (!show) {
		/* Anew inside the transaction: others may have changed it. */
		if (sql_begin(&d.sidecar.sql, fail) != 0 ||
		    sidecar_session(&d.sidecar, desk_session_key(&d), &d.keep,
				    &d.session, fail) != 0 ||
		    change(&d, a, fork_of, r, fail) != 0 ||
		    sql_commit(&d.sidecar.sql, fail) != 0)
			goto out;
	}
	r->session = keep_str(&r->keep, desk_session_key(&d));
	r->root = keep_str(&r->keep, d.session.root);
	r->ephemeral = d.session.ephemeral;
	r->barrier = d.session.barrier;
	r->epoch = d.session.epoch;
	rc = 0;
out:
	desk_release(&d);
	return rc;
}

void
lessons_session_text(const void *result, struct buf *out)
{
	const struct lessons_session_result *r = result;

	buf_adds(out, "session ");
	wording_show_line(out, r->session);
	buf_adds(out, ": root ");
	wording_show_line(out, r->root);
	buf_addf(out, ", epoch %lld", (long long)r->epoch);
	if (r->ephemeral)
		buf_adds(out, ", ephemeral");
	if (r->barrier)
		buf_adds(out, ", writes blocked until the next prompt");
	if (r->dropped.s != NULL)
		buf_addf(out, ", review %s dropped", r->dropped.s);
}

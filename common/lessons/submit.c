#include "lessons/submit.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "lessons/audit.h"
#include "lessons/dialog.h"

#define LOOK_MS 100

static int
by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

int64_t
submit_repeated(int64_t *ids, size_t n)
{
	size_t i;

	qsort(ids, n, sizeof(*ids), by_value);
	for (i = 1; i < n; i++)
		if (ids[i] == ids[i - 1])
			return ids[i];
	return 0;
}

static int
no_match(enum review_kind kind, struct fail *fail)
{
	return fail_refuse(fail, "no_matching_review",
			   "no matching pending %s: it is closed, of another "
			   "session, or never was; the user starts one with %s",
			   review_kinds[kind], review_command(kind));
}

int
submit_match(struct desk *d, enum review_kind kind, struct str id,
	     struct review *r, struct fail *fail)
{
	int rc;

	if (desk_sidecar(d, SIDECAR_CHANGE, fail) != 0)
		return -1;
	rc = sidecar_review(&d->sidecar, id, &d->keep, &r->staged, fail);
	if (rc < 0)
		return -1;
	if (rc == 0 || r->staged.state == REVIEW_CLOSED ||
	    r->staged.kind != kind ||
	    (d->origin.has_session &&
	     !str_eq(r->staged.session, desk_session_key(d))))
		return no_match(kind, fail);
	if (r->staged.state == REVIEW_SUBMITTED)
		return review_pending(&r->staged, fail);
	if (desk_project(d, fail) != 0 ||
	    review_context(d, &r->staged, buf_str(&d->project), fail) != 0)
		return -1;
	return review_load(r, &d->settings.limits, fail);
}

/* ---- waiting ----------------------------------------------------------- */

/* Tells the person at once: the result may be long in coming. */
static void
announce(const struct desk *d, const struct staged *staged)
{
	struct buf line = BUF_INIT;
	size_t i;

	buf_adds(&line, d->call->tool->name);
	for (i = 0; i < line.len; i++)
		if (line.data[i] == '_')
			line.data[i] = '-';
	buf_addf(&line, ": review pending: decide with lessons-review %s\n",
		 staged->id.s);
	(void)io_write_all(STDERR_FILENO, line.data, line.len);
	buf_release(&line);
}

static int
unknown_outcome(const struct staged *staged, struct fail *fail)
{
	return fail_refuse(fail, "unknown_outcome",
			   "%s %s was closed by a process that ended before it "
			   "said what came of it; lessons-history of its "
			   "lessons tells whether it was applied",
			   review_kinds[staged->kind], staged->id.s);
}

static int
wait_for_decision(struct desk *d, const struct staged *staged, int64_t wait_ms,
		  struct review_result *result, struct fail *fail)
{
	int64_t deadline = clock_monotonic_ms() + wait_ms;
	struct watched w = { .closed = false };
	bool dead = false;
	int rc;

	announce(d, staged);
	for (;;) {
		struct keep keep = { NULL, 0, 0 };

		rc = sidecar_watch(&d->sidecar, staged->id, &keep, &w, fail);
		if (rc == 1 && w.closed && w.result.s != NULL)
			rc = outcome_read(w.result, result, fail);
		else if (rc == 1 && w.closed && dead)
			rc = unknown_outcome(staged, fail);
		else if (rc == 0)
			rc = no_match(staged->kind, fail);
		/* Looked at once more: it may have said it as it ended. */
		dead = w.closed && !sidecar_alive(w.holder);
		keep_release(&keep);
		if (rc != 1)
			return rc;
		if (!w.closed && clock_monotonic_ms() >= deadline)
			return fail_block(fail, "review_pending",
					  "review pending: decide with "
					  "lessons-review %s",
					  staged->id.s);
		clock_sleep_ms(LOOK_MS);
	}
}

/* ---- asking ------------------------------------------------------------ */

struct watching {
	struct desk *desk;
	const struct staged *staged;
};

/* Whether the review that is shown still is open. */
static bool
is_open(void *ctx)
{
	struct watching *w = ctx;
	struct keep keep = { NULL, 0, 0 };
	struct watched now = { .closed = false };
	struct fail fail = FAIL_INIT;
	bool open;

	open = sidecar_watch(&w->desk->sidecar, w->staged->id, &keep, &now,
			     &fail) != 1 ||
	       !now.closed;
	keep_release(&keep);
	fail_release(&fail);
	return open;
}

int
submit_ask_now(struct desk *d, struct review *r, struct channel *c,
	       struct review_result *result, struct fail *fail)
{
	struct watching watching = { d, &r->staged };
	struct decision decision;

	c->still = is_open;
	c->ctx = &watching;
	dialog_run(c, r, d, &d->keep, &decision);
	if (review_context(d, &r->staged, (struct str){ NULL, 0 }, fail) != 0)
		return -1;
	return review_decide(d, r, &decision, result, fail);
}

static int
close_empty(struct desk *d, struct review *r, struct review_result *result,
	    struct fail *fail)
{
	struct buf outcome = BUF_INIT;
	int rc;

	result->status = REVIEW_NO_CHANGES;
	outcome_write(result, NULL, &outcome);
	rc = sidecar_close(&d->sidecar, r->staged.id, (struct str){ NULL, 0 },
			   buf_str(&outcome), fail);
	buf_release(&outcome);
	if (rc == 0)
		return no_match(r->staged.kind, fail);
	return rc < 0 ? -1 : 0;
}

static int
submit(struct desk *d, struct review *r, struct str proposal,
       const struct channel *c, struct fail *fail)
{
	struct buf holder = BUF_INIT;
	int rc;

	if (c->kind != CHANNEL_WAIT)
		sidecar_holder(&holder);
	rc = sidecar_submit(
		&d->sidecar, r->staged.id, proposal,
		holder.len > 0 ? buf_str(&holder) : (struct str){ NULL, 0 },
		origin_provider(&d->origin), origin_model(&d->origin), fail);
	buf_release(&holder);
	r->staged.state = REVIEW_SUBMITTED;
	r->staged.provider = keep_str(&d->keep, origin_provider(&d->origin));
	r->staged.model = keep_str(&d->keep, origin_model(&d->origin));
	if (rc == 0)
		return no_match(r->staged.kind, fail);
	return rc < 0 ? -1 : 0;
}

int
submit_ask(struct desk *d, struct review *r, struct str proposal,
	   const struct channel_args *args, struct review_result *result,
	   struct fail *fail)
{
	struct channel c;
	int rc;

	if (channel_open(&c, args, fail) != 0)
		rc = -1;
	else if (c.kind == CHANNEL_NONE)
		rc = fail_refuse(fail, "no_ui",
				 "nobody can be asked here: there is no "
				 "terminal; with --wait SECONDS the user can "
				 "decide elsewhere, with lessons-review");
	else if (r->audit != NULL && r->audit->changes_n == 0)
		rc = close_empty(d, r, result, fail);
	else if (submit(d, r, proposal, &c, fail) != 0)
		rc = -1;
	else if (c.kind == CHANNEL_WAIT)
		rc = wait_for_decision(d, &r->staged, c.wait_ms, result, fail);
	else
		rc = submit_ask_now(d, r, &c, result, fail);
	channel_close(&c);
	if (rc == 0)
		review_result_fit(d->call->tool, result);
	return rc;
}

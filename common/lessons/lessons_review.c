#include "lessons/lessons_review.h"

#include "lessons/decision.h"
#include "lessons/dialog.h"
#include "lessons/submit.h"
#include "tool/budget.h"

#define DECISION_MAX (4 << 20)
#define SHOWN_MOST 1000

/* ---- which review ------------------------------------------------------ */

static int
no_review(const char *id, struct fail *fail)
{
	return fail_refuse(fail, "no_matching_review",
			   "no matching pending audit, no matching pending "
			   "evaluation%s%s: start one with lessons-audit or "
			   "lessons-evaluate",
			   id == NULL ? "" : ": ", id == NULL ? "" : id);
}

static int
find_review(struct desk *d, const struct lessons_review_args *a,
	    struct staged *staged, struct fail *fail)
{
	struct staged found[10];
	struct buf list = BUF_INIT;
	long n, i;
	int rc;

	if (a->id.given) {
		rc = sidecar_review(&d->sidecar, str_of(a->id.s), &d->keep,
				    staged, fail);
		if (rc < 0)
			return -1;
		return rc == 0 || staged->state == REVIEW_CLOSED
			       ? no_review(a->id.s, fail)
			       : 0;
	}
	n = sidecar_reviews(&d->sidecar, true, &d->keep, found, 10, fail);
	if (n < 0)
		return -1;
	if (n == 0)
		return no_review(NULL, fail);
	*staged = found[0];
	if (n == 1)
		return 0;
	for (i = 0; i < n; i++)
		buf_addf(&list, "%s%s %s", i == 0 ? "" : ", ",
			 review_kinds[found[i].kind], found[i].id.s);
	rc = fail_refuse(fail, "ambiguous_review",
			 "several reviews are submitted, name one: %s",
			 list.data);
	buf_release(&list);
	return rc;
}

/* ---- showing ----------------------------------------------------------- */

struct shown {
	struct review_row *rows;
	struct str *bodies;
	size_t n, total;
	struct review_result *result;
	const struct tool *tool;
};

static bool
shown_fits(void *ctx, size_t k)
{
	struct shown *s = ctx;
	struct buf *text = &s->result->shown;
	size_t i;

	s->result->reviews = (struct field_list){ s->rows, k };
	buf_reset(text);
	for (i = 0; i < k; i++)
		buf_addf(text, "%s%.*s", i == 0 ? "" : "\n\n",
			 (int)s->bodies[i].n, s->bodies[i].s);
	if (k < s->total)
		buf_addf(text, "%s[%zu more reviews]", k == 0 ? "" : "\n\n",
			 s->total - k);
	else if (k == 0)
		buf_adds(text, "no reviews");
	s->result->omitted = (int64_t)(s->total - k);
	return budget_holds(s->tool, s->result);
}

static int
show_one(struct desk *d, const struct staged *staged, struct review_row *row,
	 struct str *body, struct fail *fail)
{
	struct review r = { .staged = *staged };
	struct buf text = BUF_INIT;
	int rc = 0;

	buf_addf(&text, "%s %s, %s, session ", review_kinds[staged->kind],
		 staged->id.s, review_states[staged->state]);
	wording_show_line(&text, staged->session.n == 0 ? STR("none")
							: staged->session);
	buf_adds(&text, ", ");
	wording_show_line(&text, staged->project);
	if (staged->state == REVIEW_SUBMITTED) {
		rc = review_load(&r, &d->settings.limits, fail);
		if (rc == 0) {
			buf_adds(&text, "\n\n");
			dialog_body(&r, &text);
			while (text.len > 0 && text.data[text.len - 1] == '\n')
				buf_truncate(&text, text.len - 1);
		}
	}
	*row = (struct review_row){ staged->id,
				    (int)staged->kind,
				    (int)staged->state,
				    staged->session,
				    staged->project,
				    staged->created_at,
				    rc == 0 ? (int64_t)review_items(&r) : 0 };
	*body = keep_str(&d->keep, buf_str(&text));
	review_release(&r);
	buf_release(&text);
	return rc;
}

static void
keep_row(struct keep *keep, struct review_row *row)
{
	row->id = keep_str(keep, row->id);
	row->session = keep_str(keep, row->session);
	row->project = keep_str(keep, row->project);
}

static int
show(struct desk *d, const struct lessons_review_args *a,
     struct review_result *result, struct fail *fail)
{
	struct staged *found = keep_bytes(&d->keep, SHOWN_MOST, sizeof(*found));
	struct shown s = { .result = result, .tool = d->call->tool };
	long n = 1, i;
	size_t k;

	if (a->id.given) {
		if (find_review(d, a, &found[0], fail) != 0)
			return -1;
	} else {
		n = sidecar_reviews(&d->sidecar, false, &d->keep, found,
				    SHOWN_MOST, fail);
		if (n < 0)
			return -1;
	}
	result->status = REVIEW_SHOWN;
	buf_init(&result->shown, BUF_UNLIMITED);
	s.total = (size_t)n;
	s.rows = keep_bytes(&result->keep, s.total, sizeof(*s.rows));
	s.bodies = keep_bytes(&d->keep, s.total, sizeof(*s.bodies));
	for (i = 0; i < n; i++) {
		if (show_one(d, &found[i], &s.rows[i], &s.bodies[i], fail) != 0)
			return -1;
		keep_row(&result->keep, &s.rows[i]);
	}
	k = budget_items(0, s.total, shown_fits, &s);
	(void)shown_fits(&s, k == BUDGET_NONE ? 0 : k);
	return 0;
}

/* ---- the program ------------------------------------------------------- */

static int
ask(struct desk *d, const struct lessons_review_args *a, struct review *r,
    struct review_result *result, struct fail *fail)
{
	struct channel c;
	int rc;

	if (channel_open(&c, &a->channel, fail) != 0)
		rc = -1;
	else if (c.kind == CHANNEL_LINES || c.kind == CHANNEL_TERMINAL)
		rc = submit_ask_now(d, r, &c, result, fail);
	else
		rc = fail_refuse(fail, "no_ui",
				 "nobody can be asked here: there is no "
				 "terminal, and --wait is for those who "
				 "propose; decide with lessons-review "
				 "--decision");
	channel_close(&c);
	return rc;
}

static int
decide(struct desk *d, const struct lessons_review_args *a,
       const struct decision_args *given, bool has_decision,
       struct review_result *result, struct fail *fail)
{
	struct review r = { .audit = NULL };
	const struct limits *limits = &d->settings.limits;
	struct decision decision = { (enum verdict)given->decision.v, NULL,
				     NULL };
	int rc = -1;

	if (find_review(d, a, &r.staged, fail) != 0)
		return -1;
	if (r.staged.state == REVIEW_PENDING)
		return fail_refuse(fail, "not_submitted",
				   "%s %s has no proposal yet",
				   review_kinds[r.staged.kind], r.staged.id.s);
	if (review_context(d, &r.staged, (struct str){ NULL, 0 }, fail) != 0)
		return -1;
	if (review_load(&r, limits, fail) != 0)
		goto out;
	if (!has_decision)
		rc = ask(d, a, &r, result, fail);
	/* Of an audit the verdict alone is judged. */
	else if ((r.audit != NULL ||
		  decision_take(given, review_items(&r), limits, &d->keep,
				&decision, fail) == 0) &&
		 review_check(&r, &decision, fail) == 0)
		rc = review_decide(d, &r, &decision, result, fail);
out:
	review_release(&r);
	return rc;
}

int
lessons_review_run(const struct tool_call *call, void *result,
		   struct fail *fail)
{
	const struct lessons_review_args *a = call->args;
	struct decision_args given = a->decision;
	struct args from_file;
	struct buf text = BUF_INIT;
	struct desk d;
	int rc = -1;

	if (a->decide.given &&
	    (given.decision.given || given.approve.given || given.edits.given))
		return fail_invalid(fail, "decide: given together with "
					  "decision, approve or edits; legal: "
					  "alone");
	if (decision_check(&given, fail) != 0)
		return -1;
	args_init(&from_file, sizeof(given));
	if (desk_begin(&d, call, ORIGIN_USER, fail) != 0)
		goto out;
	if (a->decide.given &&
	    (desk_read_file(&d, a->decide.s, true, DECISION_MAX, &text, fail) !=
		     0 ||
	     decision_parse(&from_file, call->tool, buf_str(&text), &given,
			    fail) != 0))
		goto out;
	if (desk_sidecar(&d, a->show.v ? SIDECAR_READ : SIDECAR_CHANGE, fail) !=
	    0)
		goto out;
	if (a->show.v)
		rc = show(&d, a, result, fail);
	else
		rc = decide(&d, a, &given, given.decision.given, result, fail);
	if (rc == 0 && !a->show.v)
		review_result_fit(call->tool, result);
out:
	args_release(&from_file);
	buf_release(&text);
	desk_release(&d);
	return rc;
}

#include "lessons/lessons_evaluate.h"

#include "lessons/evaluation.h"

/*
 * The pool is read, disclosed and stored in that order.  One write
 * transaction sees and changes it, so that nothing can come between; a kill
 * before the review is stored leaves an exposure, which is the safe side.
 */
static int
disclose(struct desk *d, const struct lessons_evaluate_args *a,
	 struct evaluation *e, struct lessons_evaluate_result *r,
	 struct fail *fail)
{
	struct sql *s = &d->database.sql;
	struct buf snapshot = BUF_INIT;
	char id[REVIEW_ID_SIZE];
	int rc = -1;

	sidecar_new_id(id);
	if (sql_begin(s, fail) != 0)
		return -1;
	if (evaluation_disclose(e, s, desk_lineage(d), d->now, &r->exposed,
				fail) != 0)
		goto out;
	r->candidates = (int64_t)e->snapshot.n;
	if (r->candidates == 0) {
		rc = 0;
		goto out;
	}
	evaluation_document(e, id, &d->settings.limits, &r->document);
	r->bytes = (int64_t)r->document.len;
	if (r->bytes > a->max_bytes.v) {
		rc = stage_too_large(r->document.len, a->max_bytes.v, fail);
		goto out;
	}
	evaluation_snapshot(e, &snapshot);
	if (sql_commit(s, fail) == 0)
		rc = stage_store(d, REVIEW_EVALUATION, id, buf_str(&snapshot),
				 fail);
	r->id = keep_str(&r->keep, str_of(id));
out:
	sql_rollback(s);
	buf_release(&snapshot);
	return rc;
}

int
lessons_evaluate_run(const struct tool_call *call, void *result,
		     struct fail *fail)
{
	const struct lessons_evaluate_args *a = call->args;
	struct lessons_evaluate_result *r = result;
	struct evaluation *e = evaluation_new();
	struct candidate_counts counts;
	struct desk d;
	int rc = -1;

	r->shape = a->action.v;
	buf_init(&r->document, BUF_UNLIMITED);
	if (desk_begin(&d, call, ORIGIN_USER, fail) != 0)
		goto out;
	if (a->action.v == STAGE_CANCEL) {
		rc = stage_cancel(&d, REVIEW_EVALUATION, &r->keep,
				  &r->cancelled, fail);
		goto out;
	}
	/* Where nothing is pending, nothing is made, either. */
	if (desk_project(&d, fail) != 0 || desk_store(&d, false, fail) != 0 ||
	    candidate_counts(&d.database.sql, &counts, fail) != 0)
		goto out;
	sql_close(&d.database.sql);
	if (counts.pending == 0)
		rc = 0;
	else if (stage_begin(&d, REVIEW_EVALUATION, fail) == 0 &&
		 desk_store(&d, true, fail) == 0)
		rc = disclose(&d, a, e, r, fail);
out:
	evaluation_free(e);
	desk_release(&d);
	return rc;
}

void
lessons_evaluate_text(const void *result, struct buf *out)
{
	const struct lessons_evaluate_result *r = result;

	if (r->shape == STAGE_CANCEL)
		buf_addf(out, "evaluation %s cancelled", r->cancelled.id.s);
	else if (r->id.s == NULL)
		buf_adds(out, "no candidates are pending");
	else
		buf_add_str(out, buf_str(&r->document));
}

void
lessons_evaluate_release(void *result)
{
	struct lessons_evaluate_result *r = result;

	keep_release(&r->keep);
	buf_release(&r->document);
}

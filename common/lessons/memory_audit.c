#include "lessons/memory_audit.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "lessons/audit.h"
#include "lessons/parameters.h"
#include "lessons/submit.h"

/* An id at most once. */
static int
check_repeats(const struct memory_audit_args *a, struct fail *fail)
{
	const struct memory_audit_change *v = a->changes.v;
	int64_t *ids = xcalloc(a->changes.n + 1, sizeof(*ids)), twice;
	size_t i;

	for (i = 0; i < a->changes.n; i++)
		ids[i] = v[i].id.v;
	twice = submit_repeated(ids, a->changes.n);
	free(ids);
	return twice == 0 ? 0
			  : fail_invalid(fail,
					 "changes: the id %lld given twice; "
					 "legal: one action for an id",
					 (long long)twice);
}

static int
take_changes(struct audit *audit, const struct memory_audit_args *a,
	     struct fail *fail)
{
	const struct memory_audit_change *v = a->changes.v;
	size_t i;

	audit->changes = keep_bytes(&audit->keep, a->changes.n,
				    sizeof(*audit->changes));
	audit->changes_n = a->changes.n;
	for (i = 0; i < a->changes.n; i++) {
		struct audit_change *c = &audit->changes[i];

		c->id = v[i].id.v;
		c->action = (enum audit_action)v[i].action.v;
		c->reason = arg_str(v[i].reason);
		c->target = audit_find(audit, c->id);
		if (c->target == NULL)
			return fail_refuse(fail, "not_in_review",
					   "lesson #%lld is not in this audit",
					   (long long)c->id);
	}
	for (i = 0; i < a->changes.n; i++) {
		const struct audit_change *c = &audit->changes[i];

		if (c->action == AUDIT_MOVE &&
		    str_is(c->target->lesson.scope, GLOBAL_SCOPE))
			return fail_refuse(fail, "already_global",
					   "lesson #%lld is global already",
					   (long long)c->id);
	}
	return 0;
}

int
memory_audit_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct memory_audit_args *a = call->args;
	struct review review = { .audit = NULL };
	struct buf proposal = BUF_INIT;
	struct desk d;
	int rc = -1;

	if (check_repeats(a, fail) != 0)
		return -1;
	if (desk_begin(&d, call, ORIGIN_MODEL, fail) != 0 ||
	    submit_match(&d, REVIEW_AUDIT, arg_str(a->audit_id), &review,
			 fail) != 0 ||
	    take_changes(review.audit, a, fail) != 0)
		goto out;
	audit_proposal(review.audit, &proposal);
	rc = submit_ask(&d, &review, buf_str(&proposal), &a->channel, result,
			fail);
out:
	buf_release(&proposal);
	review_release(&review);
	desk_release(&d);
	return rc;
}

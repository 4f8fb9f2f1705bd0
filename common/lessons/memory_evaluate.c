#include "lessons/memory_evaluate.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "lessons/evaluation.h"
#include "lessons/parameters.h"
#include "lessons/submit.h"

#define LISTED_MOST 20

const char *const group_scopes[] = { "project", "global", NULL };

/* No id twice in the whole request. */
static int
check_repeats(const struct memory_evaluate_args *a, struct fail *fail)
{
	const struct memory_evaluate_group *g = a->groups.v;
	size_t n = 0, i, k, at = 0;
	int64_t *ids, twice;

	for (i = 0; i < a->groups.n; i++)
		n += g[i].candidates.n;
	ids = xcalloc(n + 1, sizeof(*ids));
	for (i = 0; i < a->groups.n; i++) {
		const struct arg_integer *v = g[i].candidates.v;

		for (k = 0; k < g[i].candidates.n; k++)
			ids[at++] = v[k].v;
	}
	twice = submit_repeated(ids, n);
	free(ids);
	return twice == 0 ? 0
			  : fail_invalid(fail,
					 "groups: the candidate %lld given "
					 "twice; legal: every id in one group",
					 (long long)twice);
}

static int
check_words(const struct desk *d, const struct memory_evaluate_args *a,
	    struct fail *fail)
{
	const struct memory_evaluate_group *g = a->groups.v;
	const struct limits *l = &d->settings.limits;
	char field[64];
	size_t i;

	for (i = 0; i < a->groups.n; i++) {
		(void)snprintf(field, sizeof(field), "groups[%zu].text", i);
		if (wording_check_words(field, str_of(g[i].text.s),
					l->lesson_words, fail) != 0)
			return -1;
		(void)snprintf(field, sizeof(field), "groups[%zu].evidence", i);
		if (wording_check_words(field, str_of(g[i].evidence.s),
					l->evidence_words, fail) != 0)
			return -1;
	}
	return 0;
}

static int
take_group(struct evaluation *e, struct evaluation_group *g,
	   const struct memory_evaluate_group *given, bool *seen,
	   struct fail *fail)
{
	const struct arg_integer *ids = given->candidates.v;
	size_t k;

	g->n = given->candidates.n;
	g->members = keep_bytes(&e->keep, g->n, sizeof(*g->members));
	for (k = 0; k < g->n; k++) {
		const struct candidate *c = snapshot_find(&e->snapshot,
							  ids[k].v);

		if (c == NULL)
			return fail_refuse(fail, "not_in_review",
					   "candidate #C%lld is not in this "
					   "evaluation",
					   (long long)ids[k].v);
		g->members[k] = (size_t)(c - e->snapshot.candidates);
		seen[g->members[k]] = true;
	}
	g->text = arg_str(given->text);
	g->evidence = arg_str(given->evidence);
	g->reason = arg_str(given->reason);
	g->global = given->scope.v == GROUP_GLOBAL;
	g->recommend = given->recommend.v;
	return 0;
}

static int
check_projects(const struct evaluation *e, struct fail *fail)
{
	const struct candidate *c = e->snapshot.candidates;
	size_t i, k;

	for (i = 0; i < e->n; i++) {
		const struct evaluation_group *g = &e->groups[i];

		for (k = 1; !g->global && k < g->n; k++)
			if (!str_eq(c[g->members[k]].project,
				    c[g->members[0]].project))
				return fail_refuse(
					fail, "mixed_projects",
					"group %zu is for one project, but "
					"its candidates are of several",
					i);
	}
	return 0;
}

static int
check_complete(const struct evaluation *e, const bool *seen, struct fail *fail)
{
	struct buf ids = BUF_INIT;
	size_t i, missing = 0;

	for (i = 0; i < e->snapshot.n; i++) {
		if (seen[i])
			continue;
		if (missing++ < LISTED_MOST)
			buf_addf(&ids, "%s#C%lld", ids.len == 0 ? "" : ", ",
				 (long long)e->snapshot.candidates[i].id);
	}
	if (missing > 0)
		fail_refuse(fail, "incomplete",
			    "%zu candidate%s left out: %s%s", missing,
			    missing == 1 ? " is" : "s are", ids.data,
			    missing > LISTED_MOST ? ", ..." : "");
	buf_release(&ids);
	return missing > 0 ? -1 : 0;
}

static int
take_groups(struct evaluation *e, const struct memory_evaluate_args *a,
	    struct fail *fail)
{
	const struct memory_evaluate_group *given = a->groups.v;
	bool *seen = xcalloc(e->snapshot.n + 1, sizeof(*seen));
	size_t i;
	int rc = 0;

	e->groups = keep_bytes(&e->keep, a->groups.n, sizeof(*e->groups));
	e->n = a->groups.n;
	for (i = 0; rc == 0 && i < e->n; i++)
		rc = take_group(e, &e->groups[i], &given[i], seen, fail);
	if (rc == 0)
		rc = check_projects(e, fail);
	if (rc == 0)
		rc = check_complete(e, seen, fail);
	free(seen);
	return rc;
}

int
memory_evaluate_run(const struct tool_call *call, void *result,
		    struct fail *fail)
{
	const struct memory_evaluate_args *a = call->args;
	struct review review = { .audit = NULL };
	struct buf proposal = BUF_INIT;
	struct desk d;
	int rc = -1;

	if (check_repeats(a, fail) != 0)
		return -1;
	if (desk_begin(&d, call, ORIGIN_MODEL, fail) != 0 ||
	    submit_match(&d, REVIEW_EVALUATION, arg_str(a->evaluation_id),
			 &review, fail) != 0 ||
	    check_words(&d, a, fail) != 0 ||
	    take_groups(review.evaluation, a, fail) != 0)
		goto out;
	evaluation_qualify(review.evaluation, &d.settings.limits);
	evaluation_proposal(review.evaluation, &proposal);
	rc = submit_ask(&d, &review, buf_str(&proposal), &a->channel, result,
			fail);
out:
	buf_release(&proposal);
	review_release(&review);
	desk_release(&d);
	return rc;
}

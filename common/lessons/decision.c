#include "lessons/decision.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "lessons/wording.h"

const char *const decision_verdicts[] = { "apply", "finish", "cancel", NULL };

int
decision_check(const struct decision_args *d, struct fail *fail)
{
	bool *seen;
	size_t i;
	int rc = 0;

	if ((d->approve.n > 0 || d->edits.n > 0) &&
	    d->decision.v != VERDICT_FINISH)
		return fail_invalid(fail,
				    "%s: given without the decision finish; "
				    "legal: with it only",
				    d->approve.n > 0 ? "approve" : "edits");
	seen = xcalloc(DECISION_GROUPS, sizeof(*seen));
	for (i = 0; rc == 0 && i < d->approve.n; i++) {
		if (seen[d->approve.v[i]])
			rc = fail_invalid(fail,
					  "approve: %lld given twice; legal: "
					  "each group once",
					  (long long)d->approve.v[i]);
		seen[d->approve.v[i]] = true;
	}
	free(seen);
	return rc;
}

/* A decimal without sign or leading zero; false otherwise. */
static bool
group_number(struct str s, size_t *n)
{
	size_t i;

	if (s.n == 0 || s.n > 9 || (s.n > 1 && s.s[0] == '0'))
		return false;
	for (*n = 0, i = 0; i < s.n; i++) {
		if (s.s[i] < '0' || s.s[i] > '9')
			return false;
		*n = *n * 10 + (size_t)(s.s[i] - '0');
	}
	return true;
}

static int
no_group(size_t n, size_t groups, struct fail *fail)
{
	return fail_refuse(fail, "bad_decision",
			   "there is no group %zu; legal: 0 to %zu", n,
			   groups - 1);
}

static int
take_edits(const struct arg_map *edits, size_t groups,
	   const struct limits *limits, struct decision *decision,
	   struct fail *fail)
{
	struct buf field = BUF_INIT;
	struct str text;
	size_t i, n;
	int rc = 0;

	for (i = 0; rc == 0 && i < edits->n; i++) {
		if (!group_number(edits->v[i].key, &n)) {
			fail_quote(&field, edits->v[i].key);
			rc = fail_invalid(fail,
					  "edits: the key %s given; legal: the "
					  "number of a group from 0",
					  field.data);
			break;
		}
		buf_reset(&field);
		buf_addf(&field, "edits.%zu", n);
		rc = wording_check(field.data, edits->v[i].value, WORDING_TEXT,
				   &text, fail) != 0 ||
				     wording_check_words(field.data, text,
							 limits->lesson_words,
							 fail) != 0
			     ? -1
			     : 0;
		if (rc == 0 && n >= groups)
			rc = no_group(n, groups, fail);
		if (rc == 0)
			decision->edits[n] = text;
	}
	buf_release(&field);
	return rc;
}

int
decision_take(const struct decision_args *given, size_t n,
	      const struct limits *limits, struct keep *keep,
	      struct decision *decision, struct fail *fail)
{
	size_t i;

	*decision =
		(struct decision){ (enum verdict)given->decision.v,
				   keep_bytes(keep, n, sizeof(bool)),
				   keep_bytes(keep, n, sizeof(struct str)) };
	for (i = 0; i < given->approve.n; i++) {
		if ((size_t)given->approve.v[i] >= n)
			return no_group((size_t)given->approve.v[i], n, fail);
		decision->approve[given->approve.v[i]] = true;
	}
	return take_edits(&given->edits, n, limits, decision, fail);
}

int
decision_parse(struct args *args, const struct tool *tool, struct str text,
	       struct decision_args *d, struct fail *fail)
{
	static const struct param params[] = { DECISION_PARAMS(0), PARAM_END };
	struct fail why = FAIL_INIT;
	struct json_error error;
	int rc;

	if (args_check(tool, text, &error) != 0)
		return fail_invalid(fail, "decide: line %u, column %u: %s",
				    error.line, error.column, error.reason);
	if (json_kind(json_value(text)) != JSON_OBJECT)
		return fail_invalid(fail, "decide: no object in the file; "
					  "legal: one with decision, approve "
					  "and edits");
	rc = args_bind(args, json_value(text), params, (struct args_rules){ 0 },
		       &why);
	*d = *(struct decision_args *)args->bound;
	if (rc == 0 && !d->decision.given)
		rc = fail_invalid(&why, "no decision in the file; legal: "
					"apply, finish or cancel");
	if (rc == 0)
		rc = decision_check(d, &why);
	if (rc != 0)
		fail_invalid(fail, "decide: %s", why.message.data);
	fail_release(&why);
	return rc;
}

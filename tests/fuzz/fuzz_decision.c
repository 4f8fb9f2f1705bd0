/*
 * The file of lessons-review --decide: whatever it holds, it is refused in one
 * line that names it, or is a decision that keeps its rules, is taken for the
 * groups of a review, and is the same when it is written and read again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/utf8.h"
#include "lessons/decision.h"
#include "lessons/wording.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static const struct tool tool = { .name = "lessons_review" };

static void
check(bool holds)
{
	if (!holds)
		abort();
}

static void
check_refusal(const struct fail *fail)
{
	check(fail->kind == FAIL_INVALID);
	check(str_starts(buf_str(&fail->message), STR("decide: ")));
	check(utf8_valid(buf_str(&fail->message)));
	check(memchr(fail->message.data, '\n', fail->message.len) == NULL);
}

static void
check_rules(const struct decision_args *d)
{
	size_t i, k;

	check(d->decision.given && d->decision.v >= VERDICT_APPLY &&
	      d->decision.v <= VERDICT_CANCEL);
	check(d->decision.v == VERDICT_FINISH ||
	      (d->approve.n == 0 && d->edits.n == 0));
	for (i = 0; i < d->approve.n; i++) {
		check(d->approve.v[i] >= 0 && d->approve.v[i] < 10000);
		for (k = 0; k < i; k++)
			check(d->approve.v[k] != d->approve.v[i]);
	}
	for (i = 0; i < d->edits.n; i++)
		check(utf8_valid(d->edits.v[i].key) &&
		      utf8_valid(d->edits.v[i].value));
}

/* For a review of n groups. */
static void
check_taken(const struct decision_args *d, size_t n)
{
	struct limits limits = { .lesson_words = 20 };
	struct keep keep = { NULL, 0, 0 };
	struct decision taken;
	struct fail fail = FAIL_INIT;
	size_t i, approved = 0;
	struct str text;

	if (decision_take(d, n, &limits, &keep, &taken, &fail) != 0) {
		check(fail.kind == FAIL_INVALID ||
		      strcmp(fail.code, "bad_decision") == 0);
		check(fail.message.len > 0);
	} else {
		check((int)taken.verdict == d->decision.v);
		for (i = 0; i < n; i++) {
			text = taken.edits[i];
			approved += taken.approve[i];
			check(text.s == NULL ||
			      (wording_legal(text, WORDING_TEXT) &&
			       wording_words(text) <= 20 &&
			       wording_trim(text).n == text.n));
		}
		check(approved == d->approve.n);
	}
	fail_release(&fail);
	keep_release(&keep);
}

static void
write(const struct decision_args *d, struct buf *out)
{
	struct json_writer w;
	size_t i;

	json_begin(&w, out);
	json_open_object(&w);
	json_key(&w, "edits");
	json_open_object(&w);
	for (i = 0; i < d->edits.n; i++) {
		json_key_str(&w, d->edits.v[i].key);
		json_string(&w, d->edits.v[i].value);
	}
	json_close_object(&w);
	json_key(&w, "approve");
	json_open_array(&w);
	for (i = 0; i < d->approve.n; i++)
		json_integer(&w, d->approve.v[i]);
	json_close_array(&w);
	json_member_string(&w, "decision",
			   str_of(decision_verdicts[d->decision.v]));
	json_close_object(&w);
}

static void
check_again(const struct decision_args *d)
{
	struct args args;
	struct decision_args again;
	struct fail fail = FAIL_INIT;
	struct buf once = BUF_INIT, twice = BUF_INIT;

	args_init(&args, sizeof(again));
	write(d, &once);
	check(decision_parse(&args, &tool, buf_str(&once), &again, &fail) == 0);
	write(&again, &twice);
	check(str_eq(buf_str(&once), buf_str(&twice)));
	args_release(&args);
	buf_release(&once);
	buf_release(&twice);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct args args;
	struct decision_args d;
	struct fail fail = FAIL_INIT;

	args_init(&args, sizeof(d));
	if (decision_parse(&args, &tool, (struct str){ (const char *)p, n }, &d,
			   &fail) != 0) {
		check_refusal(&fail);
	} else {
		check_rules(&d);
		check_taken(&d, 1);
		check_taken(&d, 3);
		check_taken(&d, DECISION_GROUPS);
		check_again(&d);
	}
	fail_release(&fail);
	args_release(&args);
	return 0;
}

#include "lessons/dialog.h"

#include <string.h>

#include "lessons/audit.h"
#include "lessons/evaluation.h"

/* ---- audits ------------------------------------------------------------ */

static void
ask_audit(struct channel *c, const struct audit *a, struct decision *decision)
{
	static const struct choice choices[] = {
		{ "cancel", { "Cancel", 6 } },
		{ "apply", { "Apply all", 9 } },
	};
	struct buf body = BUF_INIT, prompt = BUF_INIT;
	struct question q = { .title = "Review audit",
			      .choices = choices,
			      .n = 2 };

	audit_body(a, &body);
	buf_addf(&prompt,
		 "Apply all %zu changes? Type apply, or press Enter to "
		 "cancel: ",
		 a->changes_n);
	q.body = buf_str(&body);
	q.prompt = prompt.data;
	if (channel_select(c, &q) == 1)
		decision->verdict = VERDICT_APPLY;
	buf_release(&body);
	buf_release(&prompt);
}

/* ---- evaluations ------------------------------------------------------- */

enum mark { MARK_OPEN, MARK_YES, MARK_NO };

struct session_of_dialog {
	struct channel *channel;
	const struct evaluation *evaluation;
	const struct limits *limits;
	struct keep *keep;
	struct decision *decision;
	enum mark *marks; /* of each group */
};

static struct str
text_now(const struct session_of_dialog *s, size_t group)
{
	return s->decision->edits[group].s != NULL
		       ? s->decision->edits[group]
		       : s->evaluation->groups[group].text;
}

static const char *
mark_name(const struct session_of_dialog *s, size_t group)
{
	switch (s->marks[group]) {
	case MARK_YES:
		return "Yes";
	case MARK_NO:
		return "No";
	case MARK_OPEN:
		break;
	}
	return evaluation_may(&s->evaluation->groups[group]) ? "Suggested"
							     : "Pending";
}

/* A new wording; what is wrong with it is told in the next body. */
static void
edit_group(struct session_of_dialog *s, size_t group, struct buf *remark)
{
	struct buf answer = BUF_INIT;
	struct fail fail = FAIL_INIT;
	struct str text;

	buf_reset(remark);
	if (channel_input(s->channel, "New wording", STR(""),
			  text_now(s, group), &answer)) {
		if (wording_check("text", buf_str(&answer), WORDING_TEXT, &text,
				  &fail) != 0 ||
		    wording_check_words("text", text, s->limits->lesson_words,
					&fail) != 0)
			buf_addf(remark, "The old text is kept. %s\n\n",
				 fail.message.data);
		else
			s->decision->edits[group] = keep_str(s->keep, text);
	}
	fail_release(&fail);
	buf_release(&answer);
}

static void
ask_group(struct session_of_dialog *s, size_t group)
{
	bool may = evaluation_may(&s->evaluation->groups[group]);
	enum { NO, YES, EDIT, BACK } answers[4];
	struct choice choices[4];
	struct buf title = BUF_INIT, body = BUF_INIT, remark = BUF_INIT;
	size_t n = 0;
	long picked;

	answers[n] = NO;
	choices[n++] = (struct choice){ "no", STR("No") };
	if (may) {
		answers[n] = YES;
		choices[n++] = (struct choice){ "yes", STR("Yes") };
	}
	answers[n] = EDIT;
	choices[n++] = (struct choice){ "edit", STR("Edit wording") };
	answers[n] = BACK;
	choices[n++] = (struct choice){ "back", STR("Back") };
	buf_addf(&title, "Group %zu of %zu", group + 1, s->evaluation->n);
	do {
		struct question q = { .title = title.data,
				      .choices = choices,
				      .n = n,
				      .fallback = n - 1 };

		buf_reset(&body);
		buf_add_str(&body, buf_str(&remark));
		evaluation_group_body(s->evaluation, group, text_now(s, group),
				      &body);
		q.body = buf_str(&body);
		q.prompt = may ? "yes, no, edit, or Enter for back: "
			       : "no, edit, or Enter for back: ";
		picked = channel_select(s->channel, &q);
		if (picked < 0 || answers[picked] == BACK)
			break;
		if (answers[picked] == NO)
			s->marks[group] = MARK_NO;
		else if (answers[picked] == YES)
			s->marks[group] = MARK_YES;
		else
			edit_group(s, group, &remark);
	} while (answers[picked] == EDIT);
	buf_release(&title);
	buf_release(&body);
	buf_release(&remark);
}

/* The choices of the list: cancel, the groups, finish. */
static struct choice *
list_choices(const struct session_of_dialog *s, size_t *promotions)
{
	const struct evaluation *e = s->evaluation;
	bool terminal = s->channel->kind == CHANNEL_TERMINAL;
	struct choice *choices = keep_bytes(s->keep, e->n + 2,
					    sizeof(*choices));
	struct buf text = BUF_INIT;
	size_t i;

	*promotions = 0;
	choices[0] = (struct choice){ "cancel",
				      terminal ? STR("") : STR("Cancel") };
	for (i = 0; i < e->n; i++) {
		*promotions += s->marks[i] == MARK_YES;
		buf_reset(&text);
		/* People count from 1, programs from 0. */
		buf_addf(&text, "%zu", terminal ? i + 1 : i);
		choices[i + 1].value = keep_str(s->keep, buf_str(&text)).s;
		buf_reset(&text);
		buf_addf(&text, "Group %zu \xc2\xb7 %s \xc2\xb7 ", i + 1,
			 mark_name(s, i));
		wording_show_line(&text, evaluation_scope(e, &e->groups[i]));
		buf_adds(&text, " \xc2\xb7 ");
		wording_show_line(&text, text_now(s, i));
		choices[i + 1].label = keep_str(s->keep, buf_str(&text));
	}
	choices[e->n + 1] = (struct choice){
		"finish", terminal ? STR("") : STR("Finish evaluation")
	};
	buf_release(&text);
	return choices;
}

static void
ask_evaluation(struct session_of_dialog *s)
{
	const struct evaluation *e = s->evaluation;
	struct buf body = BUF_INIT, prompt = BUF_INIT;
	size_t promotions, i;
	long answer;

	buf_addf(&body,
		 "%zu groups of %zu candidates. Nothing is written before the "
		 "evaluation is finished; what is not promoted stays a "
		 "candidate.\n",
		 e->n, e->snapshot.n);
	for (;;) {
		struct question q = { .title = "Review evaluation",
				      .body = buf_str(&body),
				      .n = e->n + 2,
				      .listed = true };

		q.choices = list_choices(s, &promotions);
		buf_reset(&prompt);
		buf_addf(&prompt,
			 "Group 1-%zu, finish (%zu promotions), or Enter to "
			 "cancel: ",
			 e->n, promotions);
		q.prompt = prompt.data;
		answer = channel_select(s->channel, &q);
		if (answer <= 0 || (size_t)answer == e->n + 1)
			break;
		ask_group(s, (size_t)answer - 1);
	}
	if (answer > 0) {
		s->decision->verdict = VERDICT_FINISH;
		for (i = 0; i < e->n; i++)
			s->decision->approve[i] = s->marks[i] == MARK_YES;
	}
	buf_release(&body);
	buf_release(&prompt);
}

void
dialog_run(struct channel *c, const struct review *r, struct desk *d,
	   struct keep *keep, struct decision *decision)
{
	size_t n = review_items(r);
	struct session_of_dialog s = {
		.channel = c,
		.evaluation = r->evaluation,
		.limits = &d->settings.limits,
		.keep = keep,
		.decision = decision,
		.marks = keep_bytes(keep, n, sizeof(enum mark)),
	};

	*decision = (struct decision){
		VERDICT_CANCEL, keep_bytes(keep, n, sizeof(bool)),
		keep_bytes(keep, n, sizeof(struct str))
	};
	if (r->audit != NULL)
		ask_audit(c, r->audit, decision);
	else
		ask_evaluation(&s);
}

void
dialog_body(const struct review *r, struct buf *out)
{
	size_t i;

	if (r->audit != NULL) {
		audit_body(r->audit, out);
		return;
	}
	for (i = 0; i < r->evaluation->n; i++) {
		buf_addf(out, "%sGroup %zu of %zu\n", i == 0 ? "" : "\n", i + 1,
			 r->evaluation->n);
		evaluation_group_body(r->evaluation, i,
				      r->evaluation->groups[i].text, out);
	}
}

/*
 * Properties of reads over generated sessions: windows join to the document,
 * both surfaces stay in bounds, and what is not an event is refused.
 */
#include "history/history_read.h"
#include "history_round.h"
#include "tool/budget.h"

static const struct tool *declared(void);

static bool
read_all(struct round *r, const struct gen_event *e, struct buf *text)
{
	struct history_read_args args = { .seq = { e->seq, true },
					  .session = { .s = "" } };
	struct tool_call call = { .tool = declared(),
				  .args = &args,
				  .facts = &r->facts };
	bool good = true;

	do {
		struct history_read_result result = { 0 };
		struct fail fail = FAIL_INIT;

		args.limit_chars.v = 1 + pick(r, pick(r, 2) ? 50000 : 400);
		good = history_read_run(&call, &result, &fail) == 0 &&
		       budget_holds(declared(), &result) &&
		       result.total_chars ==
			       (int64_t)utf8_count(buf_str(&e->document)) &&
		       (result.text.n > 0 ||
			result.next_offset_chars == FIELD_NONE);
		if (good)
			buf_add_str(text, result.text);
		args.offset_chars.v = result.next_offset_chars;
		fail_release(&fail);
		history_read_release(&result);
	} while (good && args.offset_chars.v > 0);
	return good;
}

static void
check_reads(struct round *r)
{
	struct buf text = BUF_INIT;
	bool good = true;

	for (unsigned i = 0; good && i < 12; i++) {
		const struct gen_event *e =
			&r->gen.events[pick(r, (unsigned)r->gen.n)];

		buf_reset(&text);
		good = read_all(r, e, &text) &&
		       str_eq(buf_str(&text), buf_str(&e->document));
	}
	ok(good, "%s %u: windows join to the document", r->host, r->seed);
	buf_release(&text);
}

/* Neither a consumed result nor what was rewound away can be read. */
static void
check_hidden(struct round *r)
{
	bool good = true;

	for (size_t i = 0; i < r->gen.n_hidden && i < 40; i++) {
		struct history_read_args args = { .seq = { r->gen.hidden[i],
							   true },
						  .limit_chars = { 10, true },
						  .session = { .s = "" } };
		struct tool_call call = { .tool = declared(),
					  .args = &args,
					  .facts = &r->facts };
		struct history_read_result result = { 0 };
		struct fail fail = FAIL_INIT;

		good = good && history_read_run(&call, &result, &fail) != 0 &&
		       (strcmp(fail.code, "not_an_event") == 0 ||
			strcmp(fail.code, "not_on_branch") == 0 ||
			/* What is said elsewhere, too. */
			strcmp(fail.code, "unknown_seq") == 0);
		fail_release(&fail);
		history_read_release(&result);
	}
	ok(good, "%s %u: what is not an event is refused", r->host, r->seed);
}

static void
check(struct round *r)
{
	check_reads(r);
	check_hidden(r);
}

int
main(void)
{
	rounds(check);
	return done();
}

/* The declaration says what is printed, and so what has to fit. */
int program(int argc, char *argv[]);
#define main program
#include "../../cmd/history-read.c"
#undef main

static const struct tool *
declared(void)
{
	return &tool;
}

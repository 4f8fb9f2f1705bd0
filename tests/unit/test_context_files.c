/*
 * What the context family keeps in files, and what it reads out of texts: the
 * state of a window, the record of times, lines, patterns of models.
 */
#include "context/ledger.h"
#include "context/life_json.h"
#include "context/line_range.h"
#include "context/policy.h"
#include "test.h"

/* A state with something in every member reads back as it was written. */
static void
test_state(void)
{
	struct buf one = BUF_INIT, two = BUF_INIT, changed = BUF_INIT;
	struct life a, b;

	decide_init(&a);
	decide_init(&b);
	a.window = 7;
	a.previous = 5;
	a.reminder = REMINDER_DELIVERED;
	a.kind = KIND_MANUAL;
	a.stage = STAGE_ARMED;
	a.request = REQUEST_CHECKPOINT;
	a.pending = (struct life_pending){ 8, COMPACT_OVERFLOW, true };
	a.claim.pid = 12;
	a.claim.at_ms = -3;
	a.claim.bytes = 99;
	buf_adds(&a.claim.path, "/root/notes/\"a");
	a.note_saved = a.hard_latched = a.migration_shown = true;
	a.usage_known = true;
	a.used = 10;
	a.context_window = 20;
	buf_adds(&a.model, "p/m");
	a.identity = IDENTITY_SENT;
	a.message_count = 4;
	a.outbox[MESSAGE_CHECKPOINT].number = 4;
	buf_adds(&a.outbox[MESSAGE_CHECKPOINT].text, "text\n\"");
	life_json_write(&a, STR("s1"), STR("/root"), &one);
	ok(life_json_read(&b, STR("s1"), STR("/root"), buf_str(&one)),
	   "a state reads back");
	life_json_write(&b, STR("s1"), STR("/root"), &two);
	ok(str_eq(buf_str(&one), buf_str(&two)), "and is the same");
	decide_release(&b);
	decide_init(&b);
	ok(!life_json_read(&b, STR("s2"), STR("/root"), buf_str(&one)) &&
		   b.window == 1,
	   "of another root it is none");
	ok(!life_json_read(&b, STR("s1"), STR("/root/a"), buf_str(&one)),
	   "nor of another agent");
	/* No prefix of it is a state, and none harms. */
	for (size_t n = 0; n + 2 < one.len; n++)
		if (life_json_read(&b, STR("s1"), STR("/root"),
				   (struct str){ one.data, n })) {
			ok(false, "a torn one of %zu bytes is read", n);
			break;
		}
	decide_release(&a);
	decide_release(&b);
	buf_release(&one);
	buf_release(&two);
	buf_release(&changed);
}

static void
test_ids(void)
{
	enum message_kind kind;
	int64_t window, number;

	is_int(life_json_window_number(STR("w12")), 12, "w12");
	is_int(life_json_window_number(STR("w999999999")), 999999999,
	       "the last window");
	is_int(life_json_window_number(STR("w1000000000")), 0, "one more");
	is_int(life_json_window_number(STR("w01")), 0, "a leading zero");
	is_int(life_json_window_number(STR("w")), 0, "no digit");
	is_int(life_json_window_number(STR("W1")), 0, "another letter");
	ok(life_json_parse_message_id(STR("w2:fallback:31"), &window, &kind,
				      &number) &&
		   window == 2 && kind == MESSAGE_FALLBACK && number == 31,
	   "w2:fallback:31");
	ok(!life_json_parse_message_id(STR("w2:fallback:"), &window, &kind,
				       &number) &&
		   !life_json_parse_message_id(STR("w2:"), &window, &kind,
					       &number) &&
		   !life_json_parse_message_id(STR(""), &window, &kind,
					       &number),
	   "what is not an id");
}

static void
test_ledger(void)
{
	struct ledger l = LEDGER_INIT;
	struct buf out = BUF_INIT;
	int64_t created, updated;

	buf_adds(&l.text, "5 9 b\n1 2 a\nx 3 c\n4 4 ../x\n7 8 b\n9 9 torn");
	ledger_parse(&l);
	is_int((long long)l.n, 2, "rows that parse, each path once");
	ledger_write(&l, &out);
	is_string(out.data, "1 2 a\n7 8 b\n", "sorted; the later one counts");
	is_int(l.last_ms, 9, "the last update is that of any row");
	ledger_times(&l, STR("b"), 8, &created, &updated);
	ok(created == 7 && updated == 8, "3.4: as recorded");
	ledger_times(&l, STR("b"), 3, &created, &updated);
	ok(created == 3 && updated == 3, "3.4: an mtime before the record");
	ledger_times(&l, STR("b"), 30, &created, &updated);
	ok(created == 7 && updated == 30, "3.4: one after it");
	ledger_times(&l, STR("c"), 4, &created, &updated);
	ok(created == 4 && updated == 4, "3.4: no record");
	buf_release(&out);
	ledger_release(&l);
}

static void
test_lines(void)
{
	static const struct {
		long start, stop; /* 0: not given */
		const char *want; /* NULL: empty */
	} rows[] = { { 2, 2, "two" },	      { -1, 0, "three" },
		     { 0, -2, "one\ntwo" },   { -9, 1, "one" },
		     { 2, 99, "two\nthree" }, { 3, 2, NULL },
		     { 4, 0, NULL },	      { 0, -4, NULL } };
	struct str text = STR("one\ntwo\nthree\n");
	struct line_range r;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct line_bound start = { rows[i].start, rows[i].start != 0 };
		struct line_bound stop = { rows[i].stop, rows[i].stop != 0 };
		bool any = line_range_select(&r, text, start, stop);

		ok(rows[i].want == NULL ? !any
					: any && str_is(r.text, rows[i].want),
		   "12: lines %ld..%ld", rows[i].start, rows[i].stop);
	}
	line_range_select(&r, STR("a\n\nb"), (struct line_bound){ 2, true },
			  (struct line_bound){ 2, true });
	ok(r.text.n == 0 && r.count == 3, "an empty line between two");
}

static void
test_patterns(void)
{
	static const struct {
		const char *pattern, *model;
		unsigned score;
	} rows[] = { { "*", "a/b", 1 },
		     { "a*", "A/b", 101 },
		     { "*b", "a/b", 101 },
		     { "a/*", "a/b", 1002 },
		     { "A/B", "a/b", 1003 },
		     { "a*b*c", "axxbyybzzc", 103 },
		     { "a*b*c", "axxbyybzz", 0 },
		     { "**", "", 100 },
		     { "\xc3\xa9*", "\xc3\xa9/x", 101 },
		     { "a", "ab", 0 },
		     { "", "a", 0 } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		is_int(policy_score(str_of(rows[i].pattern),
				    str_of(rows[i].model)),
		       rows[i].score, rows[i].pattern);
}

int
main(void)
{
	test_state();
	test_ids();
	test_ledger();
	test_lines();
	test_patterns();
	return done();
}

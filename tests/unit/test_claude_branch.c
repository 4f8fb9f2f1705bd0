/*
 * Which records of Claude Code's transcripts are on the branch: spec/history.md
 * 3.3.
 */
#include "claude_make.h"

static void
check_path(void)
{
	check("the leaf is the last chain record, of any type (row 7)",
	      "1 user \"a\"\n2 off\n3 user \"c\"\n", USER("1", ROOT, "a"),
	      USER("2", UNDER("1"), "off"), USER("3", UNDER("1"), "c"),
	      RECORD("4", UNDER("3"), "attachment", ""),
	      SIDE("5", UNDER("2"), "user", ""),
	      "{\"type\":\"custom-title\",\"parentUuid\":\"2\"}\n");
	check_leaf("CTX_LEAF is another", "2",
		   "1 user \"a\"\n2 user \"b\"\n3 off\n", USER("1", ROOT, "a"),
		   USER("2", UNDER("1"), "b"), USER("3", UNDER("1"), "c"));
	check_leaf("CTX_LEAF names no record", "2", "no transcript\n",
		   USER("1", ROOT, "a"));
	check("trap 15: the newest time does not make the leaf",
	      "1 off\n2 user \"b\"\n",
	      USER_OF("1", ROOT, "\"a\"",
		      ",\"timestamp\":\"2026-03-05T12:00:00Z\""),
	      USER_OF("2", ROOT, "\"b\"",
		      ",\"timestamp\":\"2026-03-05T10:00:00Z\""));
	check("a parent may stand later, and a circle ends",
	      "1 user \"a\"\n2 user \"b\"\n3 user \"c\"\n",
	      USER("1", UNDER("3"), "a"), USER("2", UNDER("1"), "b"),
	      USER("3", UNDER("2"), "c"));
	check("its own parent", "1 off\n2 user \"b\"\n", USER("1", ROOT, "a"),
	      USER("2", UNDER("2"), "b"));
	check("a path may lead through a sidechain",
	      "1 user \"a\"\n2 off\n3 user \"b\"\n", USER("1", ROOT, "a"),
	      USER("2", UNDER("1"), "off"), SIDE("3", UNDER("1"), "user", ""),
	      USER("4", UNDER("3"), "b"));
	check("no parentUuid, or a wrong one: the chain record before",
	      "1 off\n2 user \"b\"\n3 user \"c\"\n4 user \"d\"\n",
	      USER("1", ROOT, "off"), USER("2", ROOT, "b"),
	      SIDE("3", UNDER("1"), "user", ""), "{\"type\":\"summary\"}\n",
	      USER("4", "", "c"), USER("5", "\"parentUuid\":5,", "d"));
	check("a parentUuid that the file lacks: likewise",
	      "1 user \"a\"\n2 user \"b\"\n3 off\n4 user \"c\"\n",
	      USER("1", ROOT, "a"), USER("2", UNDER("gone"), "b"),
	      USER("3", ROOT, "off"), USER("4", UNDER("2"), "c"));
	check("the first of the chain has none before it",
	      "1 user \"a\"\n2 user \"b\"\n", USER("1", UNDER("gone"), "a"),
	      USER("2", "", "b"));
	check("a parent of a line that is malformed is one that is lacking",
	      "1 user \"a\"\n2 user \"c\"\nskipped 1\n", USER("1", ROOT, "a"),
	      "{\"uuid\":\"2\",\"type\":\"user\n", USER("3", UNDER("2"), "c"));
}

static void
check_compaction(void)
{
	check("a boundary goes on at its logical parent",
	      "1 user \"a\"\n2 off\n3 context \"c\"\n4 context \"sum\"\n",
	      USER("1", ROOT, "a"), USER("2", ROOT, "off"),
	      COMPACT("3", ROOT, LOGICAL("1")),
	      USER_OF("4", UNDER("3"), "\"sum\"",
		      ",\"isCompactSummary\":true"));
	check("not when it has a parent",
	      "1 off\n2 user \"a\"\n3 context \"c\"\n", USER("1", ROOT, "off"),
	      USER("2", ROOT, "a"), COMPACT("3", UNDER("2"), LOGICAL("1")));
	check("nor when the file lacks it: then at the record before",
	      "1 off\n2 user \"a\"\n3 context \"c\"\n", USER("1", ROOT, "off"),
	      USER("2", ROOT, "a"), COMPACT("3", ROOT, LOGICAL("gone")));
	check("so it does without one",
	      "1 off\n2 user \"a\"\n3 context \"c\"\n", USER("1", ROOT, "off"),
	      USER("2", ROOT, "a"), COMPACT("3", ROOT, ""));
	check("and without a record before it begins", "1 context \"c\"\n",
	      COMPACT("1", ROOT, ""));
	check("without the key it is as any record",
	      "1 off\n2 user \"a\"\n3 context \"c\"\n", USER("1", ROOT, "off"),
	      USER("2", ROOT, "a"), COMPACT("3", "", LOGICAL("1")));
	check("its own logical parent, and one that stands later, are none",
	      "1 user \"a\"\n2 context \"c\"\n3 context \"c\"\n4 off\n"
	      "5 user \"b\"\n",
	      USER("1", ROOT, "a"), COMPACT("2", ROOT, LOGICAL("2")),
	      COMPACT("3", ROOT, LOGICAL("4")), USER("4", UNDER("2"), "off"),
	      USER("5", UNDER("3"), "b"));
	check("one of a sidechain, under a record that is of none",
	      "1 user \"a\"\n2 off\n3 user \"b\"\n", USER("1", ROOT, "a"),
	      USER("2", ROOT, "off"),
	      SIDE("3", ROOT, "system",
		   ",\"subtype\":\"compact_boundary\"" LOGICAL("1")),
	      USER("4", UNDER("3"), "b"));
	check("only a boundary has one", "1 off\n2 user \"a\"\n",
	      USER("1", ROOT, "off"),
	      USER_OF("2", ROOT, "\"a\"", LOGICAL("1")));
}

/* A compaction that keeps what follows head up to tail. */
#define KEEPS(head, anchor, tail)                                          \
	",\"compactMetadata\":{\"preservedSegment\":{\"headUuid\":\"" head \
	"\",\"anchorUuid\":\"" anchor "\",\"tailUuid\":\"" tail "\"}}"
#define SUMMED(uuid, place) \
	USER_OF(uuid, place, "\"sum\"", ",\"isCompactSummary\":true")

/* What the host writes into the chain: no message. */
#define ROW(uuid, place, type) RECORD(uuid, place, type, ",\"content\":\"x\"")

static void
check_kept_tails(void)
{
	check("what hangs on a kept tail goes on behind the summary",
	      "1 user \"a\"\n2 assistant \"b\"\n3 user \"c\"\n"
	      "4 assistant \"d\"\n5 context \"c\"\n6 context \"sum\"\n"
	      "7 user \"e\"\n",
	      USER("1", ROOT, "a"), ASSISTANT("2", UNDER("1"), "m", TEXT("b")),
	      USER("3", UNDER("2"), "c"),
	      ASSISTANT("4", UNDER("3"), "n", TEXT("d")),
	      COMPACT("5", ROOT, KEEPS("3", "6", "4")), SUMMED("6", UNDER("5")),
	      USER("7", UNDER("4"), "e"));
	check("turns that were summed up from a place on stay history",
	      "1 user \"a\"\n2 user \"b\"\n3 user \"c\"\n4 context \"c\"\n"
	      "5 context \"sum\"\n6 user \"d\"\n",
	      USER("1", ROOT, "a"), USER("2", UNDER("1"), "b"),
	      USER("3", UNDER("2"), "c"),
	      COMPACT("4", ROOT, LOGICAL("1") KEEPS("1", "5", "2")),
	      SUMMED("5", UNDER("4")), USER("6", UNDER("5"), "d"));
	check("from the tail when the record before does not lead to it",
	      "1 user \"a\"\n2 off\n3 off\n4 context \"c\"\n"
	      "5 context \"sum\"\n",
	      USER("1", ROOT, "a"), USER("2", ROOT, "b"),
	      USER("3", UNDER("2"), "c"),
	      COMPACT("4", ROOT, LOGICAL("3") KEEPS("1", "5", "1")),
	      SUMMED("5", UNDER("4")));
	check("from the logical parent when there is no such tail",
	      "1 user \"a\"\n2 off\n3 context \"c\"\n", USER("1", ROOT, "a"),
	      USER("2", ROOT, "b"),
	      COMPACT("3", ROOT, LOGICAL("1") KEEPS("x", "y", "gone")));
	check("the last compaction that kept a tail counts",
	      "1 user \"a\"\n2 off\n3 off\n4 context \"c\"\n"
	      "5 context \"sum\"\n6 user \"b\"\n",
	      USER("1", ROOT, "a"), COMPACT("2", ROOT, KEEPS("1", "3", "1")),
	      SUMMED("3", UNDER("2")), COMPACT("4", ROOT, KEEPS("1", "5", "1")),
	      SUMMED("5", UNDER("4")), USER("6", UNDER("1"), "b"));
	check("none that stands before the tail, nor a summary that is gone",
	      "1 context \"c\"\n2 user \"a\"\n3 off\n4 user \"b\"\n",
	      COMPACT("1", ROOT, KEEPS("2", "1", "2")),
	      USER("2", UNDER("1"), "a"),
	      COMPACT("3", ROOT, KEEPS("2", "gone", "2")),
	      USER("4", UNDER("2"), "b"));
	check("a tail of another kind is none",
	      "1 user \"a\"\n2 context \"c\"\n3 off\n4 user \"b\"\n",
	      USER("1", ROOT, "a"),
	      COMPACT("2", ROOT,
		      ",\"compactMetadata\":{\"preservedSegment\":{\"tail"
		      "Uuid\":7,\"anchorUuid\":[]}}"),
	      USER("3", UNDER("1"), "off"), USER("4", UNDER("2"), "b"));
	check("a circle of summaries ends",
	      "1 user \"a\"\n2 context \"c\"\n3 user \"b\"\n",
	      USER("1", UNDER("3"), "a"),
	      COMPACT("2", UNDER("1"), KEEPS("1", "2", "1")),
	      USER("3", UNDER("1"), "b"));
}

static void
check_detours(void)
{
	check("a reply is on the branch though an error was tried again",
	      "1 user \"a\"\n2 assistant \"b\"\n3 user \"c\"\n",
	      USER("u1", ROOT, "a"),
	      RECORD("e1", UNDER("u1"), "system", ",\"subtype\":\"api_error\""),
	      ASSISTANT("a1", UNDER("u1"), "m", TEXT("b")),
	      ROW("h", UNDER("e1"), "system"), USER("u2", UNDER("h"), "c"));
	check("and though a stop hook has a row of its own",
	      "1 user \"a\"\n2 assistant \"b\"\n3 user \"c\"\n",
	      USER("u1", ROOT, "a"),
	      ASSISTANT("a1", UNDER("u1"), "m", TEXT("b")),
	      ROW("h", UNDER("u1"), "progress"), USER("u2", UNDER("h"), "c"));
	check("with all of its turn, calls by its message id and results, too",
	      "1 user \"a\"\n2 assistant \"b\"\n3 assistant \"\"\n"
	      "4 tool ok \"f {}\n--- output ---\nr\"\n5 of 4\n"
	      "6 assistant \"d\"\n7 off\n8 off\n9 user \"c\"\n",
	      USER("u1", ROOT, "a"),
	      ASSISTANT("a1", UNDER("u1"), "m", TEXT("b")),
	      ASSISTANT("a2", ROOT, "m", USE("t", "f")),
	      RESULTS("r1", UNDER("a2"), RESULT("t", "r")),
	      ASSISTANT("a3", UNDER("a1"), "n", TEXT("d")),
	      USER("x", UNDER("a3"), "rewound"),
	      ASSISTANT("y", UNDER("x"), "o", TEXT("too")),
	      ROW("h", UNDER("u1"), "attachment"), USER("u2", UNDER("h"), "c"));
	check("a person's message in its place is a rewind",
	      "1 user \"a\"\n2 off\n3 user \"c\"\n", USER("u1", ROOT, "a"),
	      ASSISTANT("a1", UNDER("u1"), "m", TEXT("b")),
	      USER("u2", UNDER("u1"), "c"));
	check("so is another answer",
	      "1 user \"a\"\n2 off\n3 assistant \"c\"\n", USER("u1", ROOT, "a"),
	      ASSISTANT("a1", UNDER("u1"), "m", TEXT("b")),
	      ASSISTANT("a2", UNDER("u1"), "n", TEXT("c")));
	check("what stands before its parent in the file is found as well",
	      "1 assistant \"d\"\n2 user \"a\"\n3 assistant \"b\"\n"
	      "4 user \"c\"\n",
	      ASSISTANT("a2", UNDER("a1"), "n", TEXT("d")),
	      USER("u1", ROOT, "a"),
	      ASSISTANT("a1", UNDER("u1"), "m", TEXT("b")),
	      ROW("h", UNDER("u1"), "system"), USER("u2", UNDER("h"), "c"));
	check("circles beside the path lead nowhere",
	      "1 off\n2 off\n3 user \"a\"\n4 user \"c\"\n",
	      ASSISTANT("x", UNDER("y"), "m", TEXT("b")),
	      ASSISTANT("y", UNDER("x"), "n", TEXT("b")), USER("u1", ROOT, "a"),
	      ROW("h", UNDER("u1"), "system"), USER("u2", UNDER("h"), "c"));
	check("an empty message id is none",
	      "1 off\n2 user \"a\"\n"
	      "3 assistant \"b\"\n",
	      ASSISTANT("x", ROOT, "", TEXT("off")), USER("u", ROOT, "a"),
	      ASSISTANT("y", UNDER("u"), "", TEXT("b")));
}

/* Words that were typed while the host was at work; with a uuid or without. */
#define QUEUED(head, members)                                        \
	"{" head "\"type\":\"attachment\",\"attachment\":{\"type\":" \
	"\"queued_command\"" members "}}\n"
#define AT(uuid, parent) "\"uuid\":\"" uuid "\",\"parentUuid\":\"" parent "\","
#define ABSORBED(content, members)                                        \
	"{\"type\":\"queue-operation\",\"operation\":\"remove\",\"reason" \
	"\":\"absorbed_mid_turn\",\"content\":" content members "}\n"

static void
check_queue(void)
{
	check("words that were queued are the user's",
	      "1 user \"a\"\n2 user \"also check\"\n3 user \"b\"\n"
	      "4 user \"x\n[image]\"\n",
	      USER("1", ROOT, "a"),
	      QUEUED(AT("2", "1"), ",\"prompt\":\"also check\",\"commandMode"
				   "\":\"prompt\""),
	      QUEUED("", ",\"prompt\":\"b\""), /* on, as 2 is */
	      QUEUED(AT("3", "2"), ",\"prompt\":[{\"type\":\"text\",\"text\""
				   ":\"x\"},{\"type\":\"image\"}]"));
	check("but for what the host queued",
	      "1 context \"t\"\n2 context \"<task-notification>x</task-"
	      "notification>\"\n3 context \"m\"\n4 user \"\"\n",
	      QUEUED(AT("1", "0"), ",\"prompt\":\"t\",\"commandMode\":"
				   "\"task-notification\""),
	      QUEUED(AT("2", "1"), ",\"prompt\":\"<task-notification>x</task-"
				   "notification>\""),
	      QUEUED(AT("3", "2") "\"isMeta\":true,", ",\"prompt\":\"m\""),
	      QUEUED(AT("4", "3"), ",\"prompt\":{\"text\":\"no\"}"));
	check("without a uuid they are where the record before is",
	      "1 off\n2 user \"a\"\n3 off\n4 off\n5 user \"b\"\n",
	      QUEUED("", ",\"prompt\":\"x\""), USER("1", ROOT, "a"),
	      USER("2", UNDER("1"), "off"), QUEUED("", ",\"prompt\":\"y\""),
	      USER("3", UNDER("1"), "b"));
	check("what was absorbed and stands nowhere else is said there",
	      "1 user \"a\"\n2 user \"w\"\n3 context \"[Request "
	      "interrupted by user]\"\n",
	      USER("1", ROOT, "a"), ABSORBED("\"w\"", ""),
	      ABSORBED("\"[Request interrupted by user]\"", ""));
	check("a queued command from it says the same, before or behind",
	      "1 user \"a\"\n2 user \"w\"\n3 mirror\n4 mirror\n"
	      "5 user \"v\"\n",
	      USER("1", ROOT, "a"),
	      QUEUED(AT("2", "1"), ",\"prompt\":\"w\",\"source_uuid\":"
				   "\"c1\""),
	      ABSORBED("\"other words\"", ",\"commandUuid\":\"c1\""),
	      ABSORBED("\"v\"", ",\"commandUuid\":\"c2\""),
	      QUEUED(AT("3", "2"), ",\"prompt\":\"v\",\"source_uuid\":"
				   "\"c2\""));
	check("by its text where one of the two says not from what",
	      "1 user \"w\"\n2 mirror\n3 user \"v\"\n4 mirror\n"
	      "5 user \"w\"\n",
	      QUEUED(AT("1", "0"), ",\"prompt\":\"w\",\"source_uuid\":"
				   "\"c1\""),
	      ABSORBED("\"w\"", ""), QUEUED(AT("2", "1"), ",\"prompt\":\"v\""),
	      ABSORBED("\"v\"", ",\"commandUuid\":\"c2\""),
	      /* Both say from what, and it is not the same. */
	      ABSORBED("\"w\"", ",\"commandUuid\":\"c3\""));
	check("a message of the user's does behind it, and not in front",
	      "1 user \"w\"\n2 mirror\n3 user \"w\"\n4 user \"w\"\n",
	      USER("1", ROOT, "w"), ABSORBED("\"w\"", ""),
	      USER("2", UNDER("1"), "w"), ABSORBED("\"w\"", ""));
	check("other operations of the queue are nothing", "1 user \"a\"\n",
	      USER("1", ROOT, "a"),
	      "{\"type\":\"queue-operation\",\"operation\":\"remove\","
	      "\"reason\":\"cancelled\",\"content\":\"x\"}\n"
	      "{\"type\":\"queue-operation\",\"operation\":\"enqueue\","
	      "\"reason\":\"absorbed_mid_turn\",\"content\":\"x\"}\n");
	check("a local command is context",
	      "1 user \"a\"\n2 context \"<command-name>/x</command-name>\"\n",
	      USER("1", ROOT, "a"),
	      RECORD("2", UNDER("1"), "system",
		     ",\"subtype\":\"local_command\",\"content\":"
		     "\"<command-name>/x</command-name>\""));
}

#define TURNS 100

/* Calls whose results stand by turns in two records of very many. */
static void
check_results_by_turns(void)
{
	struct buf text = BUF_INIT, want = BUF_INIT, got = BUF_INIT;
	uint32_t seq = 0;

	for (int i = 0; i < TURNS; i++) {
		buf_addf(&text, ASSISTANT("a%d", "", "m", USE("t%d", "f")), i,
			 i);
		buf_addf(&want,
			 "%d assistant \"\"\n%d tool %s \"f {}\n--- output ---"
			 "\n\"r%d\"\"\n",
			 2 * i + 1, 2 * i + 2, i % 7 == 0 ? "error" : "ok", i);
	}
	for (int k = 0; k < 2; k++) {
		buf_addf(&text,
			 "{\"type\":\"user\",\"uuid\":\"r%d\",\"message\":{"
			 "\"content\":[ %s",
			 k, k == 0 ? TEXT("words") "," : "");
		if (k == 0)
			buf_addf(&want, "%d user \"words\"\n", 2 * TURNS + 1);
		for (int i = k; i < TURNS; i += 2)
			buf_addf(
				&text,
				"%s {\"tool_use_id\":\"t%d\",\"type\":\"tool_"
				"result\",\"is_error\":%s,\"content\":\"\\\"r%d"
				"\\\"\"}\t",
				i == k ? "" : ",", i,
				i % 7 == 0 ? "true" : "false", i);
		buf_adds(&text, "]},\"toolUseResult\":{\"persistedOutputPath\":"
				"\"no\"}}\n");
	}
	for (int k = 0; k < 2; k++)
		for (int i = k; i < TURNS; i += 2, seq++)
			buf_addf(&want, "%d of %d\n", 2 * TURNS + 2 + (int)seq,
				 2 * i + 2);
	show_events(&claude_decoder, buf_str(&text), "", &got);
	is_string(got.data, want.data, "results by turns, from large records");
	buf_release(&text);
	buf_release(&want);
	buf_release(&got);
}

/* In a sub-agent's own file all records say that they are of a sidechain. */
static void
check_agent(void)
{
	struct transcript t;
	struct buf got = BUF_INIT;
	struct str text = STR(SIDE("1", ROOT, "user", "")
				      SIDE("2", UNDER("1"), "assistant", ""));

	if (hosts_open(&t, source_memory(text), hosts_of(&claude_decoder),
		       (struct transcript_options){ .agent = true }) ==
	    TRANSCRIPT_OK)
		show_transcript(&t, "2", &got);
	is_string(got.data,
		  "1 user \"side\"\n2 assistant \"side\"\n"
		  "3 tool unfinished \"side {}\"\n",
		  "a sub-agent's own file is read as any other");
	transcript_close(&t);
	buf_release(&got);
	check_leaf("elsewhere a sidechain has no leaf", "2", "no transcript\n",
		   USER("u", ROOT, "a"), SIDE("2", UNDER("u"), "user", ""));
}

static void
check_parallel(void)
{
	check("section 12: two records of one answer, each with its result",
	      "1 user \"go\"\n2 assistant \"\"\n"
	      "3 tool ok \"f {}\n--- output ---\none\"\n4 assistant \"\"\n"
	      "5 tool ok \"g {}\n--- output ---\ntwo\"\n6 of 3\n7 of 5\n"
	      "8 assistant \"end\"\n",
	      USER("u", ROOT, "go"),
	      ASSISTANT("A", UNDER("u"), "m", USE("t1", "f")),
	      ASSISTANT("B", UNDER("A"), "m", USE("t2", "g")),
	      RESULTS("r1", UNDER("A"), RESULT("t1", "one")),
	      RESULTS("r2", UNDER("B"), RESULT("t2", "two")),
	      ASSISTANT("C", UNDER("r2"), "n", TEXT("end")));
	check("siblings by message id, and their results, before and after",
	      "1 assistant \"\"\n2 tool ok \"e {}\n--- output ---\nzero\"\n"
	      "3 assistant \"\"\n4 tool ok \"f {}\n--- output ---\none\"\n"
	      "5 of 2\n6 of 4\n7 assistant \"\"\n"
	      "8 tool ok \"g {}\n--- output ---\ntwo\"\n9 of 8\n10 off\n"
	      "11 user \"next\"\n",
	      ASSISTANT("0", ROOT, "m", USE("t0", "e")),
	      ASSISTANT("A", ROOT, "m", USE("t1", "f")),
	      RESULTS("r0", UNDER("0"), RESULT("t0", "zero")),
	      RESULTS("r1", UNDER("A"), RESULT("t1", "one")),
	      ASSISTANT("B", ROOT, "m", USE("t2", "g")),
	      RESULTS("r2", UNDER("B"), RESULT("t2", "two")),
	      USER("off", UNDER("r2"), "x"), USER("u", UNDER("r1"), "next"));
	check("not those of sidechains, nor records without a message id",
	      "1 assistant \"a\"\n2 off\n3 assistant \"b\"\n",
	      ASSISTANT("A", ROOT, "m", TEXT("a")),
	      SIDE("S", UNDER("A"), "assistant", ""),
	      "{\"type\":\"assistant\",\"uuid\":\"N\",\"parentUuid\":null,"
	      "\"message\":{\"content\":[",
	      TEXT("off"),
	      "]}}\n"
	      "{\"type\":\"assistant\",\"uuid\":\"O\",\"parentUuid\":\"A\","
	      "\"message\":{\"content\":[",
	      TEXT("b"), "]}}\n");
	check("nor messages of the user with that id",
	      "1 assistant \"a\"\n2 off\n3 user \"b\"\n",
	      ASSISTANT("A", ROOT, "m", TEXT("a")),
	      "{\"type\":\"user\",\"uuid\":\"N\",\"parentUuid\":null,"
	      "\"message\":{\"id\":\"m\",\"content\":\"off\"}}\n",
	      USER("O", UNDER("A"), "b"));
	check("a result brings its record, with all its slots",
	      "1 assistant \"\"\n2 tool ok \"f {}\n--- output ---\nR\"\n"
	      "3 user \"T\"\n4 of 2\n"
	      "5 tool ok \"unknown (arguments not recorded)\n"
	      "--- output ---\nS\"\n6 user \"b\"\n",
	      ASSISTANT("A", ROOT, "m", USE("t", "f")),
	      RESULTS("r", ROOT,
		      RESULT("t", "R") "," RESULT("x", "S") "," TEXT("T")),
	      USER("u", UNDER("A"), "b"));
	check("but not that of a call which was rewound away",
	      "1 off\n2 off\n3 off\n4 user \"b\"\n",
	      ASSISTANT("A", ROOT, "m", USE("t", "f")),
	      RESULTS("r", UNDER("A"), RESULT("t", "R")), USER("u", ROOT, "b"));
	check("an empty call id names nothing",
	      "1 assistant \"\"\n2 tool unfinished \"f {}\"\n3 off\n"
	      "4 user \"b\"\n",
	      ASSISTANT("A", ROOT, "m", USE("", "f")),
	      RESULTS("r", UNDER("A"), RESULT("", "R")),
	      USER("u", UNDER("A"), "b"));
}

int
main(void)
{
	check_path();
	check_compaction();
	check_kept_tails();
	check_detours();
	check_queue();
	check_agent();
	check_results_by_turns();
	check_parallel();
	return done();
}

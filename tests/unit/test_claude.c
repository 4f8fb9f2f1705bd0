/* Claude Code transcripts: slots, branch, pairing, facts and documents. */
#include "transcript/claude.h"

#include "base/json_write.h"
#include "show_events.h"
#include "transcript/hosts.h"
#include "transcript/windows.h"

/* The pieces, NULL last, are those of the transcript. */
static void
check_pieces(const char *name, const char *leaf, const char *want,
	     const char *const pieces[])
{
	struct buf text = BUF_INIT, got = BUF_INIT;

	while (*pieces != NULL)
		buf_adds(&text, *pieces++);
	show_events(&claude_decoder, buf_str(&text), leaf, &got);
	is_string(got.data, want, name);
	buf_release(&text);
	buf_release(&got);
}

#define check_leaf(name, leaf, want, ...) \
	check_pieces(name, leaf, want,    \
		     (const char *const[]){ __VA_ARGS__, NULL })
#define check(name, want, ...) check_leaf(name, "", want, __VA_ARGS__)

/* ---- making transcripts ------------------------------------------------ */

/* A chain record; place is its `parentUuid`, or another member, or none. */
#define RECORD(uuid, place, type, members)                   \
	"{" place "\"isSidechain\":false,\"type\":\"" type   \
	"\",\"uuid\":\"" uuid "\",\"sessionId\":\"another\"" \
	"" members "}\n"
#define UNDER(uuid) "\"parentUuid\":\"" uuid "\","
#define ROOT "\"parentUuid\":null,"
#define USER_OF(uuid, place, content, members)                        \
	RECORD(uuid, place, "user",                                   \
	       ",\"message\":{\"role\":\"user\",\"content\":" content \
	       "}" members)
#define USER(uuid, place, text) USER_OF(uuid, place, "\"" text "\"", "")
#define ASSISTANT(uuid, place, message, blocks)                           \
	RECORD(uuid, place, "assistant",                                  \
	       ",\"message\":{\"id\":\"" message "\",\"role\":"           \
	       "\"assistant\",\"content\":[" blocks "]},\"requestId\":\"" \
	       "r\"")
#define BOUNDARY(uuid, place, text)                            \
	RECORD(uuid, place, "system",                          \
	       ",\"subtype\":\"compact_boundary\",\"content\"" \
	       ":\"" text "\"")
#define TEXT(text) "{\"type\":\"text\",\"text\":\"" text "\"}"
#define USE(id, name)                                               \
	"{\"type\":\"tool_use\",\"id\":\"" id "\",\"name\":\"" name \
	"\",\"input\":{}}"
#define RESULT(id, text)                                        \
	"{\"tool_use_id\":\"" id "\",\"type\":\"tool_result\"," \
	"\"content\":\"" text "\"}"
#define RESULTS(uuid, place, blocks) USER_OF(uuid, place, "[" blocks "]", "")
#define SIDE(uuid, place, type, members)                        \
	"{" place "\"isSidechain\":true,\"type\":\"" type "\"," \
	"\"uuid\":\"" uuid "\",\"message\":{\"id\":\"m\","      \
	"\"content\":[" TEXT("side") "," USE("t1", "side") "]}" members "}\n"

/* ---- 2.3 --------------------------------------------------------------- */

static void
check_first(const char *first, const char *host)
{
	const struct host *found = hosts_recognise(str_of(first));
	const struct host *claude = hosts_of(&claude_decoder);

	is_string(found == NULL ? "nobody" : found->name, host, first);
	ok(hosts_recognises(claude, str_of(first)) == (found == claude),
	   "as Claude Code itself has it");
}

static void
check_recognition(void)
{
	check_first("{\"type\":\"user\"}", "claude");
	check_first("{\"type\":\"summary\",\"summary\":\"x\"}", "claude");
	check_first("{\"type\":\"\"}", "claude");
	check_first("{\"type\":\"session\"}", "claude");
	check_first("{\"type\":\"session\",\"id\":5}", "claude");
	check_first("{\"type\":\"session\",\"id\":\"5\"}", "pi");
	check_first("{\"type\":\"session_meta\",\"payload\":7}", "claude");
	ok(!hosts_recognises(hosts_of(&claude_decoder),
			     STR("{\"type\":\"session_meta\",\"payload\":{}}")),
	   "what is of Codex is not of Claude Code");
	check_first("{\"type\":null}", "nobody");
	check_first("{\"type\":17}", "nobody");
	check_first("{\"uuid\":\"x\"}", "nobody");
}

/* ---- 3.2 --------------------------------------------------------------- */

static void
check_slots(void)
{
	check("each kind of record takes its slots",
	      "1 user \"u\"\n2 assistant \"a\"\n"
	      "3 tool ok \"f {}\n--- output ---\nr\"\n"
	      "4 tool unfinished \"g {}\"\n5 user \"said\"\n6 of 3\n"
	      "7 tool ok \"unknown (arguments not recorded)\n"
	      "--- output ---\ny\"\n8 context \"compacted\"\n",
	      USER("1", ROOT, "u"),
	      ASSISTANT("2", UNDER("1"), "m",
			TEXT("a") "," USE("t", "f") "," USE("u", "g")),
	      RESULTS("3", UNDER("2"),
		      RESULT("t", "r") "," TEXT("said") "," RESULT("x", "y")),
	      BOUNDARY("4", UNDER("3"), "compacted"));
	check("of the user a string, a text, a picture or a document is one",
	      "1 user \"\"\n2 user \"[image]\"\n3 user \"[document]\"\n"
	      "4 user \"\"\n5 user \"[image]\"\n6 tool ok \"unknown (arguments "
	      "not recorded)\"\n",
	      USER_OF("1", ROOT, "\"\"", ""),
	      USER_OF("2", UNDER("1"), "[{\"type\":\"image\"}]", ""),
	      USER_OF("3", UNDER("2"), "[{\"type\":\"document\"}]", ""),
	      USER_OF("4", UNDER("3"), "[{\"type\":\"text\"}]", ""),
	      USER_OF("5", UNDER("4"), "[{\"type\":\"thinking\"},17]", ""),
	      USER_OF("6", UNDER("5"), "[]", ""),
	      USER_OF("7", UNDER("6"),
		      "[" RESULT("t", "") ",{\"type\":\"image\"}]", ""));
	check("other records take none", "1 user \"u\"\n2 user \"v\"\n",
	      USER("1", ROOT, "u"),
	      RECORD("2", UNDER("1"), "system",
		     ",\"subtype\":\"turn_duration\",\"content\":\"x\""),
	      RECORD("3", UNDER("2"), "system", ",\"content\":\"x\""),
	      RECORD("4", UNDER("3"), "attachment", ",\"attachment\":{}"),
	      RECORD("5", UNDER("4"), "progress", ""),
	      RECORD("6", UNDER("5"), "of tomorrow",
		     ",\"message\":{\"content\":\"x\"}"),
	      RECORD("7", UNDER("6"), "attachment",
		     ",\"subtype\":\"compact_"
		     "boundary\""),
	      USER("8", UNDER("7"), "v"),
	      "{\"type\":\"summary\",\"summary\":\"s\",\"leafUuid\":\"1\"}\n"
	      "{\"type\":\"custom-title\",\"customTitle\":\"c\"}\n"
	      "{\"type\":\"file-history-"
	      "snapshot\",\"messageId\":"
	      "\"1\"}\n"
	      "{\"type\":\"queue-operation\",\"content\":\"q\"}\n"
	      "{\"type\":7}\n{}\n");
	check("nor do sidechains, whatever they are", "1 user \"u\"\n",
	      USER("1", ROOT, "u"), SIDE("2", UNDER("1"), "user", ""),
	      SIDE("3", UNDER("2"), "assistant", ""),
	      SIDE("4", UNDER("3"), "system",
		   ",\"subtype\":\"compact_boundary\""));
	check("a message that is only a picture exists, and says of what kind",
	      "1 user \"[image image/png]\"\n2 user \"[document]\"\n",
	      USER_OF("1", ROOT,
		      "[{\"type\":\"image\",\"source\":{\"media_type\":"
		      "\"image/png\",\"data\":\"x\"}}]",
		      ""),
	      USER_OF("2", UNDER("1"),
		      "[{\"type\":\"document\",\"source\":{\"media_type\":"
		      "\"a/b/c\"}}]",
		      ""));
	check("isSidechain is JSON true only", "1 user \"u\"\n",
	      "{\"type\":\"user\",\"uuid\":\"1\",\"isSidechain\":\"true\","
	      "\"message\":{\"content\":\"u\"}}\n");
	check("without a uuid a message has its slots, on no branch",
	      "1 off\n2 off\n3 off\n4 assistant \"\"\n"
	      "5 tool unfinished \"g {}\"\n6 off\n",
	      "{\"type\":\"user\",\"message\":{\"content\":\"x\"}}\n"
	      "{\"type\":\"assistant\",\"uuid\":5,\"message\":{\"id\":\"m\","
	      "\"content\":[",
	      USE("t", "f"), "]}}\n", ASSISTANT("1", ROOT, "m", USE("u", "g")),
	      "{\"type\":\"user\",\"message\":{\"content\":[", RESULT("u", "r"),
	      "]}}\n");
	check("wrong types: a slot by kind, and no text",
	      "1 assistant \"\"\n2 assistant \"\"\n3 assistant \"\"\n"
	      "4 tool unfinished \"unknown (arguments not recorded)\"\n"
	      "5 tool unfinished \"unknown (arguments not recorded)\"\n"
	      "6 tool ok \"unknown (arguments not recorded)\"\n"
	      "7 context \"\"\n",
	      "{\"type\":\"assistant\",\"uuid\":\"1\",\"message\":null}\n"
	      "{\"type\":\"assistant\",\"uuid\":\"2\",\"message\":{\"id\":7,"
	      "\"content\":{\"content\":\"no\"}}}\n"
	      "{\"type\":\"assistant\",\"uuid\":\"3\",\"message\":{"
	      "\"content\":[1,null,{},{\"type\":\"text\"},{\"type\":\"text\","
	      "\"text\":1},{\"type\":\"tool_use\"},{\"type\":\"tool_use\","
	      "\"id\":7,\"name\":[]}]}}\n"
	      "{\"type\":\"user\",\"uuid\":\"4\",\"message\":{\"content\":17}}"
	      "\n{\"type\":\"user\",\"uuid\":\"5\",\"message\":[]}\n"
	      "{\"type\":\"user\",\"uuid\":\"6\",\"message\":{\"content\":["
	      "{\"type\":\"tool_result\",\"content\":{\"text\":\"x\"}}]}}\n"
	      "{\"type\":\"system\",\"uuid\":\"7\",\"subtype\":"
	      "\"compact_boundary\",\"content\":[",
	      TEXT("no"), "]}\n");
}

/* ---- 3.1 --------------------------------------------------------------- */

static void
check_lines(void)
{
	check("malformed lines are skipped and counted, and take no seq",
	      "1 user \"a\"\n2 user \"b\"\nskipped 4\n", "no json\n",
	      USER("1", ROOT, "a"),
	      "{\"type\":\"user\",\"uu\n"
	      "[]\n\n \t\r\n",
	      USER("2", UNDER("1"), "b"), "{\"type\":\"us");
	check("a uuid that was there before is skipped and counted",
	      "1 user \"a\"\n2 user \"b\"\nrepeated 2\n", USER("1", ROOT, "a"),
	      USER("1", ROOT, "again"), SIDE("2", UNDER("1"), "user", ""),
	      USER("2", UNDER("1"), "the sidechain's"),
	      USER("3", UNDER("1"), "b"));
	check("of a key that is there twice the last one is read",
	      "1 user \"b\"\n2 user \"c\"\n",
	      "{\"type\":\"x\",\"uuid\":\"0\",\"uuid\":\"1\",\"type\":\"user\","
	      "\"message\":5,\"message\":{\"content\":\"a\","
	      "\"content\":\"b\"}}\n",
	      USER("2", UNDER("1"), "c"));
	check("a lone surrogate is U+FFFD (cases.md row 9)",
	      "1 user \"x\"\n2 user \"a\xef\xbf\xbd b\"\n3 user \"y\"\n",
	      USER("1", ROOT, "x"), USER("2", UNDER("1"), "a\\ud83d b"),
	      USER("3", UNDER("2"), "y"));
	check("no record", "no transcript\n", "<html>\n");
	check("a transcript of titles alone is an empty session", "",
	      "{\"type\":\"summary\",\"summary\":\"s\"}\n");
}

/* ---- 3.3 --------------------------------------------------------------- */

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
#define LOGICAL(uuid) ",\"logicalParentUuid\":\"" uuid "\""
#define COMPACT(uuid, place, members)                          \
	RECORD(uuid, place, "system",                          \
	       ",\"subtype\":\"compact_boundary\",\"content\"" \
	       ":\"c\"" members)
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

/* ---- 3.4 and 3.5 ------------------------------------------------------- */

static void
check_role(const char *text, bool is_context)
{
	struct buf name = BUF_INIT, file = BUF_INIT, got = BUF_INIT;

	/* A test's name is one line. */
	json_quote(&name, str_of(text));
	buf_addf(&file, USER_OF("u", ROOT, "%s", ""), name.data);
	show_events(&claude_decoder, buf_str(&file), "", &got);
	ok(str_starts(buf_str(&got),
		      is_context ? STR("1 context ") : STR("1 user ")),
	   "%s: %s", is_context ? "context" : "user", name.data);
	buf_release(&name);
	buf_release(&file);
	buf_release(&got);
}

static void
check_contexts(void)
{
	static const char *const elements[] = {
		"command-name",		"command-message",
		"command-args",		"local-command-stdout",
		"local-command-stderr", "local-command-caveat",
		"bash-input",		"bash-stdout",
		"bash-stderr",		"system-reminder",
		"task-notification"
	};
	char text[128];

	for (size_t i = 0; i < sizeof(elements) / sizeof(*elements); i++) {
		snprintf(text, sizeof(text), "<%s>a <b> c</%s>", elements[i],
			 elements[i]);
		check_role(text, true);
	}
	check_role("<bash-stdout></bash-stdout><bash-stderr></bash-stderr>",
		   true);
	check_role(" \t\r\n<bash-input>ls</bash-input>\v\f\n"
		   "<bash-stdout>x\ny</bash-stdout> ",
		   true);
	check_role("<bash-input>ls</bash-stdout></bash-input>", true);
	check_role("<bash-input>ls</bash-input </bash-input>", true);
	check_role("<context_window>anything", true);
	check_role(" <context_window>", false);
	check_role("", false);
	check_role(" \n", false);
	check_role("plain", false);
	check_role("<bash-input>ls</bash-input> and more", false);
	check_role("see <bash-input>ls</bash-input>", false);
	check_role("<bash-input>ls", false);
	check_role("<bash-input>ls</bash-input", false);
	check_role("<bash-input>ls</bash-inputs>", false);
	check_role("<bash-input>", false);
	check_role("<bash-input", false);
	check_role("<bash-input a=\"b\">ls</bash-input>", false);
	check_role("<bash-inputs>ls</bash-inputs>", false);
	check_role("<BASH-INPUT>ls</BASH-INPUT>", false);
	check_role("<div>x</div>", false);
	check_role("<", false);
	check_role("<bash-input>a</bash-input></bash-input>", false);
}

static void
check_texts(void)
{
	check("the roles of what the user is said to say",
	      "1 context \"m\"\n2 user \"n\"\n3 context \"s\"\n"
	      "4 context \"<context_window>\"\n"
	      "5 context \"<bash-input>x</bash-input>\"\n"
	      "6 context \"\n <bash-input>x</bash-input>\"\n"
	      "7 user \"<b>x</b>\"\n"
	      "8 context \"<bash-input>x\n</bash-input>\"\n"
	      "9 user \"<bash-input>x</bash-input>\ny\"\n"
	      "10 context \"\n<bash-input>x</bash-input>\"\n"
	      "11 context \"[image]\"\n12 tool ok \"unknown (arguments not "
	      "recorded)"
	      "\n--- output ---\nr\"\n",
	      USER_OF("1", ROOT, "\"m\"", ",\"isMeta\":true"),
	      USER_OF("2", UNDER("1"), "\"n\"", ",\"isMeta\":\"true\""),
	      USER_OF("3", UNDER("2"), "\"s\"", ",\"isCompactSummary\":true"),
	      USER("4", UNDER("3"), "<context_window>"),
	      USER("5", UNDER("4"), "\\u003cbash-input>x<\\/bash-input>"),
	      USER("6", UNDER("5"), "\\n <bash-input>x</bash-input>"),
	      USER("7", UNDER("6"), "<b>x</b>"),
	      USER_OF("8", UNDER("7"),
		      "[" TEXT("<bash-input>x") "," TEXT("</bash-input>") "]",
		      ""),
	      USER_OF("9", UNDER("8"),
		      "[" TEXT("<bash-input>x</bash-input>") "," TEXT("y") "]",
		      ""),
	      USER_OF("10", UNDER("9"),
		      "[" TEXT("") "," TEXT("<bash-input>x</bash-input>") "]",
		      ""),
	      USER_OF("11", UNDER("10"),
		      "[" RESULT("t", "r") ",{\"t"
					   "ype\":"
					   "\"i"
					   "mage\""
					   "}]",
		      ",\"isMeta\":true"));
	check("white space may stand before them, as it is or escaped",
	      "1 context \" <bash-input>x</bash-input>\"\n"
	      "2 context \"\t<bash-input>x</bash-input>\"\n",
	      USER("1", ROOT, " <bash-input>x</bash-input>"),
	      USER("2", UNDER("1"), "\\t<bash-input>x</bash-input>"));
	check("text blocks are joined by line feeds, and pictures are marked",
	      "1 assistant \"a\n[image]\n\nb\"\n2 assistant \"a string\"\n",
	      ASSISTANT(
		      "1", ROOT, "m",
		      "{\"type\":\"thinking\",\"thinking\":\"t\","
		      "\"text\":\"no\"}," TEXT("a") ",{\"type\":\"image\"}"
						    "," TEXT("") "," TEXT("b")),
	      "{\"type\":\"assistant"
	      "\",\"uuid\":"
	      "\"2\",\"message\":{\"content\":\"a "
	      "string\"}}"
	      "\n");
}

/* Whether the conversation view leaves a message out as empty. */
static void
check_empty(const char *content, bool empty)
{
	struct buf text = BUF_INIT;
	struct transcript t;

	buf_addf(&text,
		 "{\"type\":\"user\",\"uuid\":\"1\",\"message\":{"
		 "\"content\":%s}}\n{\"type\":\"assistant\",\"uuid\":"
		 "\"2\",\"message\":{\"content\":%s}}\n",
		 content, content);
	transcript_open(&t, source_memory(buf_str(&text)), &claude_decoder,
			NULL);
	ok(transcript_highest(&t) == 2 &&
		   t.slots[0].flags == t.slots[1].flags &&
		   ((t.slots[0].flags & SLOT_EMPTY) != 0) == empty,
	   "%s: %s", empty ? "empty" : "not empty", content);
	transcript_close(&t);
	buf_release(&text);
}

static void
check_empties(void)
{
	check_empty("\"\"", true);
	check_empty("\"a\"", false);
	check_empty("[{\"type\":\"image\"}]", false);
	check_empty("[" TEXT("") "]", true);
	check_empty("[" TEXT("a") "]", false);
	check_empty("[" TEXT("") "," TEXT("") "]", false);
	check_empty("[" TEXT("a") "," TEXT("") "]", false);
	check_empty("[" TEXT("") ",{\"type\":\"text\"}]", true);
}

/* A call with these members, and a result with those. */
static void
check_call(const char *call, const char *result, const char *want)
{
	struct buf text = BUF_INIT, expected = BUF_INIT;

	buf_addf(&text,
		 "{\"type\":\"assistant\",\"uuid\":\"1\",\"message\":{"
		 "\"content\":[{\"type\":\"tool_use\",\"id\":\"t\"%s}]}}\n"
		 "{\"type\":\"user\",\"uuid\":\"2\",\"message\":{\"content\":["
		 "{\"type\":\"tool_result\",\"tool_use_id\":\"t\"%s}]}}\n",
		 call, result);
	buf_addf(&expected, "1 assistant \"\"\n2 tool %s\"\n3 of 2\n", want);
	check(*result == '\0' ? call : result, expected.data, text.data);
	buf_release(&text);
	buf_release(&expected);
}

static void
check_tools(void)
{
	check_call(",\"name\":\"f\",\"input\":{ \"b\" : 1.0, \"a\":[-0,1E5] ,"
		   " \"b\":\"\\u0041\\/\\u000A\" }",
		   "", "ok \"f {\"b\":1.0,\"a\":[-0,1E5],\"b\":\"A/\\n\"}");
	check_call(",\"name\":\"f\",\"input\":null", "", "ok \"f null");
	check_call(",\"name\":\"f\",\"input\":\"x\"", "", "ok \"f \"x\"");
	check_call(",\"name\":\"f\"", "", "ok \"f (arguments not recorded)");
	check_call(",\"name\":\"\",\"input\":{}", "", "ok \"unknown {}");
	check_call(",\"input\":{}", ",\"content\":\"\"", "ok \"unknown {}");
	check_call(",\"input\":{}", ",\"content\":\"r\"",
		   "ok \"unknown {}\n--- output ---\nr");
	check_call(",\"input\":{}",
		   ",\"content\":[" TEXT("r") ",{\"type\":\"image\"}," TEXT(
			   "s") "]",
		   "ok \"unknown {}\n--- output ---\nr\n[image]\ns");
	check_call(",\"input\":{}", ",\"content\":[]", "ok \"unknown {}");
	check_call(",\"input\":{}", ",\"content\":\"r\",\"is_error\":true",
		   "error \"unknown {}\n--- output ---\nr");
	check_call(",\"input\":{}", ",\"is_error\":\"true\"",
		   "ok \"unknown {}");
	check("a second result, and one before its call, stand alone",
	      "1 tool ok \"unknown (arguments not recorded)\n"
	      "--- output ---\n0th\"\n2 assistant \"\"\n"
	      "3 tool unfinished \"f {}\"\n"
	      "4 tool ok \"g {}\n--- output ---\n1st\"\n5 of 4\n"
	      "6 tool ok \"unknown (arguments not recorded)\n"
	      "--- output ---\n2nd\"\n",
	      RESULTS("0", ROOT, RESULT("a", "0th")),
	      ASSISTANT("1", UNDER("0"), "m", USE("a", "f") "," USE("b", "g")),
	      RESULTS("2", UNDER("1"),
		      RESULT("b", "1st") "," RESULT("b", "2nd")));
}

/* A message with results, and what is recorded of where it went. */
static void
check_spill(const char *blocks, const char *beside, const char *path)
{
	struct buf text = BUF_INIT;
	struct transcript t;
	struct event e;

	buf_addf(&text,
		 "{\"type\":\"user\",\"uuid\":\"1\",\"message\":{\"content\":"
		 "[%s]},\"toolUseResult\":%s}\n",
		 blocks, beside);
	event_init(&e);
	transcript_open(&t, source_memory(buf_str(&text)), &claude_decoder,
			NULL);
	transcript_select(&t, STR(""));
	ok(event_load(&t, transcript_highest(&t), &e) &&
		   str_is(buf_str(&e.result.path), path) &&
		   e.result.truncated == (*path != '\0'),
	   "%s: %s", beside, *path != '\0' ? path : "not truncated");
	event_release(&e);
	transcript_close(&t);
	buf_release(&text);
}

static void
check_truncation(void)
{
#define PATH "{\"persistedOutputPath\":\"/tmp/x\"}"
	check_spill(RESULT("t", "r"), PATH, "/tmp/x");
	check_spill(TEXT("said") "," RESULT("t", "r"), PATH, "/tmp/x");
	check_spill(RESULT("t", "r") "," RESULT("u", "s"), PATH, "");
	check_spill(RESULT("t", "r"), "{\"persistedOutputPath\":\"\"}", "");
	check_spill(RESULT("t", "r"), "{\"persistedOutputPath\":7}", "");
	check_spill(RESULT("t", "r"), "\"persistedOutputPath\"", "");
	check_spill(RESULT("t", "r"), "[" PATH "]", "");
	check_spill(RESULT("t", "r"), "{}", "");
}

/* ---- 7.1 --------------------------------------------------------------- */

static void
check_windows(void)
{
	static const char text[] = USER("1", ROOT, "a")
		COMPACT("off", UNDER("1"), "") COMPACT("3", ROOT, LOGICAL("1"))
			USER("4", UNDER("3"), "b") COMPACT("5", UNDER("4"), "");
	static const char *const ids[] = { "claude:x:0", "claude:x:1",
					   "claude:x:2" };
	static const uint32_t firsts[] = { 1, 3, 5 }, lasts[] = { 1, 4, 5 };
	struct windows w = { 0 };
	struct transcript t;

	transcript_open(&t, source_memory(str_of(text)), &claude_decoder, NULL);
	transcript_select(&t, STR(""));
	ok(windows_read(&w, &t, STR("claude:x")) && w.n == 3,
	   "a window more for each boundary on the branch");
	for (size_t i = 0; i < w.n && i < 3; i++) {
		is_string(w.rows[i].id.data, ids[i], "its id counts them");
		is_int(w.rows[i].first, firsts[i], "where it begins");
		is_int(w.rows[i].last, lasts[i], "where it ends");
	}
	windows_release(&w);
	transcript_close(&t);
}

/* ---- 10 ---------------------------------------------------------------- */

/*
 * What would take hours if any of it were done for each by each: answers of
 * very many records, results of each, parents that the file lacks.
 */
static void
check_size(void)
{
	enum { N = 100000 };
	struct buf text = BUF_INIT;
	struct transcript t;
	size_t events = 0;

	for (unsigned i = 0; i < N; i++)
		buf_addf(
			&text,
			"{\"type\":\"assistant\",\"uuid\":\"a%u\","
			"\"parentUuid\":\"gone%u\",\"message\":{\"id\":\"m%u\","
			"\"content\":[" USE(
				"t%u", "f") "]}}\n"
					    "{\"type\":\"user\",\"uuid\":\"r%"
					    "u\",\"parentUuid\":"
					    "\"a%u\",\"message\":{\"content\":"
					    "[" RESULT("t%u", "r") "]}}\n",
			i, i, i % 3, i, i, i, i);
	transcript_open(&t, source_memory(buf_str(&text)), &claude_decoder,
			NULL);
	transcript_select(&t, STR(""));
	for (uint32_t seq = 1; seq <= transcript_highest(&t); seq++)
		events += transcript_is_event(&t, seq);
	is_int((long long)events, 2 * N, "all of a large session is paired");
	ok(t.host == NULL, "what only the branch needs is gone");
	transcript_close(&t);
	buf_release(&text);
}

int
main(void)
{
	check_recognition();
	check_slots();
	check_lines();
	check_path();
	check_compaction();
	check_kept_tails();
	check_detours();
	check_queue();
	check_agent();
	check_results_by_turns();
	check_parallel();
	check_contexts();
	check_texts();
	check_empties();
	check_tools();
	check_truncation();
	check_windows();
	check_size();
	return done();
}

/* Claude Code's transcripts: spec/history.md 2.3, 3.1, 3.2 and 7.1. */
#include "base/json_write.h"
#include "claude_make.h"
#include "transcript/hosts.h"
#include "transcript/windows.h"

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
	check_windows();
	check_size();
	return done();
}

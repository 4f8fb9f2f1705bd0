/* Roles, texts, tools of Claude Code's transcripts: spec/history.md 3.4, 3.5. */
#include "base/json_write.h"
#include "claude_make.h"

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

int
main(void)
{
	check_contexts();
	check_texts();
	check_empties();
	check_tools();
	check_truncation();
	return done();
}

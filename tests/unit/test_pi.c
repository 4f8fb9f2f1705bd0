/* Pi transcripts: slots, branch, pairing, facts and documents. */
#include "transcript/pi.h"

#include "show_events.h"

#define HEADER "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n"

static void
check_leaf(const char *name, const char *text, const char *leaf,
	   const char *want)
{
	struct buf got = BUF_INIT;

	show_events(&pi_decoder, str_of(text), leaf, &got);
	is_string(got.data, want, name);
	buf_release(&got);
}

static void
check(const char *name, const char *text, const char *want)
{
	check_leaf(name, text, "", want);
}

/* An entry with an id and its parent, and a message in it. */
#define MESSAGE(id, parent, message)                                   \
	"{\"type\":\"message\",\"id\":\"" id "\",\"parentId\":" parent \
	",\"message\":{" message "}}\n"
#define USER(id, parent, text)       \
	MESSAGE(id, parent,          \
		"\"role\":\"user\"," \
		"\"content\":\"" text "\"")
#define CALL(call, name, arguments)                                        \
	"{\"type\":\"toolCall\",\"id\":\"" call "\",\"name\":\"" name "\"" \
	",\"arguments\":" arguments "}"
#define ASSISTANT(id, parent, blocks) \
	MESSAGE(id, parent, "\"role\":\"assistant\",\"content\":[" blocks "]")
#define RESULT(id, parent, call, text)                                     \
	MESSAGE(id, parent,                                                \
		"\"role\":\"toolResult\",\"toolCallId\":\"" call           \
		"\",\"toolName\":\"own\",\"content\":[{\"type\":\"text\"," \
		"\"text\":\"" text "\"}]")

/* ---- 3.2 --------------------------------------------------------------- */

static void
check_slots(void)
{
	check("each kind of record takes its slots",
	      HEADER
	      "{\"type\":\"compaction\",\"id\":\"1\",\"summary\":\"c\"}\n"
	      "{\"type\":\"branch_summary\",\"id\":\"2\",\"parentId\":\"1\","
	      "\"summary\":\"b\"}\n"
	      "{\"type\":\"custom_message\",\"id\":\"3\",\"parentId\":\"2\","
	      "\"content\":\"m\",\"display\":false}\n" USER(
		      "4", "\"3\"",
		      "u") MESSAGE("5", "\"4\"",
				   "\"role\":\"bashExecution\","
				   "\"command\":\"x\",\"exitCode\":0")
		      MESSAGE("6", "\"5\"",
			      "\"role\":\"custom\",\"content\":[{"
			      "\"type\":\"text\",\"text\":\"k\"}]")
			      MESSAGE("7", "\"6\"",
				      "\"role\":\"branchSummary\",\"summary\":"
				      "\"bs\"")
				      MESSAGE("8", "\"7\"",
					      "\"role\":\"compactionSummary\","
					      "\"summary\":\"cs\"")
					      ASSISTANT("9", "\"8\"",
							CALL("c", "f", "{}"))
						      RESULT("10", "\"9\"",
							     "nobody", "r"),
	      "1 context \"c\"\n2 context \"b\"\n3 context \"m\"\n"
	      "4 user \"u\"\n5 tool ok \"bash {\"command\":\"x\"}\"\n"
	      "6 context \"k\"\n7 context \"bs\"\n8 context \"cs\"\n"
	      "9 assistant \"\"\n10 tool unfinished \"f {}\"\n"
	      "11 tool ok \"own (arguments not recorded)\n"
	      "--- output ---\nr\"\n");
	check("other records take none",
	      HEADER USER("1", "null", "u") MESSAGE(
		      "2", "\"1\"", "\"role\":\"system\",\"content\":\"x\"")
		      MESSAGE("3", "\"2\"",
			      "\"role\":\"hookMessage\","
			      "\"content\":\"x\"") "{\"type\":\"custom\","
						   "\"id\":\"4\",\"parentId\":"
						   "\"3\"}\n"
						   "{\"type\":\"label\",\"id\":"
						   "\"5\",\"parentId\":\"4\"}\n"
						   "{\"type\":\"model_change\","
						   "\"id\":\"6\",\"parentId\":"
						   "\"5\"}\n"
						   "{\"type\":\"thinking_level_"
						   "change\",\"id\":\"7\","
						   "\"parentId\":\"6\"}\n"
						   "{\"type\":\"session_info\","
						   "\"id\":\"8\",\"parentId\":"
						   "\"7\"}\n"
						   "{\"type\":\"of "
						   "tomorrow\",\"id\":\"9\","
						   "\"parentId\":\"8\"}\n"
						   "{\"type\":17,\"id\":\"10\","
						   "\"parentId\":\"9\"}\n"
						   "{\"id\":\"11\","
						   "\"parentId\":\"10\"}"
						   "\n" USER("12", "\"11\"",
							     "v"),
	      "1 user \"u\"\n2 user \"v\"\n");
	check("wrong types: a slot by kind and role, and no text",
	      HEADER "{\"type\":\"message\",\"id\":\"1\",\"message\":null}\n"
		     "{\"type\":\"message\",\"id\":\"2\",\"parentId\":\"1\","
		     "\"message\":[]}\n" MESSAGE(
			     "3", "\"2\"", "\"role\":\"user\",\"content\":17")
			     MESSAGE("4", "\"3\"",
				     "\"role\":\"assistant\",\"content\":{}")
				     ASSISTANT("5", "\"4\"",
					       "1,null,{},{\"type\":\"text\"},{"
					       "\"type\":\"text\","
					       "\"text\":1},{\"type\":"
					       "\"toolCall\"},"
					       "{\"type\":\"toolCall\",\"id\":"
					       "7,\"name\":[]}")
					     MESSAGE("6", "\"5\"",
						     "\"role\":\"toolResult\"")
						     MESSAGE("7", "\"6\"",
							     "\"role\":"
							     "\"bashExecution"
							     "\"") "{\"type\":"
								   "\"compactio"
								   "n\",\"id\":"
								   "\"8\","
								   "\"parentId"
								   "\":\"7\","
								   "\"summary\""
								   ":[]}\n",
	      "1 user \"\"\n2 assistant \"\"\n3 assistant \"\"\n"
	      "4 tool unfinished \"unknown (arguments not recorded)\"\n"
	      "5 tool unfinished \"unknown (arguments not recorded)\"\n"
	      "6 tool ok \"unknown (arguments not recorded)\"\n"
	      "7 tool unfinished \"bash (arguments not recorded)\"\n"
	      "8 context \"\"\n");
}

/* ---- 3.1 --------------------------------------------------------------- */

static void
check_lines(void)
{
	check("malformed lines are skipped and counted, and take no seq",
	      "no json\n" HEADER USER(
		      "1", "null",
		      "a") "{\"type\":\"message\",\"id\":\"2\",\"mess\n"
			   "[]\n17\n\n \t\r\n\xff\n{} {}\n" USER(
				   "3", "\"1\"", "b") "{\"type\":\"mess",
	      "1 user \"a\"\n2 user \"b\"\nskipped 7\n");
	check("a last line without LF counts",
	      HEADER "{\"type\":\"message\",\"id\":\"1\",\"message\":{"
		     "\"role\":\"user\",\"content\":\"a\"}}",
	      "1 user \"a\"\n");
	check("an id that was there before is skipped and counted",
	      HEADER USER("1", "null", "a") USER("1", "null", "b")
		      USER("2", "\"1\"", "c")
			      USER("s", "\"2\"", "the header's"),
	      "1 user \"a\"\n2 user \"c\"\nrepeated 2\n");
	check("so is an entry without a string id",
	      HEADER "{\"type\":\"message\",\"message\":{\"role\":\"user\"}}\n"
		     "{\"type\":\"message\",\"id\":5,\"message\":{}}\n" USER(
			     "1", "null", "a"),
	      "1 user \"a\"\nskipped 2\n");
	check("of a key that is there twice the last one is read",
	      HEADER "{\"type\":\"label\",\"id\":\"1\",\"message\":{\"role\":"
		     "\"user\",\"role\":\"user\",\"content\":\"a\","
		     "\"content\":\"b\"},\"type\":\"message\"}\n",
	      "1 user \"b\"\n");
	check("a lone surrogate is U+FFFD (cases.md row 9)",
	      HEADER USER("1", "null", "x") USER("2", "\"1\"", "a\\ud83d b")
		      USER("3", "\"2\"", "y"),
	      "1 user \"x\"\n2 user \"a\xef\xbf\xbd b\"\n3 user \"y\"\n");
	check("a later header takes no slot and is not a leaf",
	      HEADER USER("1", "null", "a") "{\"type\":\"session\",\"version\":"
					    "3,\"id\":\"t\"}\n",
	      "1 user \"a\"\n");
	check("a header alone is an empty session", HEADER, "");
	check("no header", USER("1", "null", "a"), "no transcript\n");
	check("nothing", "", "no transcript\n");
	check("no record", "<html>\n</html>\n", "no transcript\n");
	check("a header without an id", "{\"type\":\"session\"}\n",
	      "no transcript\n");
}

/* A record with an array that is `depth` levels deep in all, then another. */
static void
check_depth(unsigned depth, const char *closing, const char *name,
	    const char *want)
{
	struct buf text = BUF_INIT;

	buf_adds(&text, HEADER "{\"type\":\"message\",\"id\":\"1\",\"message\":"
			       "{\"role\":\"user\",\"content\":\"a\"},\"x\":");
	for (unsigned i = 1; i < depth; i++)
		buf_addc(&text, '[');
	for (unsigned i = 1; i < depth; i++)
		buf_adds(&text, closing);
	buf_adds(&text, "}\n" USER("2", "\"1\"", "b"));
	check(name, text.data, want);
	buf_release(&text);
}

static void
check_hostile_lines(void)
{
	check_depth(1024, "]", "a record is 1,024 levels deep",
		    "1 user \"a\"\n2 user \"b\"\n");
	check_depth(1025, "]", "but not one more", "1 user \"b\"\nskipped 1\n");
	check_depth(1000000, "", "a nesting bomb is one malformed line",
		    "1 user \"b\"\nskipped 1\n");
	check("so is one with invalid UTF-8, a surrogate, or a control",
	      HEADER USER("1", "null", "\xff") USER("2", "null", "\xc0\x80")
		      USER("3", "null", "\xed\xa0\x80")
			      USER("4", "null", "\xf4\x90\x80\x80")
				      USER("5", "null", "\x01")
					      USER("6", "null", "a\xc3\xa9"),
	      "1 user \"a\xc3\xa9\"\nskipped 5\n");
	check("and what JSON has not",
	      HEADER "{\"id\":\"1\",\"x\":NaN}\n{\"id\":\"2\",\"x\":01}\n"
		     "{\"id\":\"3\",}\n{'id':'4'}\n\xef\xbb\xbf{\"id\":"
		     "\"5\"}\n{\"id\":\"6\",\"x\":\"\\x\"}\n",
	      "skipped 6\n");
}

/* ---- 3.3 --------------------------------------------------------------- */

static void
check_branch(void)
{
	const char *tree = HEADER USER("1", "null", "a") USER("2", "\"1\"", "b")
		USER("3", "\"1\"", "c") "{\"type\":\"label\",\"id\":\"4\","
					"\"parentId\":\"3\"}\n";

	check("the leaf is the last record, of any type", tree,
	      "1 user \"a\"\n2 off\n3 user \"c\"\n");
	check_leaf("CTX_LEAF is another", tree, "2",
		   "1 user \"a\"\n2 user \"b\"\n3 off\n");
	check_leaf("the header is not a leaf", tree, "s", "no transcript\n");
	check_leaf("CTX_LEAF names no record", tree, "9", "no transcript\n");
	check("a parent that the file lacks: it goes on from the record before",
	      HEADER USER("1", "null", "a") USER("2", "\"nowhere\"", "b"),
	      "1 user \"a\"\n2 user \"b\"\n");
	check("which need not be the one that stands before on its branch",
	      HEADER USER("1", "null", "a") USER("2", "\"1\"", "b")
		      USER("3", "\"1\"", "c") USER("4", "\"nowhere\"", "d"),
	      "1 user \"a\"\n2 off\n3 user \"c\"\n4 user \"d\"\n");
	check("a torn line costs itself only",
	      HEADER USER("1", "null", "a") "{\"type\":\"message\",\"id\":"
					    "\"2\",\"par\n" USER("3", "\"2\"",
								 "c"),
	      "1 user \"a\"\n2 user \"c\"\nskipped 1\n");
	check("the first record with a lost parent is the first of all",
	      HEADER USER("1", "\"nowhere\"", "a") USER("2", "\"1\"", "b"),
	      "1 user \"a\"\n2 user \"b\"\n");
	check("a parent may stand later",
	      HEADER USER("1", "\"2\"", "a") USER("2", "null", "b")
		      USER("3", "\"1\"", "c"),
	      "1 user \"a\"\n2 user \"b\"\n3 user \"c\"\n");
	check("a circle ends",
	      HEADER USER("1", "\"3\"", "a") USER("2", "\"1\"", "b")
		      USER("3", "\"2\"", "c"),
	      "1 user \"a\"\n2 user \"b\"\n3 user \"c\"\n");
	check("its own parent", HEADER USER("1", "\"1\"", "a"),
	      "1 user \"a\"\n");
}

static void
check_versions(void)
{
#define OLD(id, role)                                               \
	"{\"type\":\"message\"," id "\"message\":{\"role\":\"" role \
	"\",\"content\":\"x\"}}\n"
	check("version 1 is one line, whatever ids say",
	      "{\"type\":\"session\",\"id\":\"s\"}\n" OLD("", "user")
		      OLD("\"id\":\"1\",\"parentId\":\"nowhere\",", "user")
			      OLD("\"id\":\"1\",", "hookMessage"),
	      "1 user \"x\"\n2 user \"x\"\n3 context \"x\"\n");
	check_leaf("its ids are line numbers",
		   "\n{\"type\":\"session\",\"version\":1,\"id\":\"s\"}\n"
		   "broken\n" OLD("", "user") OLD("", "user"),
		   "line-4", "1 user \"x\"\n2 off\nskipped 1\n");
	check("version 2 is a tree, and reads hookMessage as custom",
	      "{\"type\":\"session\",\"version\":2,\"id\":\"s\"}\n" OLD(
		      "\"id\":\"1\",", "user")
		      OLD("\"id\":\"2\",", "hookMessage"),
	      "1 off\n2 context \"x\"\n");
	check("a version above 3 reads as 3",
	      "{\"type\":\"session\",\"version\":9,\"id\":\"s\"}\n" OLD(
		      "\"id\":\"1\",", "user")
		      OLD("\"id\":\"2\",", "hookMessage"),
	      "1 off\n");
	check("so does any number above",
	      "{\"type\":\"session\",\"version\":1e400,\"id\":\"s\"}\n" OLD(
		      "\"id\":\"1\",", "user")
		      OLD("\"id\":\"2\",\"parentId\":\"1\",", "hookMessage"),
	      "1 user \"x\"\n");
	check("one between 2 and 3 is below 3",
	      "{\"type\":\"session\",\"version\":2.5,\"id\":\"s\"}\n" OLD(
		      "\"id\":\"1\",", "user")
		      OLD("\"id\":\"2\",\"parentId\":\"1\",", "hookMessage"),
	      "1 user \"x\"\n2 context \"x\"\n");
	check("one below 2 is 1",
	      "{\"type\":\"session\",\"version\":-7,\"id\":\"s\"}\n" OLD(
		      "", "user"),
	      "1 user \"x\"\n");
	check("a version that is not a number is absent",
	      "{\"type\":\"session\",\"version\":\"3\",\"id\":\"s\"}\n" OLD(
		      "", "user"),
	      "1 user \"x\"\n");
}

/* ---- 3.5 --------------------------------------------------------------- */

static void
check_pairing(void)
{
	check("calls take results in any order",
	      HEADER ASSISTANT("1", "null",
			       CALL("a", "f", "{}") "," CALL("b", "g", "{}"))
		      RESULT("2", "\"1\"", "b", "B")
			      RESULT("3", "\"2\"", "a", "A"),
	      "1 assistant \"\"\n2 tool ok \"f {}\n--- output ---\nA\"\n"
	      "3 tool ok \"g {}\n--- output ---\nB\"\n4 of 3\n5 of 2\n");
	check("a result before its call does not pair, nor does one after it",
	      HEADER RESULT("1", "null", "a", "1st")
		      ASSISTANT("2", "\"1\"", CALL("a", "f", "{}"))
			      RESULT("3", "\"2\"", "a", "2nd"),
	      "1 tool ok \"own (arguments not recorded)\n"
	      "--- output ---\n1st\"\n2 assistant \"\"\n"
	      "3 tool ok \"f {}\n--- output ---\n2nd\"\n4 of 3\n");
	check("an id that comes again is a new call's",
	      HEADER ASSISTANT("1", "null", CALL("a", "f", "{}"))
		      RESULT("2", "\"1\"", "a", "1st")
			      ASSISTANT("3", "\"2\"", CALL("a", "g", "{}"))
				      RESULT("4", "\"3\"", "a", "2nd"),
	      "1 assistant \"\"\n2 tool ok \"f {}\n--- output ---\n1st\"\n"
	      "3 of 2\n4 assistant \"\"\n"
	      "5 tool ok \"g {}\n--- output ---\n2nd\"\n6 of 5\n");
	check("the nearest earlier record that waits has it, and the first "
	      "there",
	      HEADER ASSISTANT("1", "null", CALL("a", "f", "{}"))
		      ASSISTANT("2", "\"1\"",
				CALL("a", "g", "{}") "," CALL("a", "h", "{}"))
			      RESULT("3", "\"2\"", "a", "1st")
				      RESULT("4", "\"3\"", "a", "2nd")
					      RESULT("5", "\"4\"", "a", "3rd"),
	      "1 assistant \"\"\n2 tool ok \"f {}\n--- output ---\n3rd\"\n"
	      "3 assistant \"\"\n4 tool ok \"g {}\n--- output ---\n1st\"\n"
	      "5 tool ok \"h {}\n--- output ---\n2nd\"\n6 of 4\n7 of 5\n"
	      "8 of 2\n");
	check("a second result stands alone",
	      HEADER ASSISTANT("1", "null", CALL("a", "f", "{}"))
		      RESULT("2", "\"1\"", "a", "1st")
			      RESULT("3", "\"2\"", "a", "2nd"),
	      "1 assistant \"\"\n2 tool ok \"f {}\n--- output ---\n1st\"\n"
	      "3 of 2\n4 tool ok \"own (arguments not recorded)\n"
	      "--- output ---\n2nd\"\n");
	check("of two calls with one id the first takes the result",
	      HEADER ASSISTANT("1", "null",
			       CALL("a", "f", "{}") "," CALL("a", "g", "{}"))
		      RESULT("2", "\"1\"", "a", ""),
	      "1 assistant \"\"\n2 tool ok \"f {}\"\n"
	      "3 tool unfinished \"g {}\"\n4 of 2\n");
	check("an empty id pairs with nothing",
	      HEADER ASSISTANT("1", "null", CALL("", "f", "{}"))
		      RESULT("2", "\"1\"", "", "x"),
	      "1 assistant \"\"\n2 tool unfinished \"f {}\"\n"
	      "3 tool ok \"own (arguments not recorded)\n"
	      "--- output ---\nx\"\n");
	check("results of other branches do not count",
	      HEADER ASSISTANT("1", "null", CALL("a", "f", "{}"))
		      RESULT("2", "\"1\"", "a", "off")
			      RESULT("3", "\"1\"", "a", "on"),
	      "1 assistant \"\"\n2 tool ok \"f {}\n--- output ---\non\"\n"
	      "3 off\n4 of 2\n");
}

/* ---- 3.4 and 4 --------------------------------------------------------- */

static void
check_arguments(const char *recorded, const char *want)
{
	struct buf text = BUF_INIT, expected = BUF_INIT;

	buf_addf(&text,
		 HEADER "{\"type\":\"message\",\"id\":\"1\",\"message\":{"
			"\"role\":\"assistant\",\"content\":[{\"type\":"
			"\"toolCall\",\"name\":\"f\"%s}]}}\n",
		 recorded);
	buf_addf(&expected, "1 assistant \"\"\n2 tool unfinished \"f %s\"\n",
		 want);
	check(want, text.data, expected.data);
	buf_release(&text);
	buf_release(&expected);
}

static void
check_nested(const char *name, const char *nested, const char *want)
{
	struct buf text = BUF_INIT, expected = BUF_INIT;

	buf_addf(&text,
		 HEADER ASSISTANT(
			 "1", "null",
			 CALL("a", "f",
			      "{}")) "{\"type\":\"message\",\"id\":\"2\","
				     "\"parentId\":\"1\","
				     "\"message\":{\"role\":\"toolResult\","
				     "\"toolCallId\":\"a\","
				     "\"nestedCalls\":%s}}\n",
		 nested);
	buf_addf(&expected, "1 assistant \"\"\n2 tool ok \"f {}%s\"\n3 of 2\n",
		 want);
	check(name, text.data, expected.data);
	buf_release(&text);
	buf_release(&expected);
}

static void
check_documents(void)
{
	check("a picture says what it is where that is recorded",
	      HEADER ASSISTANT(
		      "1", "null",
		      "{\"type\":\"image\",\"mimeType\":\"image\\/png\"},"
		      "{\"type\":\"image\",\"mimeType\":\"no type\"},"
		      "{\"type\":\"image\",\"mimeType\":\"a\\/\"},"
		      "{\"type\":\"document\"}"),
	      "1 assistant \"[image image/png]\n[image]\n[image]\"\n");
	check("text blocks are joined by line feeds, and pictures are marked",
	      HEADER ASSISTANT("1", "null",
			       "{\"type\":\"thinking\",\"thinking\":\"t\"},"
			       "{\"type\":\"text\",\"text\":\"a\"},"
			       "{\"type\":\"image\",\"data\":\"i\"},"
			       "{\"type\":\"text\",\"text\":\"\"},"
			       "{\"type\":\"text\",\"text\":\"b\"}"),
	      "1 assistant \"a\n[image]\n\nb\"\n");
	check_arguments(",\"arguments\":{ \"b\" : 1.0, \"a\":[-0,1E5] ,"
			" \"b\":\"\\u0041\\/\\u000A\" }",
			"{\"b\":1.0,\"a\":[-0,1E5],\"b\":\"A/\\n\"}");
	check_arguments(",\"arguments\":null", "null");
	check_arguments(",\"arguments\":\"x\"", "\"x\"");
	check_arguments("", "(arguments not recorded)");
	check_arguments(",\"arguments\":[1e400,12345678901234567890]",
			"[1e400,12345678901234567890]");

	check_nested("no nested calls", "{\"calls\":[],\"complete\":true}",
		     "\n--- nested calls (complete, 0 recorded) ---\n");
	check_nested(
		"nested calls, as far as they are recorded",
		"{\"calls\":[{\"id\":\"n\",\"name\":\"g\",\"status\":\"ok\","
		"\"durationMs\":1.50,\"error\":\"e\",\"arguments\":{ }},"
		"{\"argumentsBytes\":9},7,{\"arguments\":null,"
		"\"argumentsBytes\":9,\"id\":3,\"error\":false}]}",
		"\n--- nested calls (incomplete, 4 recorded) ---\n"
		"- n g [ok] 1.50ms error: e {}\n"
		"- unknown unknown [unfinished] "
		"(arguments omitted: 9 bytes)\n"
		"- unknown unknown [unfinished] "
		"(arguments not recorded)\n"
		"- unknown unknown [unfinished] null");
	check_nested("what is recorded as empty is not missing",
		     "{\"calls\":[{\"id\":\"\",\"name\":\"\","
		     "\"status\":\"\",\"error\":\"\"}]}",
		     "\n--- nested calls (incomplete, 1 recorded) ---\n"
		     "-   [] error:  (arguments not recorded)");
	check_nested("complete is JSON true only",
		     "{\"complete\":\"true\",\"calls\":[]}",
		     "\n--- nested calls (incomplete, 0 recorded) ---\n");
	check_nested("no array of calls is not a record", "{\"calls\":{}}", "");
	check_nested("nor is an array", "[]", "");
}

static void
check_status(const char *fields, const char *status)
{
	struct buf text = BUF_INIT, expected = BUF_INIT;

	buf_addf(&text,
		 HEADER "{\"type\":\"message\",\"id\":\"1\",\"message\":{"
			"\"role\":\"bashExecution\",\"command\":\"c\"%s}}\n",
		 fields);
	buf_addf(&expected, "1 tool %s \"bash {\"command\":\"c\"}\"\n", status);
	check(*fields != '\0' ? fields : "no exit code", text.data,
	      expected.data);
	buf_release(&text);
	buf_release(&expected);
}

static void
check_bash(void)
{
	check_status("", "unfinished");
	check_status(",\"exitCode\":null", "unfinished");
	check_status(",\"exitCode\":\"0\"", "unfinished");
	check_status(",\"exitCode\":0", "ok");
	check_status(",\"exitCode\":-0.0", "ok");
	check_status(",\"exitCode\":2", "error");
	check_status(",\"exitCode\":0.5", "error");
	check_status(",\"exitCode\":0,\"cancelled\":true", "error");
	check_status(",\"exitCode\":0,\"cancelled\":\"true\"", "ok");
	check("the command is put as arguments are",
	      HEADER MESSAGE("1", "null",
			     "\"role\":\"bashExecution\",\"exitCode\":0,"
			     "\"command\":\"a\\/\\\"b\\\"\","
			     "\"output\":\"out\\n\""),
	      "1 tool ok \"bash {\"command\":\"a/\\\"b\\\"\"}\n"
	      "--- output ---\nout\n\"\n");
}

/* Documents are bytes with a length. */
static void
check_nul(void)
{
	struct transcript t;
	struct event e;

	event_init(&e);
	transcript_open(
		&t, source_memory(STR(HEADER USER("1", "null", "a\\u0000b"))),
		&pi_decoder, NULL);
	transcript_select(&t, STR(""));
	event_load(&t, 1, &e);
	ok(e.document.len == 3 && memcmp(e.document.data, "a\0b", 3) == 0,
	   "U+0000 is data");
	event_release(&e);
	transcript_close(&t);
}

/* A file that is rewritten in place after it was read. */
static void
check_rewritten(void)
{
	char file[] = HEADER USER("1", "null", "abc") USER("2", "\"1\"", "d");
	struct transcript t;
	struct event e;

	event_init(&e);
	transcript_open(&t, source_memory(STR("")), &pi_decoder, NULL);
	transcript_close(&t);
	transcript_open(&t, source_memory(str_of(file)), &pi_decoder, NULL);
	transcript_select(&t, STR(""));
	memset(strstr(file, "abc"), '"', 3);
	ok(!event_load(&t, 1, &e),
	   "what is not a record any more is not an event");
	ok(event_load(&t, 2, &e), "its neighbour still is");
	memcpy(strstr(file, "user\",\"content\":\"d"), "none", 4);
	ok(event_load(&t, 2, &e), "what was read is not read again");
	event_release(&e);
	transcript_close(&t);
}

int
main(void)
{
	check_slots();
	check_lines();
	check_hostile_lines();
	check_branch();
	check_versions();
	check_pairing();
	check_documents();
	check_bash();
	check_nul();
	check_rewritten();
	return done();
}

/* Gemini CLI's transcripts: spec/more-hosts.md. */
#include "transcript/gemini.h"

#include "show_quoted.h"

#define HEAD "{'sessionId':'s','projectHash':'h'}\n"
#define LINE(id, type, content) \
	"{'id':'" id "','type':'" type "','content':" content "}\n"
#define USER(id, text) LINE(id, "user", "'" text "'")
#define GEMINI(id, text) LINE(id, "gemini", "'" text "'")
#define CALLS(id, text, calls) \
	LINE(id, "gemini", "'" text "','toolCalls':[" calls "]")
#define CALL(id, name, more) "{'id':'" id "','name':'" name "'" more "}"
#define OUTPUT(id, text)                                               \
	",'status':'success','result':[{'functionResponse':{'id':'" id \
	"','response':{'output':'" text "'}}}]"
#define SET(messages) "{'$set':{'messages':[" messages "]}}\n"
#define MESSAGE(id, type, content) \
	"{'id':'" id "','type':'" type "','content':'" content "'}"
#define REWIND(id) "{'$rewindTo':'" id "'}\n"
#define ANSWER "Got it. Thanks for the additional context!"
#define NONE " (arguments not recorded)"
#define OUT "\n--- output ---\n"

static void
check(const char *name, const char *text, const char *want)
{
	check_leaf(&gemini_decoder, name, text, "", want);
}

static void
check_slots(void)
{
	check("12: a call's slot comes when it is first recorded",
	      HEAD GEMINI("m1", "a") USER("u", "between") CALLS(
		      "m1", "a", CALL("c1", "f", ""))
		      CALLS("m1", "b",
			    CALL("c1", "f",
				 OUTPUT("c1", "one")) "," CALL("c2", "g", "")),
	      "1 assistant \"b\"\n2 user \"between\"\n"
	      "3 tool ok \"f" NONE OUT "one\"\n"
	      "4 tool unfinished \"g" NONE "\"\n");
	check("3.2: what is not a message, or only mirrors results, has none",
	      HEAD LINE("1", "user",
			"[{'functionResponse':{'id':'c','response':{}}}]")
		      LINE("2", "info", "'x'") LINE(
			      "3", "error", "'x'") "{'$set':{'lastUpdated':'x'}"
						   "}\n" USER("4", "hi"),
	      "1 user \"hi\"\n");
	check("3.2: a $set brings messages that no line has named",
	      HEAD USER("1", "a") SET(
		      "{'id':'1','type':'user','content':'other'},null,7,{},"
		      "{'id':'2','type':'gemini','content':'b','toolCalls':"
		      "[" CALL("c", "f", OUTPUT("c", "r")) "]}," MESSAGE(
			      "3", "user", "d")),
	      "1 user \"a\"\n2 assistant \"b\"\n3 tool ok \"f" NONE OUT
	      "r\"\n4 user \"d\"\n");
	check("9: the first line's type stands",
	      HEAD GEMINI("1", "a") USER("1", "b") LINE("2", "info", "'x'")
		      USER("2", "y"),
	      "1 assistant \"a\"\n");
	check("9: wrongly typed members are not members",
	      HEAD
	      "{'id':'1','type':'gemini','content':{},'toolCalls':7}\n"
	      "{'id':'2','type':'gemini','toolCalls':[null,7,{},{'id':7}]}\n"
	      "{'$set':{'messages':{}}}\n{'$set':7}\n{'$rewindTo':7}\n",
	      "1 assistant \"\"\n2 assistant \"\"\n");
}

static void
check_compaction(void)
{
	check("12: a compaction, and copies that stand for what was said",
	      HEAD USER("a", "first") USER("b", "second") GEMINI("c", "third")
		      SET(MESSAGE("a", "user", "first") "," MESSAGE(
			      "s", "user",
			      "S") "," MESSAGE("t", "gemini",
					       ANSWER) "," MESSAGE("b2", "user",
								   "second"))
			      USER("d", "fourth") REWIND("b2"),
	      "1 user \"first\"\n2 off\n3 off\n4 context \"S\"\n5 off\n");
	check("3.3: its own messages stand for the compaction",
	      HEAD USER("a", "first") SET(MESSAGE("s", "user", "S") "," MESSAGE(
		      "t", "gemini", ANSWER) "," MESSAGE("x", "user",
							 "nowhere"))
		      USER("d", "fourth") REWIND("x") USER("e", "fifth")
			      REWIND("t") USER("f", "sixth"),
	      "1 user \"first\"\n2 context \"S\"\n3 off\n4 off\n"
	      "5 user \"sixth\"\n");
	check("3.2: a known answer, or a known summary, is none",
	      HEAD USER("s", "S") GEMINI("t", ANSWER) SET(MESSAGE(
		      "s", "user", "S") "," MESSAGE("t2", "gemini", ANSWER)),
	      "1 user \"S\"\n2 assistant \"" ANSWER "\"\n3 assistant \"" ANSWER
	      "\"\n");
	check("3.4: a known message is as its last line has it",
	      HEAD USER("a", "first") SET(MESSAGE("s", "user", "S") "," MESSAGE(
		      "t", "gemini", ANSWER) "," MESSAGE("a2", "user", "first"))
		      USER("a2", "changed"),
	      "1 user \"changed\"\n2 context \"S\"\n");
}

static void
check_rewinds(void)
{
	check("3.3: a rewind retires from the message on",
	      HEAD USER("1", "a") GEMINI("2", "b") USER("3", "c") REWIND("2")
		      USER("4", "d"),
	      "1 user \"a\"\n2 off\n3 off\n4 user \"d\"\n");
	check("9: before any message, of a retired or an unknown id: nothing",
	      HEAD REWIND("1") USER("1", "a") USER("2", "b") REWIND("2")
		      USER("3", "c") REWIND("2") REWIND("x"),
	      "1 user \"a\"\n2 off\n3 user \"c\"\n");
	check("3.3: of a message without slots, from where its line stands",
	      HEAD USER("1", "a") LINE("2", "user", "[]") USER("3", "b")
		      REWIND("2") USER("4", "c"),
	      "1 user \"a\"\n2 off\n3 user \"c\"\n");
	check("3.3: a call that an earlier message made later goes with it",
	      HEAD GEMINI("1", "a") USER("2", "b")
		      CALLS("1", "a", CALL("c", "f", "")) REWIND("2"),
	      "1 assistant \"a\"\n2 off\n3 off\n");
	check("3.3: a message that a $set leaves out stays",
	      HEAD USER("1", "a") USER("2", "b") SET(MESSAGE("1", "user", "a")),
	      "1 user \"a\"\n2 user \"b\"\n");
}

static void
check_facts(void)
{
	check("12: what hooks say is not the user's",
	      HEAD LINE("1", "user",
			"[{'text':'<hook_context>x</hook_context>\\n\\n"
			"do it'}]") USER("2", "<hook_context>x</hook_context>")
		      LINE("3", "user",
			   "[{'text':' <session_context>s</session_context> "
			   "<hook_context>h</hook_context>'},{'text':'go'}]"),
	      "1 user \"do it\"\n2 context \"<hook_context>x</hook_context>\"\n"
	      "3 user \"go\"\n");
	check("3.4: commands and windows are context",
	      HEAD USER("1", "I ran the following shell command:\\n```\\nls")
		      USER("2", "<context_window> x"),
	      "1 context \"I ran the following shell command:\n```\nls\"\n"
	      "2 context \"<context_window> x\"\n");
	check("3.4: what a call's status tells",
	      HEAD CALLS(
		      "1", "",
		      CALL("a", "f",
			   ",'args':{'x':1},'status':'error',"
			   "'result':[]") "," CALL("b", "f",
						   ",'status':'"
						   "cancelled','result'"
						   ":[]") "," CALL("c", "f",
								   ",'"
								   "sta"
								   "tus"
								   "':'"
								   "exe"
								   "cut"
								   "ing"
								   "','"
								   "res"
								   "ult"
								   "':["
								   "]") "," CALL("d",
										 "f",
										 ",'status':'success'") "," CALL("e",
														 "run_shell_command",
														 OUTPUT("e",
															"x\\nExit Code: 1"))),
	      "1 assistant \"\"\n2 tool error \"f {\"x\":1}\"\n"
	      "3 tool error \"f" NONE "\"\n4 tool unfinished \"f" NONE "\"\n"
	      "5 tool unfinished \"f" NONE "\"\n"
	      "6 tool error \"run_shell_command" NONE OUT
	      "x\nExit Code: 1\"\n");
	check("3.4: the result of its own id, and pictures beside it",
	      HEAD CALLS("1", "",
			 CALL("a", "f",
			      ",'status':'success','result':["
			      "{'functionResponse':{'id':'z',"
			      "'response':{'output':'no'}}},"
			      "{'functionResponse':{'id':'a',"
			      "'response':{'output':'yes'}}},"
			      "{'inlineData':{'mimeType':"
			      "'image/png'}}]")),
	      "1 assistant \"\"\n2 tool ok \"f" NONE OUT
	      "yes\n[image image/png]\"\n");
}

/* Further rows of the tables, one line or few each. */
static void
check_rows(void)
{
	check("3.2: what content gives a message of the user's a slot",
	      HEAD USER("1", "") LINE("2", "user", "['s']")
		      LINE("3", "user", "[{'inlineData':{}}]")
			      LINE("4", "user", "[{'fileData':{}}]") LINE(
				      "5", "user", "[{'inlineData':7},7]")
				      LINE("6", "user", "{}")
					      LINE("7", "user", "[{'text':7}]"),
	      "1 user \"\"\n2 user \"\"\n3 user \"\"\n");
	check("3.2: what has no slot",
	      HEAD HEAD LINE("1", "warning", "'x'")
		      LINE("2", "other",
			   "'x'") "{'id':'3','content':'x'}\n{'type':'user','"
				  "content':'x'}\n"
				  "{'$set':{'messages':[]}}\n" USER("4", "a"),
	      "1 user \"a\"\n");
	check("3.2: one id of a call in two messages is two calls",
	      HEAD CALLS("1", "a", CALL("c", "f", ""))
		      CALLS("2", "b", CALL("c", "g", "")),
	      "1 assistant \"a\"\n2 tool unfinished \"f" NONE "\"\n"
	      "3 assistant \"b\"\n4 tool unfinished \"g" NONE "\"\n");
	check("3.2: calls of a known message in a $set are none",
	      HEAD GEMINI("1", "a")
		      SET("{'id':'1','type':'gemini','toolCalls':[" CALL(
			      "c", "f", "") "]}"),
	      "1 assistant \"a\"\n");
	check("3.4: what a $set brought is as its last line has it",
	      HEAD SET(MESSAGE("1", "gemini", "a")) GEMINI("1", "b")
		      SET(MESSAGE("1", "gemini", "c")),
	      "1 assistant \"b\"\n");
	check("3.2: a compaction's answer stands right behind its summary",
	      HEAD SET(MESSAGE("s", "user", "S") "," MESSAGE(
		      "x", "gemini", "x") "," MESSAGE("t", "gemini", ANSWER)),
	      "1 user \"S\"\n2 assistant \"x\"\n3 assistant \"" ANSWER "\"\n");
	check("3.2: and neither is of another type, or known",
	      HEAD GEMINI("t", ANSWER) SET(MESSAGE(
		      "s", "user", "S") "," MESSAGE("t", "gemini", ANSWER))
		      SET(MESSAGE("u", "user", "U") "," MESSAGE("v", "user",
								ANSWER)),
	      "1 assistant \"" ANSWER
	      "\"\n2 user \"S\"\n3 user \"U\"\n4 user \"" ANSWER "\"\n");
	check("3.2: the summary has none, and stands for the compaction",
	      HEAD USER("a", "S") SET(MESSAGE("s", "user", "S") "," MESSAGE(
		      "t", "gemini", ANSWER)) USER("b", "x") REWIND("s"),
	      "1 user \"S\"\n2 context \"S\"\n3 off\n");
	check("3.2: a copy stands for the last one of its text",
	      HEAD USER("a", "x") USER("b", "y") USER("c", "x")
		      SET(MESSAGE("s", "user", "S") "," MESSAGE(
			      "t", "gemini", ANSWER) "," MESSAGE("k", "user",
								 "x"))
			      REWIND("k"),
	      "1 user \"x\"\n2 user \"y\"\n3 off\n4 context \"S\"\n");
	check("3.2: that is on the branch",
	      HEAD USER("a", "x") USER("b", "y") USER("c", "x") REWIND("c")
		      SET(MESSAGE("s", "user", "S") "," MESSAGE(
			      "t", "gemini", ANSWER) "," MESSAGE("k", "user",
								 "x"))
			      REWIND("k"),
	      "1 off\n2 off\n3 off\n4 context \"S\"\n");
	check("3.2: of its type",
	      HEAD USER("a", "x") GEMINI("b", "x") LINE("i", "info", "'x'")
		      USER("c", "y") SET(MESSAGE("s", "user", "S") "," MESSAGE(
			      "t", "gemini",
			      ANSWER) "," MESSAGE("k", "user",
						  "x") "," MESSAGE("l", "info",
								   "x"))
			      REWIND("l") REWIND("k"),
	      "1 off\n2 off\n3 off\n4 context \"S\"\n");
	check("3.2: of a type without slots, too",
	      HEAD LINE("i", "info", "'x'") USER("c", "y")
		      LINE("j", "info", "'z'")
			      SET(MESSAGE("s", "user", "S") "," MESSAGE(
				      "t", "gemini",
				      ANSWER) "," MESSAGE("l", "info", "x"))
				      REWIND("l"),
	      "1 off\n2 context \"S\"\n");
	check("3.2: the answer stands for the compaction, whoever said the "
	      "same",
	      HEAD GEMINI("x", ANSWER) USER("y", "y") SET(MESSAGE(
		      "s", "user", "S") "," MESSAGE("t", "gemini", ANSWER))
		      USER("z", "z") REWIND("t"),
	      "1 assistant \"" ANSWER "\"\n2 user \"y\"\n3 context \"S\"\n"
	      "4 off\n");
	check("3.2: and with the text that it has by then",
	      HEAD USER("a", "x") USER("b", "y") USER("b", "z")
		      SET(MESSAGE("s", "user", "S") "," MESSAGE(
			      "t", "gemini",
			      ANSWER) "," MESSAGE("k", "user",
						  "y") "," MESSAGE("l", "user",
								   "z"))
			      USER("c", "c") REWIND("k") USER("d", "d")
				      REWIND("l"),
	      "1 user \"x\"\n2 off\n3 context \"S\"\n4 off\n5 off\n");
	check("3.3: what a retired message says later is said",
	      HEAD USER("1", "a") GEMINI("2", "b") REWIND("1")
		      CALLS("2", "b", CALL("c", "f", "")) REWIND("2"),
	      "1 off\n2 off\n3 tool unfinished \"f" NONE "\"\n");
	check("3.4: files of an @path, and one without an end",
	      HEAD LINE("1", "user",
			"[{'text':'a'},{'text':'\\n--- Content from referenced "
			"files ---'},"
			"{'text':'no'},{'text':' \\n--- End of content "
			"---'},'no',"
			"{'inlineData':{'mimeType':'image/png'}},"
			"{'text':'\\n--- End of content ---'},{'text':'b'},"
			"{'text':'--- Content from referenced files "
			"---'},{'text':'c'},"
			"{'text':'\\n--- Content from referenced files "
			"---'},{'text':'no'}]"),
	      "1 user \"a\n[image image/png]\nb\n"
	      "--- Content from referenced files ---\nc\"\n");
	check("3.4: what a hook says, in front of a text and beside it",
	      HEAD USER("1", "<session_context>s</session_context>\\n\\ndo")
		      USER("2", "<hook_context>a</hook_context> do") USER(
			      "3", " <hook_context>a</hook_context>\\n\\ndo")
			      LINE("4", "user",
				   "[{'text':'<hook_context>a</hook_context>'},"
				   "{'inlineData':{'mimeType':'image/png'}}]")
				      LINE("5", "user",
					   "[{'text':'<hook_context>a</"
					   "hook_context>'},"
					   "{'text':'<session_context>b</"
					   "session_context>'}]")
					      USER("6", "<hook_context>a"),
	      "1 user \"<session_context>s</session_context>\n\ndo\"\n"
	      "2 user \"<hook_context>a</hook_context> do\"\n"
	      "3 user \" <hook_context>a</hook_context>\n\ndo\"\n"
	      "4 user \"[image image/png]\"\n"
	      "5 context \"<hook_context>a</hook_context>\n"
	      "<session_context>b</session_context>\"\n"
	      "6 user \"<hook_context>a\"\n");
	check("3.4: a message of three back-ticks fewer is the user's",
	      HEAD USER("1", "I ran the following shell command:\\n``"),
	      "1 user \"I ran the following shell command:\n``\"\n");
	check("3.4: without an array of results a call is not finished",
	      HEAD CALLS(
		      "1", "",
		      CALL("a", "f", ",'status':'error','result':{}") "," CALL(
			      "b", "f",
			      ",'result':[{'fileData':{'mimeType':'text/"
			      "x'}}]")),
	      "1 assistant \"\"\n2 tool unfinished \"f" NONE "\"\n"
	      "3 tool unfinished \"f" NONE OUT "[document text/x]\"\n");
}

/* The text of a result, and what it tells. */
static void
check_result(const char *text, const char *path)
{
	struct result_facts facts = { .name = BUF_INIT, .path = BUF_INIT };
	struct buf call = BUF_INIT;
	struct part part = { .known = 0 };

	buf_addf(&call,
		 "{\"id\":\"c\",\"status\":\"success\",\"result\":[{"
		 "\"functionResponse\":{\"id\":\"c\",\"response\":{"
		 "\"output\":\"%s\"}}}]}",
		 text);
	part.span = buf_str(&call);
	gemini_decoder.result(&part, &facts);
	ok(facts.truncated == (path[0] != '\0'), "3.4: %.40s", text);
	is_string(facts.path.len > 0 ? facts.path.data : "", path, "its path");
	buf_release(&facts.name);
	buf_release(&facts.path);
	buf_release(&call);
}

#define LARGE \
	"Output too large. Showing first 8,000 and last 32000 characters. "

static void
check_results(void)
{
	check_result(LARGE "For full output see: /t/a b.txt\\nrest",
		     "/t/a b.txt");
	check_result("\\n" LARGE "For full output see: /t/a.txt\\nrest", "");
	check_result(LARGE "For full output see: /t/a.txt", "");
	check_result("Output too large. Showing first x and last 1 "
		     "characters. For full output see: /t/a.txt\\n",
		     "");
	check("3.4: pictures in a response; a text that is wrapped stays so",
	      HEAD CALLS(
		      "1", "",
		      CALL("a", "f",
			   ",'status':'success','result':[{"
			   "'functionResponse':{'id':'a','response':{"
			   "'output':'<untrusted_context>x</untrusted_context>"
			   "'},'parts':[{'inlineData':{'mimeType':'image/png'"
			   "}}]}}]")),
	      "1 assistant \"\"\n2 tool ok \"f" NONE OUT
	      "<untrusted_context>x</untrusted_context>\n[image "
	      "image/png]\"\n");
	check("3.4: the status of a command is in its last 10 lines",
	      HEAD CALLS(
		      "1", "",
		      CALL("a", "run_shell_command",
			   OUTPUT("a",
				  "Exit Code: 1\\n2\\n3\\n4\\n5\\n6\\n7"
				  "\\n8\\n9\\n10")) "," CALL("b",
							     "run_shell_"
							     "command",
							     OUTPUT("b",
								    "Exit "
								    "Code: "
								    "1\\n2\\n3"
								    "\\n4\\n5\\"
								    "n6\\n7"
								    "\\n8\\n9\\"
								    "n10\\n1"
								    "1"))),
	      "1 assistant \"\"\n2 tool error \"run_shell_command" NONE OUT
	      "Exit Code: 1\n2\n3\n4\n5\n6\n7\n8\n9\n10\"\n"
	      "3 tool ok \"run_shell_command" NONE OUT
	      "Exit Code: 1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\"\n");
	check_leaf(&gemini_decoder, "2.1: CTX_LEAF is ignored",
		   HEAD USER("1", "a") USER("2", "b"), "1",
		   "1 user \"a\"\n2 user \"b\"\n");
}

/* The times of events: of the first line, the call, the compaction. */
static void
check_times(void)
{
	static const char text[] =
		"{\"sessionId\":\"s\",\"projectHash\":\"h\"}\n"
		"{\"id\":\"m\",\"type\":\"gemini\",\"timestamp\":\"T1\"}\n"
		"{\"id\":\"m\",\"type\":\"gemini\",\"timestamp\":\"T2\","
		"\"toolCalls\":[{\"id\":\"c\",\"timestamp\":\"T3\"},"
		"{\"id\":\"d\"}]}\n"
		"{\"$set\":{\"lastUpdated\":\"T4\",\"messages\":[{\"id\":\"s\","
		"\"type\":\"user\",\"content\":\"S\",\"timestamp\":\"T0\"},"
		"{\"id\":\"t\",\"type\":\"gemini\",\"content\":\"" ANSWER
		"\"}]}}\n"
		"{\"$set\":{\"messages\":[{\"id\":\"n\",\"type\":\"user\","
		"\"content\":\"x\",\"timestamp\":\"T5\"},{\"id\":\"o\","
		"\"type\":\"user\",\"content\":\"y\"}]}}\n";
	static const char *const want[] = { "T1", "T3", "T2", "T4", "T5", "" };
	struct transcript t;
	struct event e;

	event_init(&e);
	ok(hosts_open(&t, source_memory(str_of(text)),
		      hosts_of(&gemini_decoder),
		      (struct transcript_options){ 0 }) == TRANSCRIPT_OK &&
		   transcript_select(&t, STR("")) &&
		   transcript_highest(&t) == 6,
	   "3.4: six slots, each with its time");
	for (uint32_t s = 1; s <= transcript_highest(&t) && s <= 6; s++) {
		ok(event_load(&t, s, &e), "slot %d", (int)s);
		is_string(e.has_created_at ? e.created_at.data : "",
			  want[s - 1], "its time");
	}
	event_release(&e);
	transcript_close(&t);
}

/* Facts are those of the last line: what a call is called, and when. */
static void
check_changed_calls(void)
{
	static const char text[] =
		"{\"sessionId\":\"s\",\"projectHash\":\"h\"}\n"
		"{\"id\":\"m\",\"type\":\"gemini\",\"timestamp\":\"2026-03-01"
		"T00:00:00Z\",\"toolCalls\":[{\"id\":\"a\",\"name\":\"f\"},"
		"{\"id\":\"b\",\"name\":\"f\"},{\"id\":\"c\"}]}\n"
		"{\"id\":\"m\",\"type\":\"gemini\",\"timestamp\":\"2026-03-09"
		"T00:00:00Z\",\"toolCalls\":[{\"id\":\"a\",\"name\":\"g\"},"
		"{\"id\":\"b\",\"name\":\"f\",\"timestamp\":\"2026-03-01T00:00:"
		"00Z"
		"\"},{\"id\":\"c\"}]}\n";
	static const char *const names[] = { "g", "f", "unknown" };
	static const bool in_time[] = { true, false, true };
	const struct time_range times = {
		.has_since = true, .since = instant_from_ms(1772668800000)
	};
	struct transcript t;

	ok(hosts_open(&t, source_memory(str_of(text)),
		      hosts_of(&gemini_decoder),
		      (struct transcript_options){ .times = &times }) ==
			   TRANSCRIPT_OK &&
		   transcript_select(&t, STR("")) &&
		   transcript_highest(&t) == 4,
	   "3.4: a message and three calls");
	for (uint32_t i = 0; i < 3 && i + 2 <= transcript_highest(&t); i++) {
		const struct slot *slot = transcript_slot(&t, i + 2);

		ok(str_is(event_tool_name(&t, slot->name), names[i]),
		   "the name of call %d: %s", (int)i, names[i]);
		ok(transcript_in_time(&t, i + 2) == in_time[i], "its time");
	}
	ok(!transcript_in_time(&t, 1), "the message keeps its first time");
	transcript_close(&t);
}

/* An answer's calls in one line, and every second one in a later line anew. */
static void
add_turns(struct buf *out, unsigned n)
{
	buf_adds(out, "{\"sessionId\":\"s\",\"projectHash\":\"h\"}\n");
	for (unsigned k = 1; k <= 2; k++) {
		buf_adds(out, "{\"id\":\"m\",\"type\":\"gemini\","
			      "\"toolCalls\":[");
		for (unsigned i = 0; i < n; i += k)
			buf_addf(out,
				 "%s{\"id\":\"c%u\",\"name\":\"f\","
				 "\"timestamp\":\"%u of %u\",\"status\":"
				 "\"success\",\"result\":[{"
				 "\"functionResponse\":{\"id\":\"c%u\","
				 "\"response\":{\"output\":\"%u\"}}}]}",
				 i == 0 ? "" : ", ", i, k, i, i, k);
		buf_adds(out, "]}\n");
	}
}

static void
check_turns(void)
{
	struct buf text = BUF_INIT;
	struct transcript t;
	size_t wrong = 0;
	struct event e;
	char want[64];

	add_turns(&text, 100);
	event_init(&e);
	if (transcript_open(&t, source_memory(buf_str(&text)), &gemini_decoder,
			    NULL) != TRANSCRIPT_OK ||
	    !transcript_select(&t, STR("")))
		abort();
	for (uint32_t i = 0; i < 100; i++) {
		unsigned k = i % 2 == 0 ? 2 : 1;

		snprintf(want, sizeof(want), "%u of %u", k, (unsigned)i);
		wrong += !event_load(&t, i + 2, &e) ||
			 !str_is(buf_str(&e.created_at), want);
		snprintf(want, sizeof(want), "f" NONE OUT "%u", k);
		wrong += !str_is(buf_str(&e.document), want);
	}
	is_int((long long)wrong, 0, "calls by turns, from large lines");
	event_release(&e);
	transcript_close(&t);
	buf_release(&text);
}

int
main(void)
{
	check_turns();
	check_slots();
	check_compaction();
	check_rewinds();
	check_facts();
	check_rows();
	check_results();
	check_times();
	check_changed_calls();
	return done();
}

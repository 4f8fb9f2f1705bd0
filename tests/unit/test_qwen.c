/* Qwen Code's transcripts: spec/more-hosts.md. */
#include "transcript/qwen.h"

#include "show_quoted.h"

#define RECORD(id, parent, type, more)                                         \
	"{'uuid':'" id "','parentUuid':" parent ",'type':'" type "'," more "}" \
	"\n"
#define PARTS(parts) "'message':{'parts':[" parts "]}"
#define TEXT(text) "{'text':'" text "'}"
#define USER(id, parent, text) RECORD(id, parent, "user", PARTS(TEXT(text)))
#define RESULT(id, parts, more) \
	RECORD(id, "null", "tool_result", PARTS(parts) more)
#define RESPONSE(call, name, response)                                       \
	"{'functionResponse':{'id':'" call "','name':'" name "','response':" \
	"{" response "}}}"

static void
check(const char *name, const char *text, const char *want)
{
	check_leaf(&qwen_decoder, name, text, "", want);
}

static void
check_slots(void)
{
	check("3.2: each kind of record takes its slots",
	      USER("1", "null", "hi") RECORD(
		      "2", "'1'", "assistant",
		      PARTS(TEXT(
			      "a") ",{'functionCall':{'id':'c1','name':'ls',"
				   "'args':{'path':'.'}}},{'functionCall':7},"
				   "null,{'functionCall':{'id':'c2','name':"
				   "'cat'}}"))
		      RECORD("3", "'2'", "tool_result",
			     PARTS(RESPONSE(
				     "c2", "cat",
				     "'output':'two'") "," RESPONSE("c1", "ls",
								    "'output'"
								    ":'"
								    "one'")))
			      RECORD("4", "'3'", "system",
				     "'subtype':'slash_command','"
				     "systemPayload':{'phase':"
				     "'invocation','rawCommand':'/"
				     "compress'}") RECORD("5", "'4'", "system",
							  "'subtype':'chat_"
							  "compression','"
							  "systemPayload':{"
							  "'compressedHistor"
							  "y':[{'role':'"
							  "model','parts':[{"
							  "'text':"
							  "'no'}]},{'role':'"
							  "user','parts':[{'"
							  "text':'sum'}]},"
							  "{'role':'user','"
							  "parts':[{'text':'"
							  "later'}]}]}")
				      RECORD("6", "'5'", "system",
					     "'subtype':'slash_command','"
					     "systemPayload':{'phase':"
					     "'result','outputHistoryItems':["
					     "{'text':'x'},{'text':7},"
					     "{'text':'y'}]}") RECORD("7",
								      "'6'",
								      "syste"
								      "m",
								      "'subty"
								      "pe':'"
								      "ui_"
								      "teleme"
								      "try'")
					      RECORD("8", "'7'", "rewind",
						     "'subtype':'x'")
						      RECORD("9", "'8'", "user",
							     "'subtype':'"
							     "notification'"
							     "," PARTS(TEXT(
								     "don"
								     "e"))),
	      "1 user \"hi\"\n2 assistant \"a\"\n"
	      "3 tool ok \"ls {\"path\":\".\"}\n--- output ---\none\"\n"
	      "4 tool ok \"cat (arguments not recorded)\n--- output ---\n"
	      "two\"\n5 of 4\n6 of 3\n7 context \"/compress\"\n"
	      "8 context \"sum\"\n9 context \"x\ny\"\n10 context \"done\"\n");
	check("3.2: sidechains take none; 3.1: the first of a uuid wins",
	      USER("1", "null", "a")
		      RECORD("2", "'1'", "user",
			     "'isSidechain':true," PARTS(TEXT("x")))
			      USER("1", "null", "b") USER("3", "'1'", "c"),
	      "1 user \"a\"\n2 user \"c\"\nrepeated 1\n");
	check("3.1: two objects in one line are one malformed line",
	      USER("1", "null",
		   "a") "{'uuid':'2'}{'uuid':'3'}\n" USER("4", "'1'", "b"),
	      "1 user \"a\"\n2 user \"b\"\nskipped 1\n");
	check("9: wrongly typed members are not members",
	      USER("1", "null", "a") RECORD("2", "'1'", "assistant",
					    "'message':{'parts':7}")
		      RECORD("3", "'2'", "tool_result", "'message':[]") RECORD(
			      "4", "'3'", "system",
			      "'subtype':'chat_compression','systemPayload':[]")
			      RECORD("5", "'4'", "user",
				     PARTS("null,7,[],'s'")),
	      "1 user \"a\"\n2 assistant \"\"\n3 context \"\"\n4 user \"s\"\n");
}

static void
check_branch(void)
{
	static const char tree[] = USER("1", "null", "a") USER("2", "'1'", "b")
		USER("3", "'1'", "c");

	check("12: what was rewound is off the branch", tree,
	      "1 user \"a\"\n2 off\n3 user \"c\"\n");
	check_leaf(&qwen_decoder, "2.1: CTX_LEAF", tree, "2",
		   "1 user \"a\"\n2 user \"b\"\n3 off\n");
	check("3.3: a parent that the file lacks is the record before",
	      USER("1", "null", "a") USER(
		      "2", "'gone'",
		      "b") "{'uuid':'3','type':'user'," PARTS(TEXT("c")) "}\n",
	      "1 user \"a\"\n2 user \"b\"\n3 user \"c\"\n");
	check("3.3: a sidechain is not a record before",
	      USER("1", "null", "a")
		      RECORD("2", "'1'", "user",
			     "'isSidechain':true," PARTS(TEXT("x")))
			      USER("3", "'gone'", "b"),
	      "1 user \"a\"\n2 user \"b\"\n");
	check("3.3: a circle of parents ends",
	      USER("1", "'3'", "a") USER("2", "'1'", "b") USER("3", "'2'", "c"),
	      "1 user \"a\"\n2 user \"b\"\n3 user \"c\"\n");
	check("3.5: an id comes again: the nearest call that has no result",
	      RECORD("1", "null", "assistant",
		     PARTS("{'functionCall':{'id':'c','name':'f'}}"))
		      RECORD("2", "'1'", "assistant",
			     PARTS("{'functionCall':{'id':'c','name':'g'}}"))
			      RECORD("3", "'2'", "tool_result",
				     PARTS(RESPONSE("c", "g", "'output':'r'"))),
	      "1 assistant \"\"\n"
	      "2 tool unfinished \"f (arguments not recorded)\"\n"
	      "3 assistant \"\"\n4 tool ok \"g (arguments not recorded)\n"
	      "--- output ---\nr\"\n5 of 4\n");
}

static void
check_facts(void)
{
	check("12: thoughts are not said, pictures leave a mark",
	      RECORD("1", "null", "user",
		     PARTS(TEXT("t1") ",{'text':'t2','thought':true},"
				      "{'inlineData':{'mimeType':'image/png'}},"
				      "{'fileData':{'mimeType':'text/x'}},"
				      "{'inlineData':{}}")),
	      "1 user \"t1\n[image image/png]\n[document text/x]\"\n");
	check("3.4: what was read for a file is not said",
	      RECORD("1", "null", "user",
		     PARTS(TEXT("look at @a") "," TEXT(
			     "\\n--- Content from "
			     "referenced files "
			     "---") "," TEXT("secret") ",{'inlineData':{'"
						       "mimeType':"
						       "'image/png'}}," TEXT(
							       "\\n--- End of "
							       "content "
							       "---") "," TEXT("and "
									       "go"))),
	      "1 user \"look at @a\n[image image/png]\nand go\"\n");
	check("3.4: pictures in a result; its error is read where it has no "
	      "output",
	      RECORD("1", "null", "tool_result",
		     PARTS("{'functionResponse':{'id':'a','name':'f','response'"
			   ":"
			   "{'output':7,'error':'no'},'parts':[{'inlineData':{"
			   "'mimeType':'image/png'}}]}}")),
	      "1 tool error \"f (arguments not recorded)\n--- output ---\n"
	      "no\n[image image/png]\"\n");
	check("3.4: the window is context",
	      USER("1", "null", "<context_window> x"),
	      "1 context \"<context_window> x\"\n");
	check("3.4: errors of results",
	      RESULT("1", RESPONSE("a", "f", "'error':'bad'"),
		     "") "{'uuid':'2'"
			 ",'type':'"
			 "tool_"
			 "result'"
			 "," PARTS(RESPONSE("b", "f", "'output':'o'") "," RESPONSE(
				 "c", "f",
				 "'ou"
				 "tpu"
				 "t':"
				 "'p"
				 "'")) ",'toolCallResult':{'callId':'c','"
				       "status':'cancelled'}}\n"
				       "{'uuid':'3','type':'tool_result'"
				       "," PARTS(
					       RESPONSE("d", "run_shell_command", "'output':'x\\nExit Code: 2\\ny'") "," RESPONSE(
						       "e", "run_shell_command",
						       "'output':'Exit Code: "
						       "0'") "," RESPONSE("f",
									  "rea"
									  "d",
									  "'out"
									  "put'"
									  ":'"
									  "Exit"
									  " Cod"
									  "e: "
									  "2'")) "}\n",
	      "1 tool error \"f (arguments not recorded)\n--- output ---\n"
	      "bad\"\n2 tool ok \"f (arguments not recorded)\n"
	      "--- output ---\no\"\n3 tool error \"f (arguments not recorded)"
	      "\n--- output ---\np\"\n"
	      "4 tool error \"run_shell_command (arguments not recorded)\n"
	      "--- output ---\nx\nExit Code: 2\ny\"\n"
	      "5 tool ok \"run_shell_command (arguments not recorded)\n"
	      "--- output ---\nExit Code: 0\"\n"
	      "6 tool ok \"read (arguments not recorded)\n--- output ---\n"
	      "Exit Code: 2\"\n");
}

/* Further rows of the tables, one line or few each. */
static void
check_rows(void)
{
	static const char *const none[] = {
		"ui_telemetry", "attribution_snapshot",
		"custom_title", "at_command",
		"rewind",	"unknown"
	};
	struct buf text = BUF_INIT;

	buf_adds(&text, USER("1", "null", "a"));
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		buf_addf(&text,
			 "{'uuid':'n%d','parentUuid':'1','type':'system',"
			 "'subtype':'%s','systemPayload':{}," PARTS(
				 TEXT("x")) "}\n",
			 (int)i, none[i]);
	check("3.2: everything else takes none", text.data, "1 user \"a\"\n");
	buf_release(&text);
	check("3.2: a slot for each response, and none for what else is there",
	      RESULT("1",
		     TEXT("x") "," RESPONSE(
			     "a", "f",
			     "'output':'r'") ",{'functionResponse':7}",
		     ""),
	      "1 tool ok \"f (arguments not recorded)\n--- output ---\nr\"\n");
	check("3.2: only true makes a sidechain",
	      RECORD("1", "null", "user",
		     "'isSidechain':'true'," PARTS(TEXT("a"))),
	      "1 user \"a\"\n");
	check("12: a rewind, and nothing said since: it hangs on what was "
	      "before",
	      USER("1", "null", "a") USER("2", "'1'", "b")
		      RECORD("3", "'1'", "system", "'subtype':'rewind'"),
	      "1 user \"a\"\n2 off\n");
	check("3.3: a parent of another kind is absent; what has no uuid is on "
	      "no branch",
	      USER("1", "null", "a") "{'type':'user'," PARTS(
		      TEXT("x")) "}\n"
				 "{'uuid':7,'type':'user'," PARTS(
					 TEXT("y")) "}\n" USER("2", "7", "b"),
	      "1 user \"a\"\n2 off\n3 off\n4 user \"b\"\n");
	check_leaf(&qwen_decoder, "2.1: CTX_LEAF is not a sidechain",
		   USER("1", "null", "a")
			   RECORD("2", "'1'", "user",
				  "'isSidechain':true," PARTS(TEXT("x"))),
		   "2", "no transcript\n");
	check_leaf(&qwen_decoder, "2.1: CTX_LEAF is in the file",
		   USER("1", "null", "a"), "2", "no transcript\n");
	check("12: the parts of a text",
	      RECORD("1", "null", "user",
		     PARTS("'t1',{'text':'t2','thought':true},"
			   "{'inlineData':{'mimeType':'image/png'}}"))
		      RECORD("2", "'1'", "assistant",
			     PARTS("{'text':'t3','thought':'true'},{'text':"
				   "7}")),
	      "1 user \"t1\n[image image/png]\"\n2 assistant \"t3\"\n");
	check("3.4: what the client says in the user's name",
	      RECORD("1", "null", "user", "'subtype':'cron'," PARTS(TEXT("a")))
		      RECORD("2", "'1'", "user",
			     "'subtype':7," PARTS(TEXT("b"))),
	      "1 context \"a\"\n2 user \"b\"\n");
	check("3.4: hooks are not told from the person, nor are elements",
	      USER("1", "null", "<hook_context>x</hook_context>")
		      RECORD("2", "'1'", "user",
			     PARTS(TEXT("do") "," TEXT("of a hook"))),
	      "1 user \"<hook_context>x</hook_context>\"\n"
	      "2 user \"do\nof a hook\"\n");
	check("3.4: whose status it is, and which",
	      "{'uuid':'1','type':'tool_result','toolCallResult':{'callId':'b',"
	      "'status':'error'},'message':{'parts':[{'functionResponse':{"
	      "'id':'a','name':'f','response':{'output':'x'}}}]}}\n"
	      "{'uuid':'2','type':'tool_result','toolCallResult':{'callId':'b',"
	      "'status':'error'},'message':{'parts':[{'functionResponse':{"
	      "'id':'b','name':'f','response':{'output':'y'}}}]}}\n"
	      "{'uuid':'3','type':'tool_result','toolCallResult':{'callId':'c',"
	      "'status':'success'},'message':{'parts':[{'functionResponse':{"
	      "'id':'c','name':'f','response':{'output':'z'}}}]}}\n"
	      "{'uuid':'4','type':'tool_result','message':{'parts':[{"
	      "'functionResponse':{'id':'d','name':'f','response':{"
	      "'output':'o','error':null}}}]}}\n",
	      "1 tool ok \"f (arguments not recorded)\n--- output ---\nx\"\n"
	      "2 tool error \"f (arguments not recorded)\n--- output ---\ny\"\n"
	      "3 tool ok \"f (arguments not recorded)\n--- output ---\nz\"\n"
	      "4 tool error \"f (arguments not recorded)\n--- output "
	      "---\no\"\n");
}

/* The text of a result, and what it tells. */
static void
check_result(const char *name, const char *text, bool truncated,
	     const char *path)
{
	struct buf record = BUF_INIT;
	struct result_facts facts = { .name = BUF_INIT, .path = BUF_INIT };
	struct part part;

	buf_addf(&record,
		 "{\"functionResponse\":{\"response\":{\"output\":\"%s\"}}}",
		 text);
	part = (struct part){ .record = STR(""), .span = buf_str(&record) };
	qwen_decoder.result(&part, &facts);
	ok(facts.truncated == truncated, "%s", name);
	is_string(facts.path.data, path, "its path");
	buf_release(&facts.name);
	buf_release(&facts.path);
	buf_release(&record);
}

/* Calls, each in a record, whose results stand in two records by turns. */
static void
add_turns(struct buf *out, unsigned n)
{
	buf_adds(out, "{\"uuid\":\"u\",\"type\":\"user\",\"message\":{"
		      "\"parts\":[{\"text\":\"hi\"}]}}\n");
	for (unsigned i = 0; i < n; i++)
		buf_addf(out,
			 "{\"uuid\":\"a%u\",\"parentUuid\":\"%s%u\","
			 "\"type\":\"assistant\",\"message\":{\"parts\":[{"
			 "\"functionCall\":{\"id\":\"c%u\",\"name\":\"f\","
			 "\"args\":{}}}]}}\n",
			 i, i == 0 ? "u" : "a", i == 0 ? 0 : i - 1, i);
	for (unsigned k = 0; k < 2; k++) {
		buf_addf(out,
			 "{\"uuid\":\"r%u\",\"parentUuid\":\"%s%u\","
			 "\"type\":\"tool_result\",\"message\":{\"parts\":[",
			 k, k == 0 ? "a" : "r", k == 0 ? n - 1 : 0);
		for (unsigned i = k; i < n; i += 2)
			buf_addf(out,
				 "%s{\"functionResponse\":{\"id\":\"c%u\","
				 "\"name\":\"f\",\"response\":{\"output\":"
				 "\"out %u\"}}}",
				 i == k ? "" : ", ", i, i);
		buf_addf(out,
			 "]},\"toolCallResult\":{\"callId\":\"c%u\","
			 "\"status\":\"error\"}}\n",
			 n - 2 + k);
	}
}

static void
check_turns(void)
{
	struct buf text = BUF_INIT, want = BUF_INIT, got = BUF_INIT;

	/* A record of many, whose parts are read apart. */
	add_turns(&text, 100);
	buf_adds(&want, "1 user \"hi\"\n");
	for (unsigned i = 0; i < 100; i++)
		buf_addf(&want,
			 "%u assistant \"\"\n%u tool %s \"f {}\n--- output "
			 "---\nout %u\"\n",
			 2 * i + 2, 2 * i + 3, i < 98 ? "ok" : "error", i);
	show_events(&qwen_decoder, buf_str(&text), "", &got);
	ok(str_starts(buf_str(&got), buf_str(&want)),
	   "results by turns, from large records");
	buf_release(&text);
	buf_release(&want);
	buf_release(&got);
}

int
main(void)
{
	check_turns();
	check_slots();
	check_branch();
	check_facts();
	check_rows();
	check_result("3.4: a path ends its line",
		     "Tool output was too large and has been truncated.\\n"
		     "The full output has been saved to: /t/x.log",
		     false, "");
	check_result("3.4: a text that was cut says where it lies",
		     "Tool output was too large and has been truncated.\\n"
		     "The full output has been saved to: /t/x.log\\nrest",
		     true, "/t/x.log");
	check_result("3.4: exactly so, or not at all",
		     "The full output has been saved to: /t/x.log\\nrest",
		     false, "");
	return done();
}

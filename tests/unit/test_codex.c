/* Codex rollouts: slots, rollbacks, facts and documents. */
#include "transcript/codex.h"

#include "show_events.h"

/*
 * Records are written with ' for ", which no fixture needs itself.  R and E
 * are the records of both logs, M a message, C and O a call and its output.
 */
#define META "{'type':'session_meta','payload':{'id':'s'}}\n"
#define FLAT "{'id':'s','timestamp':'2025-05-07T17:24:21.500Z'}\n"
#define R(item) "{'type':'response_item','payload':{" item "}}\n"
#define E(event) "{'type':'event_msg','payload':{" event "}}\n"
#define M(role, type, text)                                                 \
	"'type':'message','role':'" role "','content':[{'type':'" type "'," \
	"'text':'" text "'}]"
#define USER(text) R(M("user", "input_text", text))
#define ASSISTANT(text) R(M("assistant", "output_text", text))
#define C(id, name, arguments)                                           \
	R("'type':'function_call','name':'" name "','call_id':'" id "'," \
	  "'arguments':" arguments)
#define O(id, output) \
	R("'type':'function_call_output','call_id':'" id "','output':" output)
#define ROLLBACK(n) E("'type':'thread_rolled_back','num_turns':" n)

#define EVENT(kind, text) E("'type':'" kind "_message','message':'" text "'")
#define ITEM(kind, block, text)                           \
	E("'type':'item_completed','item':{'type':'" kind \
	  "Message','content':[{'type':'" block "','text':'" text "'}]}")

static void
check_records(const char *name, const char *want, const char *const records[])
{
	struct buf file = BUF_INIT, got = BUF_INIT;

	while (*records != NULL)
		buf_adds(&file, *records++);
	for (size_t i = 0; i < file.len; i++)
		if (file.data[i] == '\'')
			file.data[i] = '"';
	show_events(NULL, buf_str(&file), "", &got);
	is_string(got.data, want, name);
	buf_release(&file);
	buf_release(&got);
}

#define check(name, want, ...) \
	check_records(name, want, (const char *const[]){ __VA_ARGS__, NULL })

/* ---- 2.3, 3.2 ---------------------------------------------------------- */

static void
check_slots(void)
{
	check("each kind of response item takes its slot",
	      "1 user \"u\"\n"
	      "2 assistant \"a\"\n"
	      "3 context \"d\"\n"
	      "4 context \"s\"\n"
	      "5 tool ok \"f {}\n"
	      "--- output ---\n"
	      "r1\"\n"
	      "6 tool ok \"patch \"x\"\n"
	      "--- output ---\n"
	      "r2\"\n"
	      "7 tool unfinished \"local_shell {\"command\":[\"ls\"]}\"\n"
	      "8 tool ok \"tool_search \"q\"\"\n"
	      "9 tool unfinished \"web_search {\"query\":\"q\"}\"\n"
	      "10 tool unfinished \"image_generation (arguments not "
	      "recorded)\"\n"
	      "11 of 5\n"
	      "12 of 6\n"
	      "13 of 8\n"
	      "14 context \"c\"\n",
	      META, USER("u"), ASSISTANT("a"), R(M("developer", "text", "d")),
	      R(M("system", "input_text", "s")), C("1", "f", "'{}'"),
	      R("'type':'custom_tool_call','name':'patch','call_id':'2','input'"
		":'x'"),
	      R("'type':'local_shell_call','call_id':'3','action':{'command':['"
		"ls']}"),
	      R("'type':'tool_search_call','call_id':'4','arguments':'q'"),
	      R("'type':'web_search_call','action':{'query':'q'}"),
	      R("'type':'image_generation_call','id':'i','result':'x'"),
	      O("1", "'r1'"),
	      R("'type':'custom_tool_call_output','call_id':'2','output':'r2'"),
	      R("'type':'tool_search_output','call_id':'4','tools':[]"),
	      "{'type':'compacted','payload':{'message':'c'}}\n");
	check("other records take none",
	      "1 user \"u\"\n"
	      "2 user \"v\"\n",
	      META, USER("u"), R("'type':'reasoning','summary':[]"),
	      R("'type':'message','role':'tool','content':'x'"),
	      R("'type':'of tomorrow'"), R("'type':17"),
	      "{'type':'response_item','payload':[]}\n",
	      "{'type':'response_item'}\n", META,
	      "{'type':'turn_context','payload':{'cwd':'/'}}\n",
	      E("'type':'token_count'"), "{'record_type':'state'}\n",
	      "{'type':'message','role':'user','content':'flat'}\n",
	      "{'type':'of tomorrow','payload':{}}\n", "{'type':1}\n", "{}\n",
	      USER("v"));
	check("wrong types: a slot by kind and role, and no text",
	      "1 user \"\"\n"
	      "2 assistant \"\"\n"
	      "3 assistant \"[image]\"\n"
	      "4 tool unfinished \"unknown (arguments not recorded)\"\n"
	      "5 tool ok \"unknown (arguments not recorded)\"\n"
	      "6 tool ok \"unknown (arguments not recorded)\"\n"
	      "7 context \"\"\n"
	      "8 context \"\"\n",
	      META, R("'type':'message','role':'user','content':17"),
	      R("'type':'message','role':'assistant'"),
	      R("'type':'message','role':'assistant','content':[1,{},{'type':'"
		"output_text'},{'type':'output_text','text':1},{'type':'input_"
		"image','text':'x'}]"),
	      R("'type':'function_call','name':7,'call_id':[]"),
	      R("'type':'function_call_output','output':17"),
	      R("'type':'function_call_output','output':{'content':1}"),
	      "{'type':'compacted','payload':null}\n",
	      "{'type':'compacted'}\n");
	check("malformed lines are skipped and counted",
	      "1 user \"a\"\n"
	      "2 user \"b\"\n"
	      "skipped 4\n",
	      META, "no json\n", USER("a"), "\n", " \t\r\n", "[]\n",
	      "{'type':'resp\n", USER("b"), "{'type':");
	check("records have no ids: all of them count",
	      "1 user \"a\"\n"
	      "2 user \"b\"\n",
	      META, R("'id':'m','type':'message','role':'user','content':'a'"),
	      R("'id':'m','type':'message','role':'user','content':'b'"));
}

static void
check_flat(void)
{
	check("a flat rollout",
	      "1 user \"u\"\n"
	      "2 tool ok \"shell {}\n"
	      "--- output ---\n"
	      "r\"\n"
	      "3 of 2\n"
	      "4 assistant \"a\"\n",
	      FLAT, "{'record_type':'state'}\n",
	      "{" M("user", "input_text", "u") "}\n",
	      "{'type':'reasoning','id':'rs','summary':[]}\n",
	      "{'type':'function_call','name':'shell','call_id':'1','arguments'"
	      ":'{}'}\n",
	      "{'type':'function_call_output','call_id':'1','output':'r'}\n",
	      "{'record_type':'state'}\n",
	      "{" M("assistant", "output_text", "a") "}\n");
	check("one that goes on with envelopes",
	      "1 off\n"
	      "2 off\n"
	      "3 off\n",
	      FLAT, "{" M("user", "input_text", "u") "}\n", ASSISTANT("a"),
	      E("'type':'agent_message','message':'a'"),
	      "{'type':'compacted','payload':{'message':'c'}}\n", META,
	      "{'type':'turn_context','payload':{}}\n", ROLLBACK("1"));
	check("its bare messages are the log that is read", "1 user \"v\"\n",
	      FLAT, E("'type':'user_message','message':'u'"),
	      "{'type':'message','role':'user','content':'v'}\n");
	check("other items of it are not a log", "1 user \"u\"\n", FLAT,
	      E("'type':'user_message','message':'u'"),
	      "{'type':'reasoning'}\n");
	check("what is not an item in any rollout is none here",
	      "1 user \"u\"\n", FLAT, EVENT("user", "u"), META,
	      "{'type':'turn_context','payload':{}}\n",
	      "{'record_type':'state'}\n");
	check("an id without a time is none", "no transcript\n", "{'id':'s'}\n",
	      USER("u"));
	check("nor is a number", "no transcript\n",
	      "{'id':1,'timestamp':'x'}\n", USER("u"));
	check("a payload that is not an object", "",
	      "{'type':'session_meta','payload':[]}\n", USER("u"));
}

static void
check_logs(void)
{
	check("events mirror what items say (cases.md row 3)",
	      "1 user \"Go.\"\n"
	      "2 assistant \"Done.\"\n"
	      "3 user \"Again.\"\n"
	      "4 assistant \"Done.\"\n",
	      META, USER("Go."), EVENT("user", "Go."), EVENT("agent", "Done."),
	      ASSISTANT("Done."), USER("Again."), EVENT("user", "Again."),
	      EVENT("agent", "Done."), ASSISTANT("Done."));
	check("so they do before the first message",
	      "1 context \"c\"\n2 user \"e\"\n", META, EVENT("user", "a"),
	      EVENT("agent", "b"),
	      "{'type':'compacted','payload':{'message':'c'}}\n",
	      EVENT("user", "d"), R("'type':'reasoning'"), USER("e"));
	check("items that are not messages leave what is said to events",
	      "1 user \"a\"\n2 tool ok \"f {}\n--- output ---\nr\"\n"
	      "3 of 2\n4 assistant \"b\"\n",
	      META, EVENT("user", "a"), C("1", "f", "'{}'"),
	      R("'type':'function_call_output','call_id':'1','output':'r'"),
	      EVENT("agent", "b"), R("'type':'reasoning'"));
	check("a message takes back what events said, and leaves the tools",
	      "1 tool ok \"f {}\n--- output ---\nr\"\n2 of 1\n"
	      "3 tool unfinished \"g {}\"\n4 user \"c\"\n",
	      META, EVENT("user", "a"), C("1", "f", "'{}'"),
	      R("'type':'function_call_output','call_id':'1','output':'r'"),
	      EVENT("agent", "b"), C("2", "g", "'{}'"), USER("c"));
	check("a rollout of events alone",
	      "1 user \"a\"\n"
	      "2 assistant \"b\"\n"
	      "3 context \"c\"\n"
	      "4 user \"\"\n"
	      "5 assistant \"<environment_context>\"\n",
	      META, EVENT("user", "a"), E("'type':'token_count'"),
	      EVENT("agent", "b"),
	      "{'type':'compacted','payload':{'message':'c'}}\n",
	      E("'type':'user_message','message':17"),
	      EVENT("agent", "<environment_context>"));
	check("a text of the host's own is the user's there",
	      "1 user \"<environment_context>\"\n", META,
	      EVENT("user", "<environment_context>"));
	check("a rollout of completed items alone (cases.md row 4)",
	      "1 user \"hi\"\n"
	      "2 assistant \"ho\"\n"
	      "3 assistant \"\"\n",
	      META, ITEM("User", "text", "hi"), ITEM("Agent", "Text", "ho"),
	      ITEM("Reasoning", "text", "x"),
	      E("'type':'item_completed','item':[]"),
	      ITEM("Agent", "output_text", "not this"));
	check("completed items mirror events, before and behind",
	      "1 context \"c\"\n"
	      "2 user \"a\"\n"
	      "3 assistant \"b\"\n",
	      META, ITEM("User", "text", "a"),
	      "{'type':'compacted','payload':{'message':'c'}}\n",
	      EVENT("user", "a"), EVENT("agent", "b"),
	      ITEM("Agent", "Text", "b"));
	check("all three logs",
	      "1 user \"a\"\n"
	      "2 assistant \"b\"\n",
	      META, ITEM("User", "text", "a"), EVENT("user", "a"), USER("a"),
	      ITEM("Agent", "Text", "b"), EVENT("agent", "b"), ASSISTANT("b"));
	check("only unknown records are an empty session (cases.md row 4)", "",
	      META, E("'type':'of tomorrow'"), "{'type':'of tomorrow'}\n");
}

/* ---- 3.3 --------------------------------------------------------------- */

static void
check_rollbacks(void)
{
	check("section 12: three turns, rollback 2, then a turn",
	      "1 user \"1\"\n"
	      "2 assistant \"a\"\n"
	      "3 off\n"
	      "4 off\n"
	      "5 off\n"
	      "6 off\n"
	      "7 user \"4\"\n"
	      "8 assistant \"d\"\n",
	      META, USER("1"), ASSISTANT("a"), USER("2"), ASSISTANT("b"),
	      USER("3"), ASSISTANT("c"), ROLLBACK("2"), USER("4"),
	      ASSISTANT("d"));
	check("retired turns do not count again",
	      "1 off\n"
	      "2 off\n"
	      "3 off\n"
	      "4 off\n",
	      META, USER("1"), USER("2"), ROLLBACK("1"), USER("3"), USER("4"),
	      ROLLBACK("3"));
	check("fewer turns than that: from the first",
	      "1 context \"d\"\n"
	      "2 off\n"
	      "3 off\n"
	      "4 user \"2\"\n",
	      META, R(M("developer", "text", "d")), USER("1"), ASSISTANT("a"),
	      ROLLBACK("12345678901234567890123"), USER("2"));
	check("no turn at all: nothing",
	      "1 assistant \"a\"\n"
	      "2 assistant \"b\"\n",
	      META, ASSISTANT("a"), ROLLBACK("1"), ASSISTANT("b"));
	check("what is not a number of turns retires nothing", "1 user \"1\"\n",
	      META, USER("1"), ROLLBACK("0"), ROLLBACK("-1"), ROLLBACK("'1'"),
	      ROLLBACK("1.5"), ROLLBACK("null"),
	      E("'type':'thread_rolled_back'"));
	check("one in any form does",
	      "1 user \"1\"\n"
	      "2 off\n",
	      META, USER("1"), USER("2"), ROLLBACK("1e0"));
	check("texts of the host's own are not turns",
	      "1 user \"1\"\n"
	      "2 context \"<environment_context>\"\n"
	      "3 off\n"
	      "4 off\n",
	      META, USER("1"), USER("<environment_context>"), USER("2"),
	      USER("<turn_aborted>"), ROLLBACK("1"));
	check("an empty one is",
	      "1 user \"1\"\n"
	      "2 off\n"
	      "3 off\n",
	      META, USER("1"), USER(""), ASSISTANT("a"), ROLLBACK("1"));
	check("a call loses the result that is retired",
	      "1 user \"1\"\n"
	      "2 tool ok \"f {}\n"
	      "--- output ---\n"
	      "y\"\n"
	      "3 off\n"
	      "4 off\n"
	      "5 of 2\n",
	      META, USER("1"), C("c", "f", "'{}'"), USER("2"), O("c", "'x'"),
	      ROLLBACK("1"), O("c", "'y'"));
	check("in a rollout of events alone",
	      "1 user \"1\"\n"
	      "2 assistant \"a\"\n"
	      "3 off\n"
	      "4 user \"3\"\n",
	      META, EVENT("user", "1"), EVENT("agent", "a"), EVENT("user", "2"),
	      ROLLBACK("1"), EVENT("user", "3"));
	check("with events before the first item",
	      "1 user \"1\"\n"
	      "2 off\n",
	      META, EVENT("user", "1"), EVENT("user", "2"), ROLLBACK("1"),
	      USER("1"), USER("2"), ROLLBACK("1"));
	check("a rollback before everything", "1 user \"1\"\n", META,
	      ROLLBACK("1"), USER("1"));
	check("a summary is retired with its turn",
	      "1 user \"1\"\n"
	      "2 off\n"
	      "3 off\n",
	      META, USER("1"), USER("2"),
	      "{'type':'compacted','payload':{'message':'c'}}\n",
	      ROLLBACK("1"));
}

/* ---- 3.4 --------------------------------------------------------------- */

static void
check_contexts(void)
{
	static const char *const starts[] = {
		"# AGENTS.md instructions",
		"<environment_context>",
		"<user_instructions>",
		"<INSTRUCTIONS>",
		"<permissions instructions>",
		"<collaboration_mode>",
		"<turn_aborted>",
		"<user_shell_command>",
		"<skill>",
		"<skills_instructions>",
		"<plugins_instructions>",
		"<apps_instructions>",
		"<subagent_notification>",
		"<model_switch>",
		"<personality_spec>",
		"<context_window>",
	};

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		struct buf text = BUF_INIT, want = BUF_INIT;

		buf_addf(&text,
			 META R("'type':'message','role':'user','content':'"
				"\\n\\u0020%s x'")
				 R("'type':'message','role':'user',"
				   "'content':'x %s'"),
			 starts[i], starts[i]);
		buf_addf(&want, "1 context \"\n %s x\"\n2 user \"x %s\"\n",
			 starts[i], starts[i]);
		check(starts[i], want.data, text.data);
		buf_release(&text);
		buf_release(&want);
	}
	check("the list is closed, letters have a case, and all must be there",
	      "1 user \"<environment_contexts>\"\n"
	      "2 user \"<Skill>\"\n"
	      "3 user \"# AGENTS.md\"\n"
	      "4 user \"<skill\"\n"
	      "5 user \"\xc2\xa0<skill>\"\n",
	      META, USER("<environment_contexts>"), USER("<Skill>"),
	      USER("# AGENTS.md"), USER("<skill"), USER("\\u00a0<skill>"));
	check("the text of all blocks counts, joined",
	      "1 user \" \n"
	      "[image]\n"
	      "<skill>\"\n"
	      "2 context \"\n"
	      "<skill>\"\n"
	      "3 user \"x\n"
	      "<skill>\"\n",
	      META,
	      R("'type':'message','role':'user','content':[{'type':'input_text'"
		",'text':' "
		"'},{'type':'input_image'},{'type':'text','text':'<skill>'}]"),
	      R("'type':'message','role':'user','content':[{'type':'input_text'"
		",'text':''},{'type':'output_text','text':'\\u003cskill>'}]"),
	      R("'type':'message','role':'user','content':[{'type':'input_text'"
		",'text':'x'},{'type':'input_text','text':'<skill>'}]"));
	check("what an assistant says never is",
	      "1 assistant \"<environment_context>\"\n", META,
	      ASSISTANT("<environment_context>"));
}

/* A message of the user with these blocks and labels for them. */
#define LABELLED(blocks, labels)                                           \
	R("'type':'message','role':'user','content':[" blocks              \
	  "],'internal_chat_message_metadata_passthrough':{'content_item_" \
	  "kinds':[" labels "]}")
#define IN(text) "{'type':'input_text','text':'" text "'}"
#define PICTURE "{'type':'input_image','image_url':'data:image/png;base64,AA'}"

/* What neither the user nor the assistant says. */
static void
check_others(void)
{
	check("what another agent sent, and what a compaction wrote down",
	      "1 context \"from x\"\n2 context \"summed up\"\n"
	      "3 assistant \"a\"\n",
	      META,
	      R("'type':'agent_message','author':'x','content':[{'type':'input_"
		"text','text':'from x'}]"),
	      "{'type':'response_item','metadata':{'compaction_output':true},"
	      "'payload':{" M("assistant", "output_text",
			      "summed up") "}}\n"
					   "{'type':'response_item','metadata':"
					   "{'compaction_output':'true'},"
					   "'payload':{" M("assistant",
							   "output_text",
							   "a") "}}\n");
	check("more turns than any file has are all of them", "1 off\n2 off\n",
	      META, USER("1"), USER("2"), ROLLBACK("18446744073709551617"));
	check("in any form that a number has", "1 off\n2 user \"2\"\n", META,
	      USER("1"), ROLLBACK("1e400"), USER("2"));
	check("a number below one is none", "1 user \"1\"\n2 user \"2\"\n",
	      META, USER("1"), USER("2"), ROLLBACK("-18446744073709551617"),
	      ROLLBACK("1e-5"));
}

static void
check_elements(void)
{
	check("elements may have attributes, and follow one another",
	      "1 context \"<codex_internal_context source=\"goal\">a"
	      "</codex_internal_context>\n <user_action>b</user_action>\"\n"
	      "2 context \"<skill>never closed\"\n"
	      "3 user \"<skill>a</skill> do it\"\n"
	      "4 user \"<skill a\"\n"
	      "5 context \"<permissions instructions>x</permissions "
	      "instructions>\"\n",
	      META,
	      USER("<codex_internal_context source=\\'goal\\'>a</codex_"
		   "internal_context>\\n <user_action>b</user_action>"),
	      USER("<skill>never closed"), USER("<skill>a</skill> do it"),
	      USER("<skill a"),
	      USER("<permissions instructions>x</permissions instructions>"));
}

static void
check_labels(void)
{
	check("a labelled block is what its label says",
	      "1 context \"a\nb\"\n2 user \"b\"\n3 user \"<skill>x\"\n", META,
	      LABELLED(IN("a") "," IN("b"),
		       "'environments.environment_context','skills.skill'"),
	      LABELLED(IN("a") "," IN("b"),
		       "'environments.environment_context','user.text'"),
	      LABELLED(IN("<skill>x"), "'user.text'"));
	check("one of unknown kind goes by its text",
	      "1 context \"<skill>x\"\n2 user \"y\"\n3 context \"\"\n", META,
	      LABELLED(IN("<skill>x"), "'unknown'"),
	      LABELLED(IN("<skill>x") "," IN("y"), "'unknown','unknown'"),
	      LABELLED("", ""));
	check("labels that are not one for each block are none",
	      "1 user \"a\nb\"\n2 context \"<skill>x\"\n3 user \"s\"\n", META,
	      LABELLED(IN("a") "," IN("b"), "'x.y'"),
	      LABELLED(IN("<skill>x"), "'user.text','user.text'"),
	      R("'type':'message','role':'user','content':'s','internal_chat_"
		"message_metadata_passthrough':{'content_item_kinds':['x']}"));
	check("the tags around a picture are dropped",
	      "1 user \"[image image/png]\nlook\"\n"
	      "2 user \"[image image/png]\"\n"
	      "3 user \"</image> x\"\n",
	      META,
	      LABELLED(
		      IN("<image name=[Image #1] path=\\'/a b.png\\'>") "," PICTURE "," IN(
			      "</image>") "," IN("look"),
		      "'user.text','user.image','user.text','user.text'"),
	      R("'type':'message','role':'user','content':[" IN(
		      "<image name=[Image #1] path=\\'/a.png\\'>") "," PICTURE
								   "," IN("</"
									  "imag"
									  "e>") "]"),
	      USER("</image> x"));
}

/* What became of a tool call, in an event. */
#define DONE(type, id, status)                                          \
	E("'type':'item_completed','item':{'type':'" type "','id':'" id \
	  "','status':'" status "'}")
#define OUT(id, text)                                                        \
	R("'type':'function_call_output','call_id':'" id "','output':'" text \
	  "'")

static void
check_failures(void)
{
	check("a call is an error when an event says so, before or after",
	      "1 tool error \"f {}\n--- output ---\nr\"\n2 of 1\n"
	      "3 tool error \"g {}\n--- output ---\nExit code: 0\n"
	      "Output:\nr\"\n4 of 3\n"
	      "5 tool ok \"h {}\n--- output ---\nr\"\n6 of 5\n"
	      "7 tool error \"unknown (arguments not recorded)\n"
	      "--- output ---\nr\"\n8 tool unfinished \"i {}\"\n",
	      META, C("1", "f", "'{}'"), DONE("McpToolCall", "1", "failed"),
	      OUT("1", "r"), C("2", "g", "'{}'"),
	      OUT("2", "Exit code: 0\\nOutput:\\nr"),
	      DONE("CommandExecution", "2", "declined"), C("3", "h", "'{}'"),
	      DONE("FileChange", "3", "completed"),
	      DONE("WebSearch", "3", "failed"), OUT("3", "r"), OUT("4", "r"),
	      DONE("FileChange", "4", "failed"),
	      DONE("FileChange", "4", "failed"), C("5", "i", "'{}'"),
	      DONE("McpToolCall", "5", "failed"));
}

static void
check_calls(void)
{
	check("section 12: arguments are a string, maybe with one object",
	      "1 tool unfinished \"f \"[1]\"\"\n"
	      "2 tool unfinished \"f {\"a\":1}\"\n"
	      "3 tool unfinished \"f \"oops\"\"\n"
	      "4 tool unfinished \"f \"\"\"\n"
	      "5 tool unfinished \"f \"{} {}\"\"\n"
	      "6 tool unfinished \"f {\"b\":1.0,\"b\":\"A/\"}\"\n"
	      "7 tool unfinished \"tool_search {\"q\":1}\"\n",
	      META, C("1", "f", "'[1]'"), C("2", "f", "'{\\'a\\':1}'"),
	      C("3", "f", "'oops'"), C("4", "f", "''"), C("5", "f", "'{} {}'"),
	      C("6", "f",
		"' { \\'b\\' : 1.0 , \\'b\\':\\'\\\\u0041\\\\/\\'}\\n'"),
	      R("'type':'tool_search_call','arguments':'{\\'q\\':1}'"));
	check("what is recorded as something else is shown as it is",
	      "1 tool unfinished \"f null\"\n"
	      "2 tool unfinished \"f {\"a\":1.0}\"\n"
	      "3 tool unfinished \"f (arguments not recorded)\"\n",
	      META, C("1", "f", "null"), C("2", "f", "{ 'a' : 1.0 }"),
	      R("'type':'function_call','name':'f'"));
	check("an input is what it is",
	      "1 tool unfinished \"p \"{\\\"a\\\":1}\"\"\n"
	      "2 tool unfinished \"p (arguments not recorded)\"\n",
	      META,
	      R("'type':'custom_tool_call','name':'p','call_id':'1','input':'{"
		"\\'a\\':1}'"),
	      R("'type':'custom_tool_call','name':'p'"));
	check("names",
	      "1 tool unfinished \"unknown {}\"\n"
	      "2 tool unfinished \"find (arguments not recorded)\"\n"
	      "3 tool unfinished \"tool_search (arguments not recorded)\"\n"
	      "4 tool unfinished \"local_shell (arguments not recorded)\"\n"
	      "5 tool unfinished \"web_search (arguments not recorded)\"\n"
	      "6 tool unfinished \"image_generation (arguments not "
	      "recorded)\"\n",
	      META, C("1", "", "'{}'"),
	      R("'type':'tool_search_call','name':'find'"),
	      R("'type':'tool_search_call','name':''"),
	      R("'type':'local_shell_call','name':'x'"),
	      R("'type':'web_search_call','name':'x'"),
	      R("'type':'image_generation_call','name':'x','arguments':1,'"
		"action':2"));
	check("searches and images go by their status, and never pair",
	      "1 tool ok \"web_search (arguments not recorded)\"\n"
	      "2 tool error \"web_search (arguments not recorded)\"\n"
	      "3 tool ok \"image_generation (arguments not recorded)\"\n"
	      "4 tool error \"image_generation (arguments not recorded)\"\n"
	      "5 tool unfinished \"image_generation (arguments not "
	      "recorded)\"\n"
	      "6 tool unfinished \"f {}\"\n"
	      "7 tool ok \"local_shell {}\n"
	      "--- output ---\n"
	      "s\"\n"
	      "8 tool ok \"unknown (arguments not recorded)\n"
	      "--- output ---\n"
	      "r\"\n"
	      "9 of 7\n",
	      META,
	      R("'type':'web_search_call','call_id':'1','status':'completed'"),
	      R("'type':'web_search_call','status':'failed'"),
	      R("'type':'image_generation_call','call_id':'1','status':'"
		"completed'"),
	      R("'type':'image_generation_call','status':'failed'"),
	      R("'type':'image_generation_call','status':'generating'"),
	      C("2", "f", "'{}'"),
	      R("'type':'local_shell_call','call_id':'3','status':'completed','"
		"action':{}"),
	      O("1", "'r'"), O("3", "'s'"));
}

/* An output and what comes of it, in a pair. */
static void
output(const char *recorded, const char *status, const char *text)
{
	struct buf file = BUF_INIT, want = BUF_INIT;

	buf_addf(&file, META C("1", "f", "'{}'") O("1", "%s"), recorded);
	buf_addf(&want, "1 tool %s \"f {}%s%s\"\n2 of 1\n", status,
		 *text == '\0' ? "" : "\n--- output ---\n", text);
	check(recorded, want.data, file.data);
	buf_release(&file);
	buf_release(&want);
}

static void
check_outputs(void)
{
	output("'x'", "ok", "x");
	output("''", "ok", "");
	output("null", "ok", "");
	output("[{'type':'input_text','text':'a'},{'type':'input_image'},"
	       "{'type':'output_text','text':'b'},{'type':'text','text':'c'}]",
	       "ok", "a\n[image]\nb\nc");
	output("[{'type':'input_image','image_url':'data:image\\/"
	       "png;base64,AA'},"
	       "{'type':'input_file','file_data':'data:application/pdf,x'},"
	       "{'type':'input_file','file_data':'AA'},{'type':'input_image',"
	       "'image_url':'https://x/y.png'},{'type':'input_image',"
	       "'image_url':'data:;base64,AA'}]",
	       "ok",
	       "[image image/png]\n[document application/pdf]\n[document]\n"
	       "[image]\n[image]");
	output("{'content':'x'}", "ok", "x");
	output("{'content':'x','success':true}", "ok", "x");
	output("{'content':'x','success':false}", "error", "x");
	output("{'content':[{'type':'text','text':'x'}],'success':false}",
	       "error", "x");
	output("{'success':'false'}", "ok", "");

	output("'{\\'output\\':\\'x\\\\n\\',\\'metadata\\':"
	       "{\\'exit_code\\':0}}'",
	       "ok", "x\n");
	output("' {\\'metadata\\':{\\'exit_code\\':1},\\'output\\':\\'\\'}\\n'",
	       "error", "");
	output("'{\\'output\\':\\'x\\',\\'metadata\\':{\\'exit_code\\':0.0}}'",
	       "ok", "x");
	output("'{\\'output\\':\\'x\\',\\'metadata\\':{\\'exit_code\\':1e99}}'",
	       "error", "x");
	output("'{\\'output\\':\\'x\\',\\'metadata\\':"
	       "{\\'exit_code\\':\\'1\\'}}'",
	       "ok", "x");
	output("'{\\'output\\':\\'Exit code: 1\\\\nOutput:\\'}'", "ok",
	       "Exit code: 1\nOutput:");
	output("'{\\'output\\':1,\\'metadata\\':{\\'exit_code\\':1}}'", "ok",
	       "{\"output\":1,\"metadata\":{\"exit_code\":1}}");
	output("'{\\'output\\':\\'x\\'} y'", "ok", "{\"output\":\"x\"} y");

	output("'Exit code: 0\\nWall time: 1 s\\nOutput:\\nx'", "ok",
	       "Exit code: 0\nWall time: 1 s\nOutput:\nx");
	output("'Exit code: 2\\nOutput:\\nx'", "error",
	       "Exit code: 2\nOutput:\nx");
	output("'a\\nProcess exited with code -1\\nOutput:'", "error",
	       "a\nProcess exited with code -1\nOutput:");
	output("'Process exited with code 00\\nOutput:\\n'", "ok",
	       "Process exited with code 00\nOutput:\n");
	output("'Exit code: 1\\nProcess exited with code 0\\nOutput:'", "error",
	       "Exit code: 1\nProcess exited with code 0\nOutput:");
	output("'Output:\\nExit code: 2'", "ok", "Output:\nExit code: 2");
	output("'Exit code: 2'", "ok", "Exit code: 2");
	output("'Exit code: 2\\nOutput: x'", "ok", "Exit code: 2\nOutput: x");
	output("'Exit code: 2 \\nOutput:'", "ok", "Exit code: 2 \nOutput:");
	output("'Exit code: \\nOutput:'", "ok", "Exit code: \nOutput:");
	output("'Exit code: x\\nExit code: 1\\nOutput:'", "error",
	       "Exit code: x\nExit code: 1\nOutput:");
	output("'Exit code: 1\\n2\\n3\\n4\\n5\\n6\\n7\\n8\\n9\\nOutput:'",
	       "error", "Exit code: 1\n2\n3\n4\n5\n6\n7\n8\n9\nOutput:");
	output("'Exit code: 1\\n2\\n3\\n4\\n5\\n6\\n7\\n8\\n9\\n\\nOutput:'",
	       "ok", "Exit code: 1\n2\n3\n4\n5\n6\n7\n8\n9\n\nOutput:");
}

/* ---- sessions ---------------------------------------------------------- */

static void
check_id(const char *first, const char *want)
{
	struct buf scratch = BUF_INIT;
	struct str id = codex_decoder.session_id(str_of(first), &scratch);

	is_bytes(id.s, id.n, want, strlen(want), first);
	buf_release(&scratch);
}

int
main(void)
{
	check_slots();
	check_flat();
	check_logs();
	check_rollbacks();
	check_contexts();
	check_others();
	check_elements();
	check_labels();
	check_failures();
	check_calls();
	check_outputs();
	check_id("{\"type\":\"session_meta\",\"payload\":{\"id\":\"a\","
		 "\"forked_from_id\":\"b\"}}",
		 "a");
	check_id("{\"id\":\"\\u0061\",\"timestamp\":\"t\"}", "a");
	check_id("{\"type\":\"session_meta\",\"payload\":{},\"id\":\"x\"}", "");
	return done();
}

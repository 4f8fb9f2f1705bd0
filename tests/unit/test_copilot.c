/* Copilot CLI's transcripts: spec/more-hosts.md. */
#include "transcript/copilot.h"

#include "show_quoted.h"

#define START "{'type':'session.start','data':{},'id':'0'}\n"
#define EVENT(id, type, data) \
	"{'type':'" type "','data':{" data "},'id':'" id "'}\n"
#define USER(id, text) EVENT(id, "user.message", "'content':'" text "'")

static void
check(const char *name, const char *text, const char *want)
{
	check_leaf(&copilot_decoder, name, text, "", want);
}

static void
check_slots(void)
{
	check("3.2: each kind of record takes its slots",
	      START USER("1", "hi") EVENT(
		      "2", "assistant.message",
		      "'content':'a','toolRequests':[{'toolCallId':'c1','name':"
		      "'bash','arguments':{'command':'ls'}},null,7,{'"
		      "toolCallId':"
		      "'c2','name':'view'}]") EVENT("3", "tool.execution_start",
						    "'toolCallId':'c1'")
		      EVENT("4", "tool.execution_complete",
			    "'toolCallId':'c2','success':true,'result':{'"
			    "content':"
			    "'two'}") EVENT("5", "tool.execution_complete",
					    "'toolCallId':'c1','success':"
					    "true,'result':{'content':"
					    "'one'}") EVENT("6",
							    "tool.user_"
							    "requested",
							    "'toolName':'"
							    "shell','"
							    "toolCallId':'c3'"
							    ",'arguments':"
							    "{'command':'pwd'"
							    "}") EVENT("7",
								       "sessi"
								       "on."
								       "compa"
								       "ction"
								       "_comp"
								       "lete",
								       "'succ"
								       "ess':"
								       "true,"
								       "'summ"
								       "aryCo"
								       "ntent"
								       "':'"
								       "sum'")
			      EVENT("8", "system.notification",
				    "'content':'note'") EVENT("9",
							      "skill.invoked",
							      "'content':'"
							      "skill'")
				      EVENT("10", "session.handoff",
					    "'context':'ctx'") EVENT("11",
								     "session."
								     "handoff",
								     "'summary'"
								     ":'s','"
								     "context':"
								     "'c'")
					      EVENT("12", "system.message",
						    "'role':'developer','"
						    "content':'dev'") EVENT("1"
									    "3",
									    "sy"
									    "st"
									    "em"
									    ".m"
									    "es"
									    "sa"
									    "g"
									    "e",
									    "'r"
									    "ol"
									    "e'"
									    ":'"
									    "sy"
									    "st"
									    "em"
									    "',"
									    "'c"
									    "on"
									    "te"
									    "nt"
									    "':"
									    "'s"
									    "ys"
									    "'")
						      EVENT("14",
							    "assistant."
							    "reasoning",
							    "'content':'x'")
							      EVENT("15",
								    "abort",
								    "'reason':'"
								    "x'"),
	      "1 user \"hi\"\n2 assistant \"a\"\n"
	      "3 tool ok \"bash {\"command\":\"ls\"}\n--- output ---\none\"\n"
	      "4 tool ok \"view (arguments not recorded)\n--- output ---\n"
	      "two\"\n5 of 4\n6 of 3\n"
	      "7 tool unfinished \"shell {\"command\":\"pwd\"}\"\n"
	      "8 context \"sum\"\n9 context \"note\"\n10 context \"skill\"\n"
	      "11 context \"ctx\"\n12 context \"s\"\n13 context \"dev\"\n");
	check("3.2: what a sub-agent did takes none",
	      START
	      "{'type':'user.message','data':{'content':'x'},'id':'1',"
	      "'agentId':'sub'}\n" EVENT("2", "assistant.message",
					 "'content':'x','parentToolCallId':'"
					 "c'") "{'type':'user.message','data'"
					       ":{'content':'y'},'id':'3',"
					       "'agentId':''}\n",
	      "1 user \"y\"\n");
	check("3.1: the first record of an id wins",
	      START USER("1", "a") USER("1", "b") USER("2", "c"),
	      "1 user \"a\"\n2 user \"c\"\nrepeated 1\n");
	check("9: wrongly typed members are not members",
	      START EVENT("1", "assistant.message",
			  "'content':7,'toolRequests':{}")
		      EVENT("2", "user.message",
			    "'content':[],'attachments':{}") "{'type':'user."
							     "message','data':["
							     "],'id':'3'}"
							     "\n" EVENT("4",
									"tool."
									"execut"
									"ion_"
									"comple"
									"te",
									"'resul"
									"t':["
									"]"),
	      "1 assistant \"\"\n2 user \"\"\n3 user \"\"\n"
	      "4 tool ok \"unknown (arguments not recorded)\"\n");
}

static void
check_branch(void)
{
	check("3.3: a rewind by ids retires what they name",
	      START USER("1", "a") USER("2", "b") USER("3", "c")
		      EVENT("4", "session.snapshot_rewind",
			    "'eventIds':['2','x']") USER("5", "d"),
	      "1 user \"a\"\n2 off\n3 user \"c\"\n4 user \"d\"\n");
	check("3.3: and by an event all from there on",
	      START USER("1", "a") USER("2", "b") USER("3", "c")
		      EVENT("4", "session.snapshot_rewind", "'upToEventId':'2'")
			      USER("5", "d"),
	      "1 user \"a\"\n2 off\n3 off\n4 user \"d\"\n");
	check("3.3: an unknown event retires nothing",
	      START USER("1", "a") EVENT("4", "session.snapshot_rewind",
					 "'upToEventId':'nix'"),
	      "1 user \"a\"\n");
	check_leaf(&copilot_decoder, "2.1: CTX_LEAF is ignored",
		   START USER("1", "a") USER("2", "b"), "1",
		   "1 user \"a\"\n2 user \"b\"\n");
}

static void
check_facts(void)
{
	check("12: pictures and documents leave a mark",
	      START EVENT("1", "user.message",
			  "'content':'hi','transformedContent':'no',"
			  "'attachments':[{'mimeType':'image/png'},"
			  "{'mimeType':'application/pdf'},{'mimeType':7}]"),
	      "1 user \"hi\n[image image/png]\n[document application/pdf]\"\n");
	check("3.4: who speaks in the user's name",
	      START EVENT("1", "user.message",
			  "'content':'a','isAutopilotContinuation':true")
		      EVENT("2", "user.message",
			    "'content':'b','source':'hook'")
			      EVENT("3", "user.message",
				    "'content':'c','source':'user'")
				      EVENT("4", "user.message",
					    "'content':'d','source':''")
					      USER("5", "<context_window> x"),
	      "1 context \"a\"\n2 context \"b\"\n3 user \"c\"\n4 user \"d\"\n"
	      "5 context \"<context_window> x\"\n");
	check("12: a status that is not 0 is an error, whatever success says",
	      START EVENT("1", "tool.execution_complete",
			  "'toolCallId':'c','success':true,'shellExecution':"
			  "{'exitCode':3},'result':{'content':'x'}")
		      EVENT("2", "tool.execution_complete",
			    "'success':false,'error':{'message':'no'}")
			      EVENT("3", "tool.execution_complete",
				    "'success':true,'shellExecution':{'"
				    "exitCode':0},'result':"
				    "{'content':'y','binaryResultsForLlm':[{'"
				    "mimeType':"
				    "'image/png'}]}"),
	      "1 tool error \"unknown (arguments not recorded)\n"
	      "--- output ---\nx\"\n"
	      "2 tool error \"unknown (arguments not recorded)\n"
	      "--- output ---\nno\"\n"
	      "3 tool ok \"unknown (arguments not recorded)\n"
	      "--- output ---\ny\n[image image/png]\"\n");
}

/* Further rows of the tables, one line or few each. */
static void
check_rows(void)
{
	static const char *const none[] = { "session.resume",
					    "session.model_change",
					    "session.error",
					    "system.message",
					    "tool.execution_start",
					    "tool.execution_progress",
					    "assistant.reasoning",
					    "assistant.turn_start",
					    "assistant.turn_end",
					    "hook.start",
					    "hook.end",
					    "permission.requested",
					    "model.call",
					    "subagent.started",
					    "abort",
					    "unknown.type",
					    "session.snapshot_rewind" };
	struct buf text = BUF_INIT;

	buf_adds(&text, START);
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		buf_addf(&text,
			 "{'type':'%s','id':'n%d','data':{'content':'x',"
			 "'toolCallId':'c','toolName':'f'}}\n",
			 none[i], (int)i);
	buf_adds(&text, USER("1", "a"));
	check("3.2: everything else takes none", text.data, "1 user \"a\"\n");
	buf_release(&text);
	check("3.2: who is a sub-agent: a non-empty agentId, any parent call",
	      START
	      "{'type':'user.message','id':'1','agentId':7,'data':{'content':'"
	      "a'}}\n" EVENT("2", "user.message",
			     "'content':'x','parentToolCallId':''")
		      EVENT("3", "user.message",
			    "'content':'b','parentToolCallId':null"),
	      "1 user \"a\"\n2 user \"b\"\n");
	check("3.2: a compaction that failed is an event, too",
	      START EVENT("1", "session.compaction_complete",
			  "'success':false,'error':'no'"),
	      "1 context \"\"\n");
	check("3.3: eventIds, when there are any, and else upToEventId",
	      START USER("1", "a") USER("2", "b")
		      EVENT("3", "session.snapshot_rewind",
			    "'eventIds':[],'upToEventId':'1'")
			      EVENT("4", "session.snapshot_rewind",
				    "'eventIds':[7,null],'upToEventId':'1'")
				      EVENT("5", "session.snapshot_rewind",
					    "'eventIds':'1','upToEventId':'2'"),
	      "1 user \"a\"\n2 off\n");
	check("3.3: a result whose call was rewound stands alone",
	      START EVENT("1", "assistant.message",
			  "'content':'','toolRequests':[{'toolCallId':'c','"
			  "name':'f'}]")
		      EVENT("2", "session.snapshot_rewind", "'eventIds':['1']")
			      EVENT("3", "tool.execution_complete",
				    "'toolCallId':'c','success':true,'result':{"
				    "'content':'x'}"),
	      "1 off\n2 off\n3 tool ok \"unknown (arguments not recorded)\n"
	      "--- output ---\nx\"\n");
	check("3.4: an attachment alone; what is not a picture; a source of no "
	      "text",
	      START EVENT("1", "user.message",
			  "'attachments':[{'mimeType':'IMAGE/png'},7,"
			  "{'mimeType':'no type'}],'source':7"),
	      "1 user \"[document IMAGE/png]\n[document]\"\n");
	check("3.4: what makes a result an error, and what does not",
	      START EVENT("1", "tool.execution_complete",
			  "'shellExecution':{'exitCode':'3'}")
		      EVENT("2", "tool.execution_complete",
			    "'success':'false','shellExecution':{'exitCode':0."
			    "0}") EVENT("3", "tool.execution_complete",
					"'success':true,'shellExecution':{'"
					"exitCode':-1}")
			      EVENT("4", "tool.execution_complete",
				    "'success':false,'result':{'content':'x'},"
				    "'error':{'message':'y'}"),
	      "1 tool ok \"unknown (arguments not recorded)\"\n"
	      "2 tool ok \"unknown (arguments not recorded)\"\n"
	      "3 tool error \"unknown (arguments not recorded)\"\n"
	      "4 tool error \"unknown (arguments not recorded)\n"
	      "--- output ---\nx\"\n");
	check("3.4: arguments that were not JSON are {}, and of a text stay "
	      "one",
	      START EVENT("1", "assistant.message",
			  "'toolRequests':[{'toolCallId':'a','name':'f','"
			  "arguments':{}},"
			  "{'toolCallId':'b','name':'','arguments':'x'}]"),
	      "1 assistant \"\"\n2 tool unfinished \"f {}\"\n"
	      "3 tool unfinished \"unknown \"x\"\"\n");
}

/* What a result tells of a text that was cut. */
static void
check_result(const char *name, const char *text, bool truncated,
	     const char *path)
{
	/* As parts() tells of a result. */
	struct part part = { .span = str_of(text), .known = 4 };
	struct result_facts facts = { .name = BUF_INIT, .path = BUF_INIT };

	copilot_decoder.result(&part, &facts);
	ok(facts.truncated == truncated, "3.4: %s", name);
	is_string(facts.path.len > 0 ? facts.path.data : "", path, "its path");
	buf_release(&facts.name);
	buf_release(&facts.path);
}

#define LARGE(value) \
	"{\"toolTelemetry\":{\"properties\":{\"largeOutputHandled\":" value "}}"
#define SAVED "Output too large to read at once (3 MB). Saved to: /tmp/a b.txt"
#define CONTENT(text) ",\"result\":{\"content\":\"" text "\"}}"

/* Where the whole of a cut text lies. */
static void
check_truncation(void)
{
	check_result("a large output was cut, and lies there",
		     LARGE("\"true\"") CONTENT(SAVED "\\nrest"), true,
		     "/tmp/a b.txt");
	check_result("its first line may be its last",
		     LARGE("\"true\"") CONTENT(SAVED), true, "/tmp/a b.txt");
	check_result("a first line that says no place",
		     LARGE("\"true\"") CONTENT("x\\n" SAVED), true, "");
	check_result("the text alone says nothing",
		     "{\"x\":0" CONTENT(SAVED "\\nrest"), false, "");
	check_result("a flag of another kind is none",
		     LARGE("true") CONTENT(SAVED), false, "");
}

int
main(void)
{
	check_slots();
	check_branch();
	check_facts();
	check_rows();
	check_truncation();
	return done();
}

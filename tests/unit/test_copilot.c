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
	check("9: wrongly typed members are no members",
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

/* Where the whole of a cut text lies. */
static void
check_truncation(void)
{
	static const char text[] =
		"{\"toolTelemetry\":{\"properties\":{\"largeOutputHandled\":"
		"\"true\"}},\"result\":{\"content\":\"Output too large to read "
		"at once (3 MB). Saved to: /tmp/a b.txt\\nrest\"}}";
	struct part part = { .span = str_of(text), .known = 4 };
	struct result_facts facts = { .name = BUF_INIT, .path = BUF_INIT };

	copilot_decoder.result(&part, &facts);
	ok(facts.truncated, "3.4: a large output was cut");
	is_string(facts.path.data, "/tmp/a b.txt", "and lies there");
	buf_release(&facts.name);
	buf_release(&facts.path);

	/* The text alone says nothing. */
	part.span = str_of(
		"{\"result\":{\"content\":\"Output too large to read "
		"at once (3 MB). Saved to: /tmp/a\\nrest\"}}");
	facts = (struct result_facts){ .name = BUF_INIT, .path = BUF_INIT };
	copilot_decoder.result(&part, &facts);
	ok(!facts.truncated && facts.path.len == 0, "3.4: and one was not");
	buf_release(&facts.name);
	buf_release(&facts.path);
}

int
main(void)
{
	check_slots();
	check_branch();
	check_facts();
	check_truncation();
	return done();
}

/*
 * Transcripts of shapes that tempt to read much of them again for each event
 * (spec/history.md section 10): calls, or their results, in few large records.
 * Twice as many may cost twice as much, and not four times.
 */
#include <stdarg.h>

#include "counted.h"
#include "transcript/hosts.h"

/* Adds text that is written with ' for ". */
__attribute__((format(printf, 2, 3))) static void
add(struct buf *out, const char *format, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	for (const char *c = text; *c != '\0'; c++)
		buf_addc(out, *c == '\'' ? '"' : *c);
}

/* Every second number below n, as elements: # in form stands for it. */
static void
add_elements(struct buf *out, unsigned first, unsigned n, const char *form)
{
	for (unsigned i = first; i < n; i += 2) {
		struct buf element = BUF_INIT;

		for (const char *c = form; *c != '\0'; c++)
			if (*c == '#')
				buf_addf(&element, "%u", i);
			else
				buf_addc(&element, *c);
		add(out, "%s%s", i == first ? "" : ",", element.data);
		buf_release(&element);
	}
}

static void
pi_calls(struct buf *out, unsigned n)
{
	add(out, "{'type':'session','version':3,'id':'s'}\n");
	for (unsigned k = 0; k < 2; k++) {
		add(out,
		    "{'type':'message','id':'a%u','parentId':%s,'message':{"
		    "'role':'assistant','content':[",
		    k, k == 0 ? "null" : "'a0'");
		add_elements(out, k, n,
			     "{'type':'toolCall','id':'c#','name':'f'}");
		add(out, "]}}\n");
	}
	for (unsigned i = 0; i < n; i++)
		add(out,
		    "{'type':'message','id':'r%u','parentId':'%s%u','message':{"
		    "'role':'toolResult','toolCallId':'c%u','content':'x'}}\n",
		    i, i == 0 ? "a" : "r", i == 0 ? 1 : i - 1, i);
}

static void
claude_calls(struct buf *out, unsigned n)
{
	for (unsigned k = 0; k < 2; k++) {
		add(out,
		    "{'type':'assistant','uuid':'a%u','parentUuid':%s,"
		    "'message':{'content':[",
		    k, k == 0 ? "null" : "'a0'");
		add_elements(out, k, n,
			     "{'type':'tool_use','id':'c#','name':'f'}");
		add(out, "]}}\n");
	}
	for (unsigned k = 0; k < 2; k++) {
		add(out,
		    "{'type':'user','uuid':'r%u','parentUuid':'%s','message':{"
		    "'content':[",
		    k, k == 0 ? "a1" : "r0");
		add_elements(out, k, n,
			     "{'type':'tool_result','tool_use_id':'c#'}");
		add(out, "]}}\n");
	}
}

static void
copilot_calls(struct buf *out, unsigned n)
{
	add(out, "{'type':'session.start','data':{},'id':'s'}\n");
	for (unsigned k = 0; k < 2; k++) {
		add(out,
		    "{'type':'assistant.message','id':'a%u','data':{"
		    "'content':'','toolRequests':[",
		    k);
		add_elements(out, k, n, "{'toolCallId':'c#','name':'f'}");
		add(out, "]}}\n");
	}
	for (unsigned i = 0; i < n; i++)
		add(out,
		    "{'type':'tool.execution_complete','id':'r%u','data':{"
		    "'toolCallId':'c%u'}}\n",
		    i, i);
}

static void
qwen_calls(struct buf *out, unsigned n)
{
	for (unsigned k = 0; k < 2; k++) {
		add(out,
		    "{'uuid':'a%u','type':'assistant','message':{'parts':[", k);
		add_elements(out, k, n,
			     "{'functionCall':{'id':'c#','name':'f'}}");
		add(out, "]}}\n");
	}
	for (unsigned k = 0; k < 2; k++) {
		add(out,
		    "{'uuid':'r%u','type':'tool_result','message':{'parts':[",
		    k);
		add_elements(out, k, n,
			     "{'functionResponse':{'id':'c#','name':'f'}}");
		add(out, "]}}\n");
	}
}

static void
gemini_calls(struct buf *out, unsigned n)
{
	add(out, "{'sessionId':'s','projectHash':'h'}\n");
	for (unsigned k = 0; k < 2; k++) {
		add(out, "{'id':'a%u','type':'gemini','toolCalls':[", k);
		add_elements(out, k, n, "{'id':'c#','name':'f'}");
		add(out, "]}\n");
	}
}

/* The calls of one message, every second one of which is told of again. */
static void
gemini_again(struct buf *out, unsigned n)
{
	add(out, "{'sessionId':'s','projectHash':'h'}\n");
	for (unsigned k = 0; k < 3; k++) {
		add(out, "{'id':'a','type':'gemini','toolCalls':[");
		add_elements(out, k % 2, n, "{'id':'c#','name':'f'}");
		add(out, "]}\n");
	}
}

/* Messages that one record brings, and the next. */
static void
gemini_sets(struct buf *out, unsigned n)
{
	add(out, "{'sessionId':'s','projectHash':'h'}\n");
	for (unsigned k = 0; k < 2; k++) {
		add(out, "{'$set':{'messages':[");
		add_elements(out, k, n, "{'id':'m#','type':'gemini'}");
		add(out, "]}}\n");
	}
}

static const struct shape {
	const char *host, *name;
	void (*add)(struct buf *out, unsigned n);
	size_t more; /* events besides those that are counted */
} shapes[] = {
	{ "pi", "calls", pi_calls, 2 },
	{ "claude", "calls and results", claude_calls, 2 },
	{ "copilot", "calls", copilot_calls, 2 },
	{ "qwen", "calls and results", qwen_calls, 2 },
	{ "gemini", "calls", gemini_calls, 2 },
	{ "gemini", "calls, told of again", gemini_again, 1 },
	{ "gemini", "messages of a $set", gemini_sets, 0 },
};

static void
check(const struct shape *shape, bool turns)
{
	const struct decoder *decoder =
		hosts_find(str_of(shape->host))->decoder;
	struct buf text = BUF_INIT;
	uint64_t bytes[2];
	size_t events;

	for (unsigned k = 0; k < 2; k++) {
		buf_reset(&text);
		shape->add(&text, 500u << k);
		bytes[k] = counted_load(decoder, buf_str(&text), turns,
					&events);
		is_int((long long)events,
		       (long long)((500u << k) + shape->more),
		       "all are loaded");
	}
	ok(bytes[1] < 3 * bytes[0],
	   "%s: %s in two records%s: %llu bytes, then %llu", shape->host,
	   shape->name, turns ? ", by turns" : "", (unsigned long long)bytes[0],
	   (unsigned long long)bytes[1]);
	buf_release(&text);
}

int
main(void)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		check(&shapes[i], false);
		check(&shapes[i], true);
	}
	return done();
}

#include "transcript/qwen_live.h"

#include <string.h>

#include "base/json_span.h"
#include "base/utf8.h"
#include "transcript/lines.h"

/* Whether it is the name of the tool, with that of its server before it. */
static bool
is_name(struct str raw, struct str tool)
{
	struct buf scratch = BUF_INIT;
	struct str name = json_text(raw, &scratch);
	bool is = str_ends(name, tool) &&
		  str_ends((struct str){ name.s, name.n - tool.n }, STR("__"));

	buf_release(&scratch);
	return is;
}

static bool
has_arguments(struct str value, struct str arguments)
{
	struct buf own = BUF_INIT;
	bool has;

	if (json_kind(value) != JSON_NONE)
		json_canonical(value, &own);
	has = str_eq(buf_str(&own), arguments);
	buf_release(&own);
	return has;
}

/* The calls of an answer: those before it are done with. */
static void
take_calls(struct live_trace *trace, struct str parts,
	   const struct live_call *call)
{
	static const char *const names[] = { "name", "args", "id" };
	struct json_iter it = json_iterate(parts);
	struct str part, v[3];

	trace->n = 0;
	while (json_next_element(&it, &part)) {
		json_get_many(json_get(part, "functionCall"), names, v, 3);
		if (trace->n < LIVE_MOST && json_kind(v[2]) == JSON_STRING &&
		    is_name(v[0], call->tool) &&
		    has_arguments(v[1], call->arguments))
			trace->ids[trace->n++] = v[2];
	}
}

static bool
same_text(struct str a, struct str b)
{
	struct buf x = BUF_INIT, y = BUF_INIT;
	bool same = str_eq(json_text(a, &x), json_text(b, &y));

	buf_release(&x);
	buf_release(&y);
	return same;
}

static void
take_results(struct live_trace *trace, struct str parts)
{
	struct json_iter it = json_iterate(parts);
	struct str part, id;

	while (json_next_element(&it, &part)) {
		id = json_get(json_get(part, "functionResponse"), "id");
		for (size_t i = 0; i < trace->n && id.n > 0;)
			if (same_text(id, trace->ids[i]))
				trace->ids[i] = trace->ids[--trace->n];
			else
				i++;
	}
}

void
qwen_live_follow(struct live_trace *trace, struct str line,
		 const struct live_call *call)
{
	static const char *const names[] = { "type", "isSidechain", "message" };
	struct str record, v[3], parts;

	if (!lines_parse(line, &record))
		return;
	json_get_many(record, names, v, 3);
	parts = json_get(v[2], "parts");
	if (json_is_true(v[1]))
		return;
	if (json_string_is(v[0], "assistant"))
		take_calls(trace, parts, call);
	else if (json_string_is(v[0], "tool_result"))
		take_results(trace, parts);
}

void
qwen_live_folder(struct str directory, struct buf *out)
{
	size_t i = 0;

	while (i < directory.n) {
		char c = directory.s[i];
		uint32_t cp = 0;
		unsigned n = utf8_decode(directory.s + i, directory.n - i, &cp);

		if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
		    (c >= '0' && c <= '9'))
			buf_addc(out, c);
		else
			/* One for each unit of UTF-16. */
			buf_adds(out, cp > 0xffff ? "--" : "-");
		i += n > 0 ? n : 1;
	}
	buf_adds(out, "/chats");
}

#include "transcript/claude_live.h"

#include <string.h>

#include "base/json_span.h"
#include "transcript/lines.h"

void
claude_live_follow(struct live_trace *trace, struct str line,
		   const struct live_call *call)
{
	struct buf scratch = BUF_INIT;
	struct str record, block, id;
	struct json_iter it;

	if (trace->n > 0 ||
	    memmem(line.s, line.n, call->id.s, call->id.n) == NULL ||
	    !lines_parse(line, &record) ||
	    !json_string_is(json_get(record, "type"), "assistant") ||
	    json_is_true(json_get(record, "isSidechain")))
		return;
	it = json_iterate(json_get(json_get(record, "message"), "content"));
	while (trace->n == 0 && json_next_element(&it, &block)) {
		id = json_get(block, "id");
		if (json_string_is(json_get(block, "type"), "tool_use") &&
		    str_eq(json_text(id, &scratch), call->id))
			trace->ids[trace->n++] = id;
	}
	buf_release(&scratch);
}

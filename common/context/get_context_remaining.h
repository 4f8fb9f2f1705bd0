#ifndef CONTEXT_GET_CONTEXT_REMAINING_H
#define CONTEXT_GET_CONTEXT_REMAINING_H

#include "context/agents.h"
#include "tool/declare.h"

/* get_context_remaining: spec/context.md section 5. */
struct get_context_remaining_result {
	int64_t remaining_tokens; /* FIELD_NONE: unknown */
	char *window_id, *agent_name;
	struct field_list agents;
	bool has_more;		    /* some did not fit */
	struct field_list warnings; /* v NULL: none */

	char *names; /* what agents are of */
	struct str all[AGENTS_MOST];
	size_t n;
	struct buf advice;
	struct str *lines;
};

int get_context_remaining_run(const struct tool_call *call, void *result,
			      struct fail *fail);
void get_context_remaining_text(const void *result, struct buf *out);
void get_context_remaining_release(void *result);

#endif /* CONTEXT_GET_CONTEXT_REMAINING_H */

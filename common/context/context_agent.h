#ifndef CONTEXT_CONTEXT_AGENT_H
#define CONTEXT_CONTEXT_AGENT_H

#include "tool/declare.h"

/* context-agent: spec/context.md section 2.2. */
struct context_agent_args {
	struct arg_enum action; /* of context_agent_actions */
	struct arg_string agent_name, session, session_file;
};
extern const char *const context_agent_actions[]; /* list, register */

struct context_agent_row {
	char *agent_name, *session;
	char *session_file; /* NULL: none */
	char *window_id;
};

struct context_agent_result {
	int action;
	char *agent_name; /* NULL: of a list */
	bool created;
	struct field_list agents;
	bool has_more; /* some did not fit */

	struct context_agent_row *owned;
	size_t n;
	char *session; /* that was registered */
};

int context_agent_run(const struct tool_call *call, void *result,
		      struct fail *fail);
void context_agent_text(const void *result, struct buf *out);
void context_agent_release(void *result);

#endif /* CONTEXT_CONTEXT_AGENT_H */

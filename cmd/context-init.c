/* context-init - begin or resume a session's context windows. */
#include "context/decide.h"
#include "context/host.h"
#include "context/parameters.h"

static const struct param params[] = { PARAM_END };

static const struct field fields[] = {
	{ MEMBER(HOST_AT, agent_name, FIELD_CHARS) },
	{ MEMBER(HOST_AT, window_id, FIELD_CHARS) },
	{ MEMBER(HOST_AT, window_number, FIELD_INTEGER) },
	{ MEMBER(HOST_AT, first_window_id, FIELD_CHARS) },
	{ MEMBER(HOST_AT, previous_window_id, FIELD_CHARS), .nullable = true },
	HOST_PHASE,
	{ MEMBER(HOST_AT, transcript_found, FIELD_BOOLEAN) },
	HOST_MESSAGES,
	FIELD_END
};

static const struct tool tool = {
	.name = "context_init",
	.title = "Init context",
	.family = "context",
	.description = "Begins or resumes the life of context windows in a "
		       "session: repairs what a crash left, and returns the "
		       "identity of the window.",
	.sequential = true,
	.writes = true,
	.params = params,
	.facts = CONTEXT_FACTS,
	.result = fields,
	.result_size = sizeof(struct host_result),
	.run = context_init_run,
	.text = context_init_text,
	.release = host_release,
};

TOOL_MAIN(tool)

/* context-init - begin or resume a session's context windows. */
#include "context/decide.h"
#include "context/host.h"
#include "context/parameters.h"

static const struct param params[] = { PARAM_END };

static const struct field fields[] = { { .name = "agent_name",
					 .type = FIELD_CHARS,
					 .offset = HOST_AT(agent_name) },
				       { .name = "window_id",
					 .type = FIELD_CHARS,
					 .offset = HOST_AT(window_id) },
				       { .name = "window_number",
					 .type = FIELD_INTEGER,
					 .offset = HOST_AT(window_number) },
				       { .name = "first_window_id",
					 .type = FIELD_CHARS,
					 .offset = HOST_AT(first_window_id) },
				       { .name = "previous_window_id",
					 .type = FIELD_CHARS,
					 .offset = HOST_AT(previous_window_id),
					 .nullable = true },
				       HOST_PHASE,
				       { .name = "transcript_found",
					 .type = FIELD_BOOLEAN,
					 .offset = HOST_AT(transcript_found) },
				       HOST_MESSAGES,
				       FIELD_END };

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

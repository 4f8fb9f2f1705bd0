/* context-settle - ask what to do when the agent has settled. */
#include "context/decide.h"
#include "context/host.h"
#include "context/parameters.h"

#define AT(member) offsetof(struct context_settle_args, member)

static const struct param params[] = {
	{ MEMBER(AT, idle, PARAM_BOOLEAN), .has_fallback = true, .fallback = 1,
	  .help = "The agent waits for the user." },
	PARAM_END
};

static const struct field fields[] = { { MEMBER(HOST_AT, action, FIELD_CHARS),
					 .help = "none, resend or roll." },
				       { MEMBER(HOST_AT, window_id,
						FIELD_CHARS) },
				       HOST_PHASE,
				       HOST_MESSAGES,
				       FIELD_END };

static const struct tool tool = {
	.name = "context_settle",
	.title = "Settle",
	.family = "context",
	.description =
		"Says what to do once the agent has settled: send messages "
		"again, roll the window over, or nothing.",
	.sequential = true,
	.writes = true,
	.params = params,
	.facts = CONTEXT_FACTS,
	.args_size = sizeof(struct context_settle_args),
	.result = fields,
	.result_size = sizeof(struct host_result),
	.run = context_settle_run,
	.text = context_settle_text,
	.release = host_release,
};

TOOL_MAIN(tool)

/* context-commit - report what became of a rollover. */
#include "context/decide.h"
#include "context/host.h"
#include "context/parameters.h"

#define AT(member) offsetof(struct context_commit_args, member)

static const char *const outcomes[] = { "committed", "failed", "aborted",
					NULL };

static const struct param params[] = {
	{ MEMBER(AT, outcome, PARAM_ENUM), .required = true, .values = outcomes,
	  .help = "What became of it." },
	{ MEMBER(AT, window_id, PARAM_STRING), .required = true,
	  .help = "The window that context-compact gave." },
	{ MEMBER(AT, idle, PARAM_BOOLEAN), .has_fallback = true, .fallback = 1,
	  .help = "The agent waits for the user." },
	PARAM_END
};

static const struct field fields[] = {
	{ MEMBER(HOST_AT, status, FIELD_CHARS),
	  .help = "committed, failed, aborted or ignored." },
	{ MEMBER(HOST_AT, window_id, FIELD_CHARS),
	  .help = "The current one afterwards." },
	{ MEMBER(HOST_AT, previous_window_id, FIELD_CHARS), .nullable = true },
	HOST_PHASE,
	HOST_MESSAGES,
	FIELD_END
};

static const struct tool tool = {
	.name = "context_commit",
	.title = "Commit",
	.family = "context",
	.description = "Records after a compaction whether the rollover has "
		       "happened.",
	.sequential = true,
	.writes = true,
	.params = params,
	.operand = "outcome",
	.facts = CONTEXT_FACTS,
	.args_size = sizeof(struct context_commit_args),
	.result = fields,
	.result_size = sizeof(struct host_result),
	.run = context_commit_run,
	.text = context_commit_text,
	.release = host_release,
};

TOOL_MAIN(tool)

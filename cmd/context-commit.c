/* context-commit - tell what became of a rollover. */
#include "context/decide.h"
#include "context/host.h"
#include "context/parameters.h"

#define AT(member) offsetof(struct context_commit_args, member)

static const char *const outcomes[] = { "committed", "failed", "aborted",
					NULL };

static const struct param params[] = {
	{ .name = "outcome",
	  .type = PARAM_ENUM,
	  .offset = AT(outcome),
	  .required = true,
	  .values = outcomes,
	  .help = "What became of it." },
	{ .name = "window_id",
	  .type = PARAM_STRING,
	  .offset = AT(window_id),
	  .required = true,
	  .help = "The window that context-compact gave." },
	{ .name = "idle",
	  .type = PARAM_BOOLEAN,
	  .offset = AT(idle),
	  .has_fallback = true,
	  .fallback = 1,
	  .help = "The agent waits for the user." },
	PARAM_END
};

static const struct field fields[] = {
	{ .name = "status",
	  .type = FIELD_CHARS,
	  .offset = HOST_AT(status),
	  .help = "committed, failed, aborted or ignored." },
	{ .name = "window_id",
	  .type = FIELD_CHARS,
	  .offset = HOST_AT(window_id),
	  .help = "The current one afterwards." },
	{ .name = "previous_window_id",
	  .type = FIELD_CHARS,
	  .offset = HOST_AT(previous_window_id),
	  .nullable = true },
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

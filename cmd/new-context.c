/* new-context - ask for a fresh context window. */
#include "context/new_context.h"
#include "context/parameters.h"

#define IN_RESULT(member) offsetof(struct new_context_result, member)

static const char *const statuses[] = { "requested", NULL };

static const struct param params[] = { PARAM_END };

static const struct field fields[] = {
	{ MEMBER(IN_RESULT, status, FIELD_ENUM), .values = statuses },
	{ MEMBER(IN_RESULT, window_id, FIELD_CHARS),
	  .help = "The current window." },
	{ MEMBER(IN_RESULT, checkpoint_saved, FIELD_BOOLEAN),
	  .help = "Your notes were written to in this window." },
	FIELD_END
};

static const struct tool tool = {
	.name = "new_context",
	.title = "New context",
	.family = "context",
	.description =
		"Asks for a fresh context window. The conversation is not "
		"carried over; files and environment stay as they are. "
		"Save a checkpoint in your notes first.",
	.model_tool = true,
	.place = 1,
	.sequential = true,
	.writes = true,
	.idempotent = true,
	.params = params,
	.facts = CONTEXT_FACTS,
	.result = fields,
	.result_size = sizeof(struct new_context_result),
	.run = new_context_run,
	.text = new_context_text,
	.release = new_context_release,
};

TOOL_MAIN(tool)

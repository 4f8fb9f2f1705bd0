/* get-context-remaining - how many tokens are left in this context window. */
#include "context/get_context_remaining.h"
#include "context/parameters.h"

#define IN_RESULT(member) offsetof(struct get_context_remaining_result, member)

static const struct param params[] = { PARAM_END };

static const struct field fields[] = {
	{ MEMBER(IN_RESULT, remaining_tokens, FIELD_INTEGER), .nullable = true,
	  .help = "Null when unknown." },
	{ MEMBER(IN_RESULT, window_id, FIELD_CHARS) },
	{ MEMBER(IN_RESULT, agent_name, FIELD_CHARS) },
	{ MEMBER(IN_RESULT, agents, FIELD_STRINGS),
	  .help = "Names of all registered agents." },
	{ MEMBER(IN_RESULT, has_more, FIELD_BOOLEAN), .optional = true,
	  .constant_true = true },
	{ MEMBER(IN_RESULT, warnings, FIELD_STRINGS), .optional = true,
	  .help = "Advice on the size of your own notes." },
	FIELD_END
};

static const struct tool tool = {
	.name = "get_context_remaining",
	.title = "Context remaining",
	.family = "context",
	.description = "Tells how many tokens are left in the current context "
		       "window, and which agents exist.",
	.model_tool = true,
	.place = 2,
	.params = params,
	.facts = CONTEXT_FACTS,
	.result = fields,
	.result_size = sizeof(struct get_context_remaining_result),
	.run = get_context_remaining_run,
	.text = get_context_remaining_text,
	.release = get_context_remaining_release,
};

TOOL_MAIN(tool)

/* context-guidance - the block of the system prompt about context windows. */
#include "context/context_guidance.h"
#include "context/parameters.h"

#define AT(member) offsetof(struct context_guidance_args, member)
#define IN_RESULT(member) offsetof(struct context_guidance_result, member)

static const struct param params[] = {
	{ MEMBER(AT, action, PARAM_ENUM), .values = context_guidance_actions,
	  .fallback_help = "guidance",
	  .help = "The block for the system prompt, or the hint that is "
		  "given once to a session with older guidance." },
	{ MEMBER(AT, existing_prompt, PARAM_STRING),
	  .help = "The system prompt as it is: says whether the block stands "
		  "in it." },
	PARAM_END
};

static const struct field fields[] = {
	{ MEMBER(IN_RESULT, action, FIELD_ENUM),
	  .values = context_guidance_actions },
	{ MEMBER(IN_RESULT, text, FIELD_STRING) },
	{ MEMBER(IN_RESULT, already_present, FIELD_BOOLEAN) },
	FIELD_END
};

static const struct tool tool = {
	.name = "context_guidance",
	.title = "Guidance",
	.family = "context",
	.description = "Gives the block of the system prompt that explains "
		       "context windows, notes and history.",
	.sequential = true,
	.writes = true,
	.params = params,
	.operand = "action",
	.facts = CONTEXT_FACTS,
	.args_size = sizeof(struct context_guidance_args),
	.result = fields,
	.result_size = sizeof(struct context_guidance_result),
	.run = context_guidance_run,
	.text = context_guidance_text,
	.release = context_guidance_release,
};

TOOL_MAIN(tool)

/* context-guidance - the block of the system prompt about context windows. */
#include "context/context_guidance.h"
#include "context/parameters.h"

#define AT(member) offsetof(struct context_guidance_args, member)
#define IN_RESULT(member) offsetof(struct context_guidance_result, member)

static const struct param params[] = {
	{ .name = "action",
	  .type = PARAM_ENUM,
	  .offset = AT(action),
	  .values = context_guidance_actions,
	  .fallback_help = "guidance",
	  .help = "The block for the system prompt, or the hint that is "
		  "given once to a session with older guidance." },
	{ .name = "existing_prompt",
	  .type = PARAM_STRING,
	  .offset = AT(existing_prompt),
	  .help = "The system prompt as it is: says whether the block stands "
		  "in it." },
	PARAM_END
};

static const struct field fields[] = {
	{ .name = "action",
	  .type = FIELD_ENUM,
	  .offset = IN_RESULT(action),
	  .values = context_guidance_actions },
	{ .name = "text", .type = FIELD_STRING, .offset = IN_RESULT(text) },
	{ .name = "already_present",
	  .type = FIELD_BOOLEAN,
	  .offset = IN_RESULT(already_present) },
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

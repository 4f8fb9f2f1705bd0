/* context-gate - ask whether a tool may be called. */
#include "context/decide.h"
#include "context/host.h"
#include "context/parameters.h"

#define AT(member) offsetof(struct context_gate_args, member)

static const struct param params[] = {
	{ .name = "tool_name",
	  .type = PARAM_STRING,
	  .offset = AT(tool_name),
	  .required = true,
	  .help = "The tool that is about to be called." },
	{ .name = "arguments",
	  .type = PARAM_JSON,
	  .offset = AT(arguments),
	  .json = JSON_OBJECT,
	  .help = "Its arguments." },
	PARAM_END
};

static const struct field fields[] = { { .name = "allowed",
					 .type = FIELD_BOOLEAN,
					 .offset = HOST_AT(allowed),
					 .constant_true = true },
				       { .name = "tool_name",
					 .type = FIELD_CHARS,
					 .offset = HOST_AT(tool_name) },
				       HOST_PHASE,
				       FIELD_END };

static const struct tool tool = {
	.name = "context_gate",
	.title = "Gate",
	.family = "context",
	.description = "Tells before any tool call whether it may go on: exit "
		       "status 0 is yes, 3 is blocked.",
	.sequential = true,
	.params = params,
	.operand = "tool_name",
	.facts = CONTEXT_FACTS,
	.input_nul = true,
	.args_size = sizeof(struct context_gate_args),
	.result = fields,
	.result_size = sizeof(struct host_result),
	.run = context_gate_run,
	.text = context_init_text,
	.release = host_release,
};

TOOL_MAIN(tool)

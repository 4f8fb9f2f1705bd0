/* context-gate - ask whether a tool may be called. */
#include "context/decide.h"
#include "context/host.h"
#include "context/parameters.h"

#define AT(member) offsetof(struct context_gate_args, member)

static const struct param params[] = {
	{ MEMBER(AT, tool_name, PARAM_STRING), .required = true,
	  .help = "The tool that is about to be called." },
	{ MEMBER(AT, arguments, PARAM_JSON), .json = JSON_OBJECT,
	  .help = "Its arguments." },
	PARAM_END
};

static const struct field fields[] = {
	{ MEMBER(HOST_AT, allowed, FIELD_BOOLEAN), .constant_true = true },
	{ MEMBER(HOST_AT, tool_name, FIELD_CHARS) },
	HOST_PHASE,
	FIELD_END
};

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

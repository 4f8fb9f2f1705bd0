/* context-agent - register a sub-agent, or list agents. */
#include "context/context_agent.h"
#include "context/parameters.h"

#define AT(member) offsetof(struct context_agent_args, member)
#define IN_ROW(member) offsetof(struct context_agent_row, member)
#define IN_RESULT(member) offsetof(struct context_agent_result, member)

static const struct field agent[] = {
	{ MEMBER(IN_ROW, agent_name, FIELD_CHARS) },
	{ MEMBER(IN_ROW, session, FIELD_CHARS) },
	{ MEMBER(IN_ROW, session_file, FIELD_CHARS), .nullable = true },
	{ MEMBER(IN_ROW, window_id, FIELD_CHARS) },
	FIELD_END
};

static const struct param params[] = {
	{ MEMBER(AT, action, PARAM_ENUM), .required = true,
	  .values = context_agent_actions, .help = "What to do." },
	{ MEMBER(AT, agent_name, PARAM_STRING),
	  .help = "Agent to register, absolute or below the current agent." },
	{ MEMBER(AT, session, PARAM_STRING),
	  .help = "Session that holds this agent's transcript." },
	{ MEMBER(AT, session_file, PARAM_STRING),
	  .help = "Transcript file, when it lies outside the hosts' own "
		  "roots." },
	PARAM_END
};

static const struct field fields[] = {
	{ MEMBER(IN_RESULT, action, FIELD_ENUM),
	  .values = context_agent_actions },
	{ MEMBER(IN_RESULT, agent_name, FIELD_CHARS), .nullable = true },
	{ MEMBER(IN_RESULT, created, FIELD_BOOLEAN) },
	{ MEMBER(IN_RESULT, agents, FIELD_OBJECTS), .fields = agent,
	  .size = sizeof(struct context_agent_row) },
	{ MEMBER(IN_RESULT, has_more, FIELD_BOOLEAN), .optional = true,
	  .constant_true = true, .help = "Some did not fit." },
	FIELD_END
};

static const struct tool tool = {
	.name = "context_agent",
	.title = "Agents",
	.family = "context",
	.description =
		"Registers a sub-agent with its transcript, or lists the "
		"agents of the root session.",
	.sequential = true,
	.writes = true,
	.params = params,
	.operand = "action",
	.facts = CONTEXT_FACTS & ~FACT_BIT(FACT_SESSION) &
		 ~FACT_BIT(FACT_SESSION_FILE),
	.args_size = sizeof(struct context_agent_args),
	.result = fields,
	.result_size = sizeof(struct context_agent_result),
	.run = context_agent_run,
	.text = context_agent_text,
	.release = context_agent_release,
};

TOOL_MAIN(tool)

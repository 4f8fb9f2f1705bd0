/* context-agent - register a sub-agent, or list agents. */
#include "context/context_agent.h"
#include "context/parameters.h"

#define AT(member) offsetof(struct context_agent_args, member)
#define IN_ROW(member) offsetof(struct context_agent_row, member)
#define IN_RESULT(member) offsetof(struct context_agent_result, member)

static const struct field agent[] = {
	{ .name = "agent_name",
	  .type = FIELD_CHARS,
	  .offset = IN_ROW(agent_name) },
	{ .name = "session", .type = FIELD_CHARS, .offset = IN_ROW(session) },
	{ .name = "session_file",
	  .type = FIELD_CHARS,
	  .offset = IN_ROW(session_file),
	  .nullable = true },
	{ .name = "window_id",
	  .type = FIELD_CHARS,
	  .offset = IN_ROW(window_id) },
	FIELD_END
};

static const struct param params[] = {
	{ .name = "action",
	  .type = PARAM_ENUM,
	  .offset = AT(action),
	  .required = true,
	  .values = context_agent_actions,
	  .help = "What to do." },
	{ .name = "agent_name",
	  .type = PARAM_STRING,
	  .offset = AT(agent_name),
	  .help = "Agent to register, absolute or below the current agent." },
	{ .name = "session",
	  .type = PARAM_STRING,
	  .offset = AT(session),
	  .help = "Session that holds this agent's transcript." },
	{ .name = "session_file",
	  .type = PARAM_STRING,
	  .offset = AT(session_file),
	  .help = "Transcript file, when it lies outside the hosts' own "
		  "roots." },
	PARAM_END
};

static const struct field fields[] = { { .name = "action",
					 .type = FIELD_ENUM,
					 .offset = IN_RESULT(action),
					 .values = context_agent_actions },
				       { .name = "agent_name",
					 .type = FIELD_CHARS,
					 .offset = IN_RESULT(agent_name),
					 .nullable = true },
				       { .name = "created",
					 .type = FIELD_BOOLEAN,
					 .offset = IN_RESULT(created) },
				       { .name = "agents",
					 .type = FIELD_OBJECTS,
					 .offset = IN_RESULT(agents),
					 .fields = agent,
					 .size = sizeof(
						 struct context_agent_row) },
				       { .name = "has_more",
					 .type = FIELD_BOOLEAN,
					 .offset = IN_RESULT(has_more),
					 .optional = true,
					 .constant_true = true,
					 .help = "Some did not fit." },
				       FIELD_END };

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

/* context-delivered - report that a control message has been delivered. */
#include "context/decide.h"
#include "context/host.h"
#include "context/parameters.h"

#define AT(member) offsetof(struct context_delivered_args, member)

static const struct param params[] = {
	{ MEMBER(AT, message_id, PARAM_STRING), .required = true,
	  .help = "Id of the message, as it was handed out." },
	PARAM_END
};

static const struct field fields[] = {
	{ MEMBER(HOST_AT, message_id, FIELD_CHARS) },
	{ MEMBER(HOST_AT, accepted, FIELD_BOOLEAN) },
	{ MEMBER(HOST_AT, reason, FIELD_CHARS), .nullable = true,
	  .help = "Null, or stale: of an earlier window." },
	HOST_PHASE,
	FIELD_END
};

static const struct tool tool = {
	.name = "context_delivered",
	.title = "Report delivery",
	.family = "context",
	.description = "Records that a control message has entered the "
		       "conversation.",
	.sequential = true,
	.writes = true,
	.params = params,
	.operand = "message_id",
	.facts = CONTEXT_FACTS,
	.args_size = sizeof(struct context_delivered_args),
	.result = fields,
	.result_size = sizeof(struct host_result),
	.run = context_delivered_run,
	.text = context_init_text,
	.release = host_release,
};

TOOL_MAIN(tool)

/* context-compact - ask what becomes of a compaction. */
#include "context/decide.h"
#include "context/host.h"
#include "context/parameters.h"

#define AT(member) offsetof(struct context_compact_args, member)

static const struct param params[] = {
	{ MEMBER(AT, reason, PARAM_ENUM), .required = true,
	  .values = decide_reasons,
	  .help = "Why the host compacts; rollover: because context-settle "
		  "said roll." },
	{ MEMBER(AT, owns_continuation, PARAM_BOOLEAN), .has_fallback = true,
	  .help = "The host goes on by itself afterwards." },
	PARAM_END
};

static const struct field fields[] = {
	{ MEMBER(HOST_AT, action, FIELD_CHARS),
	  .help = "allow, cancel or rollover." },
	{ MEMBER(HOST_AT, window_id, FIELD_CHARS),
	  .help = "The new one for a rollover, else the current one." },
	HOST_PHASE,
	{ MEMBER(HOST_AT, note, FIELD_CHARS), .nullable = true },
	{ MEMBER(HOST_AT, bootstrap, FIELD_CHARS), .nullable = true,
	  .help = "The text that opens the new window." },
	HOST_MESSAGES,
	FIELD_END
};

static const struct tool tool = {
	.name = "context_compact",
	.title = "Compact",
	.family = "context",
	.description =
		"Says before a compaction what to do with it: let it be, "
		"cancel it, or put our bootstrap in its place.",
	.sequential = true,
	.writes = true,
	.params = params,
	.operand = "reason",
	.facts = CONTEXT_FACTS,
	.args_size = sizeof(struct context_compact_args),
	.result = fields,
	.result_size = sizeof(struct host_result),
	.run = context_compact_run,
	.text = context_compact_text,
	.release = host_release,
};

TOOL_MAIN(tool)

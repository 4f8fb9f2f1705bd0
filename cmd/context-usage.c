/* context-usage - report how full the context window is. */
#include "context/decide.h"
#include "context/host.h"
#include "context/parameters.h"

#define AT(member) offsetof(struct context_usage_args, member)

static const struct param params[] = {
	{ MEMBER(AT, used_tokens, PARAM_INTEGER), .required = true,
	  .nullable = true, PARAMETERS_OFFSET,
	  .help = "Tokens in use; null when not known." },
	{ MEMBER(AT, context_window, PARAM_INTEGER), .required = true,
	  .nullable = true, PARAMETERS_OFFSET,
	  .help = "Tokens that the window holds; null when not known." },
	{ MEMBER(AT, aborted, PARAM_BOOLEAN), .has_fallback = true,
	  .help = "The message was aborted: its usage tells nothing." },
	{ MEMBER(AT, window_id, PARAM_STRING),
	  .fallback_help = "the current one",
	  .help = "The window that it was measured in." },
	{ MEMBER(AT, model, PARAM_STRING), .fallback_help = "CTX_MODEL",
	  .help = "The model, `provider/model`, whose settings hold from now "
		  "on." },
	PARAM_END
};

static const struct field fields[] = {
	{ MEMBER(HOST_AT, window_id, FIELD_CHARS) },
	{ MEMBER(HOST_AT, remaining_tokens, FIELD_INTEGER), .nullable = true },
	{ MEMBER(HOST_AT, reminder_level, FIELD_INTEGER), .nullable = true },
	{ MEMBER(HOST_AT, hard_level, FIELD_INTEGER), .nullable = true },
	HOST_PHASE,
	{ MEMBER(HOST_AT, reason, FIELD_CHARS), .nullable = true,
	  .help = "Why nothing could be due: disabled, stale, aborted, "
		  "unknown, pending or checkpoint." },
	HOST_MESSAGES,
	FIELD_END
};

static const struct tool tool = {
	.name = "context_usage",
	.title = "Report usage",
	.family = "context",
	.description =
		"Records how many tokens of the context window are used, "
		"after a finished assistant message, and says what is due.",
	.sequential = true,
	.writes = true,
	.params = params,
	.operand = "used_tokens",
	.facts = CONTEXT_FACTS | FACT_BIT(FACT_MODEL),
	.args_size = sizeof(struct context_usage_args),
	.result = fields,
	.result_size = sizeof(struct host_result),
	.run = context_usage_run,
	.text = context_usage_text,
	.release = host_release,
};

TOOL_MAIN(tool)

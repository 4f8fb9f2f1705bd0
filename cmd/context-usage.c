/* context-usage - tell how full the context window is. */
#include "context/decide.h"
#include "context/host.h"
#include "context/parameters.h"

#define AT(member) offsetof(struct context_usage_args, member)

static const struct param params[] = {
	{ .name = "used_tokens",
	  .type = PARAM_INTEGER,
	  .offset = AT(used_tokens),
	  .required = true,
	  .nullable = true,
	  PARAMETERS_OFFSET,
	  .help = "Tokens in use; null when not known." },
	{ .name = "context_window",
	  .type = PARAM_INTEGER,
	  .offset = AT(context_window),
	  .required = true,
	  .nullable = true,
	  PARAMETERS_OFFSET,
	  .help = "Tokens that the window holds; null when not known." },
	{ .name = "aborted",
	  .type = PARAM_BOOLEAN,
	  .offset = AT(aborted),
	  .has_fallback = true,
	  .help = "The message was aborted: its usage tells nothing." },
	{ .name = "window_id",
	  .type = PARAM_STRING,
	  .offset = AT(window_id),
	  .fallback_help = "the current one",
	  .help = "The window that it was measured in." },
	{ .name = "model",
	  .type = PARAM_STRING,
	  .offset = AT(model),
	  .fallback_help = "CTX_MODEL",
	  .help = "The model, `provider/model`, whose settings hold from now "
		  "on." },
	PARAM_END
};

static const struct field fields[] = {
	{ .name = "window_id",
	  .type = FIELD_CHARS,
	  .offset = HOST_AT(window_id) },
	{ .name = "remaining_tokens",
	  .type = FIELD_INTEGER,
	  .offset = HOST_AT(remaining_tokens),
	  .nullable = true },
	{ .name = "reminder_level",
	  .type = FIELD_INTEGER,
	  .offset = HOST_AT(reminder_level),
	  .nullable = true },
	{ .name = "hard_level",
	  .type = FIELD_INTEGER,
	  .offset = HOST_AT(hard_level),
	  .nullable = true },
	HOST_PHASE,
	{ .name = "reason",
	  .type = FIELD_CHARS,
	  .offset = HOST_AT(reason),
	  .nullable = true,
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

#include "transcript/hooks.h"

/* The project is that of mcp-serve, where the model has gone elsewhere, too. */
static const struct hook_fact claude[] = {
	{ "session_id", FACT_SESSION, "claude:", NULL },
	{ "transcript_path", FACT_SESSION_FILE, "", NULL },
	{ "cwd", FACT_CWD, "", "CLAUDE_PROJECT_DIR" },
	{ .member = NULL }
};

static const struct hook_fact codex[] = {
	{ "session_id", FACT_SESSION, "codex:", NULL },
	{ "transcript_path", FACT_SESSION_FILE, "", NULL },
	{ "cwd", FACT_CWD, "", NULL },
	{ "model", FACT_MODEL, "", NULL },
	{ .member = NULL }
};

/* Which file it is the host does not say: the id finds it. */
static const struct hook_fact copilot[] = {
	{ "sessionId", FACT_SESSION, "copilot:", NULL },
	{ "cwd", FACT_CWD, "", "CLAUDE_PROJECT_DIR" },
	{ .member = NULL }
};

static const struct hook_fact gemini[] = {
	{ "session_id", FACT_SESSION, "gemini:", NULL },
	{ "transcript_path", FACT_SESSION_FILE, "", NULL },
	{ "cwd", FACT_CWD, "", "CLAUDE_PROJECT_DIR" },
	{ .member = NULL }
};

enum { CLAUDE, CODEX, COPILOT, GEMINI };

const char *const hooks_hosts[] = { [CLAUDE] = "claude",
				    [CODEX] = "codex",
				    [COPILOT] = "copilot",
				    [GEMINI] = "gemini",
				    NULL };

const struct hook_fact *const hooks_facts[] = { [CLAUDE] = claude,
						[CODEX] = codex,
						[COPILOT] = copilot,
						[GEMINI] = gemini };

const struct hook_form hooks_forms[] = {
	[COPILOT] = { "{\"additionalContext\":", "}" },
	[GEMINI] = { "{\"hookSpecificOutput\":{"
		     "\"hookEventName\":\"SessionStart\","
		     "\"additionalContext\":",
		     "}}" },
};

const struct host *
hooks_host(size_t value)
{
	return hosts_find(str_of(hooks_hosts[value]));
}

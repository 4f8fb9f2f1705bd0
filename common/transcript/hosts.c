#include "transcript/hosts.h"

#include "base/xalloc.h"
#include "transcript/blocks.h"
#include "transcript/claude.h"
#include "transcript/claude_live.h"
#include "transcript/codex.h"
#include "transcript/copilot.h"
#include "transcript/document.h"
#include "transcript/gemini.h"
#include "transcript/pi.h"
#include "transcript/qwen.h"
#include "transcript/qwen_live.h"

#define PATTERNS(...) ((const char *const[]){ __VA_ARGS__, NULL })

const struct host host_table[] = {
	{
		.name = "pi",
		.decoder = &pi_decoder,
		.roots = { { "PI_CODING_AGENT_SESSION_DIR", "" },
			   { "PI_CODING_AGENT_DIR", "/sessions" },
			   { NULL, "/.pi/agent/sessions" } },
		.sessions = PATTERNS("*", "*/*"),
		.resume = "pi --session",
	},
	{
		.name = "claude",
		.decoder = &claude_decoder,
		.roots = { { "CLAUDE_CONFIG_DIR", "/projects" },
			   { NULL, "/.claude/projects" },
			   { NULL, "/.config/claude/projects" } },
		.sessions = PATTERNS("*/*"),
		.agents = PATTERNS("*/agent-*", "*/*/subagents/agent-*"),
		.resume = "claude --resume",
		.client = { .started = "CLAUDECODE",
			    .session = "CLAUDE_CODE_SESSION_ID",
			    .follow = claude_live_follow,
			    .by_id = true },
		.early_hook = true,
	},
	{
		.name = "codex",
		.decoder = &codex_decoder,
		.roots = { { "CODEX_HOME", "" }, { NULL, "/.codex" } },
		.sessions = PATTERNS(
			"sessions/rollout-*", "sessions/*/rollout-*",
			"sessions/*/*/rollout-*", "sessions/*/*/*/rollout-*",
			"sessions/*/*/*/*/rollout-*",
			"archived_sessions/rollout-*"),
		.packed = true,
		.resume = "codex resume",
		.titles = "session_index.jsonl",
	},
	{
		.name = "copilot",
		.decoder = &copilot_decoder,
		.roots = { { "COPILOT_HOME", "/session-state" },
			   { NULL, "/.copilot/session-state" } },
		.sessions = PATTERNS("*/events"),
		.resume = "copilot --resume",
		.given_name = { "workspace.yaml", 0, 65536,
				copilot_given_name },
		.client = { .name = "copilot-cli",
			    .session = "COPILOT_AGENT_SESSION_ID" },
	},
	{
		.name = "qwen",
		.decoder = &qwen_decoder,
		.roots = { { "QWEN_RUNTIME_DIR", "/projects" },
			   { "QWEN_HOME", "/projects" },
			   { NULL, "/.qwen/projects" } },
		.sessions = PATTERNS("*/chats/*"),
		.resume = "qwen --resume",
		.client = { .name = "qwen-cli",
			    .repeats = true,
			    .follow = qwen_live_follow,
			    .folder = qwen_live_folder },
	},
	{
		.name = "gemini",
		.decoder = &gemini_decoder,
		.roots = { { "GEMINI_CLI_HOME", "/.gemini/tmp" },
			   { NULL, "/.gemini/tmp" } },
		.sessions = PATTERNS("*/chats/session-*"),
		.agents = PATTERNS("*/chats/*/*"),
		/* A resume leaves a stub of the same id. */
		.largest = true,
		.resume = "gemini --resume",
		.directory = { ".project_root", 1, 4096, gemini_project_root },
		.client = { .name = "gemini-cli", .began = gemini_began },
	},
	{ .name = NULL },
};

#define HOSTS (sizeof(host_table) / sizeof(*host_table) - 1)

const struct host *
hosts_find(struct str name)
{
	for (const struct host *h = host_table; h->name != NULL; h++)
		if (str_is(name, h->name))
			return h;
	return NULL;
}

struct str
hosts_session_id(struct str session)
{
	struct str host = str_until(session, ':');

	return host.n < session.n ? str_from(session, host.n + 1) : session;
}

const struct host *
hosts_of(const struct decoder *decoder)
{
	const struct host *h = host_table;

	while (h->decoder != decoder)
		h++;
	return h;
}

/* ---- recognition ------------------------------------------------------- */

/* By those that know their own; the others take what is left. */
static const struct host *
recognise(struct str first, bool any)
{
	for (const struct host *h = host_table; h->name != NULL; h++)
		if (h->decoder->any == any && h->decoder->recognises(first))
			return h;
	return NULL;
}

bool
hosts_recognises(const struct host *host, struct str first)
{
	return host->decoder->recognises(first) &&
	       (!host->decoder->any || recognise(first, false) == NULL);
}

const struct host *
hosts_recognise(struct str first)
{
	const struct host *host = recognise(first, false);

	return host != NULL ? host : recognise(first, true);
}

static const struct decoder *
recognise_decoder(const struct decoder *decoder, struct str first)
{
	const struct host *host;

	if (decoder != NULL)
		return hosts_recognises(hosts_of(decoder), first) ? decoder
								  : NULL;
	host = hosts_recognise(first);
	return host != NULL ? host->decoder : NULL;
}

enum transcript_error
hosts_open(struct transcript *t, struct source *source, const struct host *host,
	   struct transcript_options options)
{
	options.recognise = recognise_decoder;
	return transcript_open(t, source, host != NULL ? host->decoder : NULL,
			       &options);
}

/* ---- names ------------------------------------------------------------- */

struct file_name
hosts_file_name(const struct host *host, struct str path)
{
	if (host->decoder->file_name != NULL)
		return host->decoder->file_name(path);
	return (struct file_name){ .id = decoder_stem(path) };
}

bool
hosts_may_name(const struct host *host, struct str path, struct str id)
{
	return host->decoder->may_name == NULL ||
	       host->decoder->may_name(decoder_stem(path), id);
}

void
hosts_add_names(struct buf *out, const char *last_joint)
{
	for (size_t i = 0; i < HOSTS; i++)
		buf_addf(out, "%s%s",
			 i == 0		  ? ""
			 : i + 1 == HOSTS ? last_joint
					  : ", ",
			 host_table[i].name);
}

struct prefilter *
hosts_prefilter(const struct str *entries, size_t n, bool all)
{
	const char *const *lists[HOSTS + 3];
	const char *const *joined[HOSTS + 1];
	size_t k = 0, j = 0;

	lists[k++] = document_texts;
	lists[k++] = blocks_marks;
	for (size_t i = 0; i < HOSTS; i++)
		if (host_table[i].decoder->words != NULL)
			lists[k++] = host_table[i].decoder->words;
	for (size_t i = 0; i < HOSTS; i++)
		if (host_table[i].decoder->joined != NULL)
			joined[j++] = host_table[i].decoder->joined;
	lists[k] = NULL;
	joined[j] = NULL;
	return prefilter_new(entries, n, all, lists, joined);
}

/* history-sessions - which sessions there are. */
#include "history/history_list.h"
#include "history/history_sessions.h"

#define AT(member) offsetof(struct history_sessions_args, member)
#define ROW(member) offsetof(struct history_sessions_row, member)
#define OUT(member) offsetof(struct history_sessions_result, member)

static const struct param params[] = {
	{ .name = "session",
	  .type = PARAM_STRING,
	  .offset = AT(session),
	  .blank_is_absent = true,
	  .fallback_help = "*",
	  .help = "Which sessions to list: a wildcard, a session, or `.` for "
		  "the latest of this directory." },
	{ .name = "cwd",
	  .type = PARAM_STRING,
	  .offset = AT(cwd),
	  .blank_is_absent = true,
	  .metavar = "DIR",
	  .help = "Only sessions recorded in this directory or below it." },
	{ .name = "title",
	  .type = PARAM_STRING_OR_LIST,
	  .offset = AT(title),
	  .blank_is_absent = true,
	  .max = HISTORY_LIST_QUERY_CHARS,
	  .max_items = HISTORY_LIST_QUERIES,
	  .help = "Only sessions whose title holds this text, case ignored." },
	{ .name = "since",
	  .type = PARAM_STRING,
	  .offset = AT(since),
	  .blank_is_absent = true,
	  .metavar = "TIME",
	  .help = "Only sessions last recorded to at or after this time." },
	{ .name = "until",
	  .type = PARAM_STRING,
	  .offset = AT(until),
	  .blank_is_absent = true,
	  .metavar = "TIME",
	  .help = "Only sessions last recorded to before this time." },
	{ .name = "agents",
	  .type = PARAM_BOOLEAN,
	  .offset = AT(agents),
	  .has_fallback = true,
	  .help = "Also the transcripts of sub-agents." },
	{ .name = "limit",
	  .type = PARAM_INTEGER,
	  .offset = AT(limit),
	  .has_fallback = true,
	  .fallback = HISTORY_SESSIONS_LIMIT,
	  .min = 1,
	  .max = HISTORY_SESSIONS_LIMIT_MAX,
	  .help = "Most sessions to list." },
	PARAM_END
};

static const struct field session[] = {
	{ .name = "session", .type = FIELD_BUF, .offset = ROW(session) },
	{ .name = "cwd",
	  .type = FIELD_BUF,
	  .offset = ROW(facts.cwd),
	  .nullable = true },
	{ .name = "title", .type = FIELD_BUF, .offset = ROW(facts.title) },
	{ .name = "started_at",
	  .type = FIELD_BUF,
	  .offset = ROW(facts.started_at),
	  .nullable = true },
	{ .name = "updated_at", .type = FIELD_TIME, .offset = ROW(updated_at) },
	{ .name = "bytes", .type = FIELD_INTEGER, .offset = ROW(facts.bytes) },
	{ .name = "resume",
	  .type = FIELD_BUF,
	  .offset = ROW(resume),
	  .nullable = true },
	FIELD_END
};

static const struct field fields[] = {
	{ .name = "sessions",
	  .type = FIELD_OBJECTS,
	  .offset = OUT(sessions),
	  .fields = session,
	  .size = sizeof(struct history_sessions_row) },
	{ .name = "more", .type = FIELD_INTEGER, .offset = OUT(more) },
	{ .name = "sessions_skipped",
	  .type = FIELD_INTEGER,
	  .offset = OUT(sessions_skipped),
	  .optional = true,
	  .zero_is_none = true },
	{ .name = "hosts_unavailable",
	  .type = FIELD_STRINGS,
	  .offset = OUT(hosts_unavailable),
	  .optional = true },
	FIELD_END
};

static const struct tool tool = {
	.name = "history_sessions",
	.title = "List sessions",
	.family = "history",
	.description = "Which sessions there are: when each was last recorded "
		       "to, where it ran, and what it was about.",
	.params = params,
	.operand = "session",
	.facts = FACT_BIT(FACT_SESSION_FILE),
	.args_size = sizeof(struct history_sessions_args),
	.result = fields,
	.result_size = sizeof(struct history_sessions_result),
	.run = history_sessions_run,
	.text = history_sessions_text,
	.person = history_sessions_person,
	.release = history_sessions_release,
	.offer = history_sessions_offer,
};

TOOL_MAIN(tool)

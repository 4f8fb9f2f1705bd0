/* history-list - browse or search what a session recorded. */
#include "history/history_list.h"

#define AT(member) offsetof(struct history_list_args, member)

static const char *const ends[] = { "oldest", "newest", NULL };
static const struct param params[] = {
	{ .name = "query",
	  .type = PARAM_STRING_OR_LIST,
	  .offset = AT(query),
	  .blank_is_absent = true,
	  .max = HISTORY_LIST_QUERY_CHARS,
	  .max_items = HISTORY_LIST_QUERIES,
	  .help = "Literal text to find, case ignored; several entries mean "
		  "any of them." },
	{ .name = "roles",
	  .type = PARAM_ENUM_LIST,
	  .offset = AT(roles),
	  .values = decoder_role_names,
	  .help = "Only events of these roles; turns folding off." },
	{ .name = "before_seq",
	  .type = PARAM_INTEGER,
	  .offset = AT(before_seq),
	  .max = PARAM_ANY_MAX - 1,
	  .help = "Only events with a smaller seq." },
	{ .name = "after_seq",
	  .type = PARAM_INTEGER,
	  .offset = AT(after_seq),
	  .max = PARAM_ANY_MAX - 1,
	  .help = "Only events with a larger seq." },
	{ .name = "from",
	  .type = PARAM_ENUM,
	  .offset = AT(from),
	  .blank_is_absent = true,
	  .values = ends,
	  .fallback_help = "oldest with after_seq, else newest",
	  .help = "Which end of the range `limit` counts from." },
	{ .name = "since",
	  .type = PARAM_STRING,
	  .offset = AT(since),
	  .blank_is_absent = true,
	  .metavar = "TIME",
	  .help = "Only events recorded at or after this time: `2026-07-30`, "
		  "`2026-07-30T09:00:00Z`, `today`, or `2d` for two days "
		  "ago." },
	{ .name = "until",
	  .type = PARAM_STRING,
	  .offset = AT(until),
	  .blank_is_absent = true,
	  .metavar = "TIME",
	  .help = "Only events recorded before this time." },
	{ .name = "limit",
	  .type = PARAM_INTEGER,
	  .offset = AT(limit),
	  .has_fallback = true,
	  .fallback = HISTORY_LIST_LIMIT,
	  .min = 1,
	  .max = HISTORY_LIST_LIMIT_MAX,
	  .help = "Most events to show; folded runs are free." },
	{ .name = "max_chars_per_item",
	  .type = PARAM_INTEGER,
	  .offset = AT(max_chars_per_item),
	  .has_fallback = true,
	  .fallback = HISTORY_LIST_CHARS,
	  .min = 1,
	  .max = HISTORY_LIST_CHARS_MAX,
	  .help = "Preview length of one event, in characters." },
	{ .name = "session",
	  .type = PARAM_STRING,
	  .offset = AT(session),
	  .blank_is_absent = true,
	  .fallback_help = "the current session",
	  .help = "Another session: `<host>:<id>`, an id or the first "
		  "characters of one; `*` for all, `pi:*` for all of one "
		  "host." },
	{ .name = "cwd",
	  .type = PARAM_STRING,
	  .offset = AT(cwd),
	  .blank_is_absent = true,
	  .metavar = "DIR",
	  .help = "Only sessions recorded in this directory or below it; "
		  "with a wildcard only." },
	{ .name = "match_all",
	  .type = PARAM_BOOLEAN,
	  .offset = AT(match_all),
	  .has_fallback = true,
	  .help = "Only events that hold every one of several texts." },
	{ .name = "agents",
	  .type = PARAM_BOOLEAN,
	  .offset = AT(agents),
	  .has_fallback = true,
	  .help = "Also the transcripts of sub-agents; with a wildcard "
		  "only." },
	PARAM_END
};

#define ROW(member) offsetof(struct row, member)
#define FOLD(member) offsetof(struct fold, member)
#define OUT(member) offsetof(struct page, member)

static const struct field row[] = {
	{ .name = "",
	  .type = FIELD_MEMBERS,
	  .offset = ROW(head),
	  .fields = head_fields },
	{ .name = "",
	  .type = FIELD_MEMBERS,
	  .offset = ROW(head),
	  .fields = head_omitted_fields },
	{ .name = "truncated",
	  .type = FIELD_BOOLEAN,
	  .offset = ROW(truncated) },
	{ .name = "total_chars",
	  .type = FIELD_INTEGER,
	  .offset = ROW(total_chars) },
	{ .name = "content", .type = FIELD_STRING, .offset = ROW(content) },
	{ .name = "offset_chars",
	  .type = FIELD_INTEGER,
	  .offset = ROW(offset_chars),
	  .optional = true },
	FIELD_END
};

static const struct field folded[] = {
	{ .name = "session",
	  .type = FIELD_STRING,
	  .offset = FOLD(session),
	  .optional = true },
	{ .name = "folded",
	  .type = FIELD_BOOLEAN,
	  .offset = FOLD(folded),
	  .constant_true = true },
	{ .name = "first_seq", .type = FIELD_INTEGER, .offset = FOLD(first) },
	{ .name = "last_seq", .type = FIELD_INTEGER, .offset = FOLD(last) },
	{ .name = "count", .type = FIELD_INTEGER, .offset = FOLD(count) },
	{ .name = "tools",
	  .type = FIELD_MAP_INTEGER,
	  .offset = FOLD(tools_shown) },
	{ .name = "omitted_tools",
	  .type = FIELD_INTEGER,
	  .offset = FOLD(omitted),
	  .optional = true,
	  .zero_is_none = true },
	FIELD_END
};

static const struct field *const events[] = { row, folded, NULL };

static const struct field fields[] = {
	{ .name = "events",
	  .type = FIELD_KINDS,
	  .offset = OUT(events),
	  .kinds = events },
	{ .name = "page_older",
	  .type = FIELD_OBJECT,
	  .offset = OUT(page_older),
	  .nullable = true,
	  .fields = page_older_fields,
	  .help = "Merge into the next call for the events before." },
	{ .name = "page_newer",
	  .type = FIELD_OBJECT,
	  .offset = OUT(page_newer),
	  .nullable = true,
	  .fields = page_newer_fields,
	  .help = "Merge into the next call for the events after." },
	{ .name = "sessions_skipped",
	  .type = FIELD_INTEGER,
	  .offset = OUT(sessions_skipped),
	  .optional = true,
	  .zero_is_none = true },
	{ .name = "hosts_unavailable",
	  .type = FIELD_STRINGS,
	  .offset = OUT(hosts),
	  .optional = true },
	{ .name = "sessions_left",
	  .type = FIELD_INTEGER,
	  .offset = OUT(sessions_left),
	  .optional = true,
	  .zero_is_none = true },
	{ .name = "cut_by_size",
	  .type = FIELD_BOOLEAN,
	  .offset = OUT(cut_by_size),
	  .optional = true,
	  .constant_true = true },
	{ .name = "",
	  .type = FIELD_MEMBERS,
	  .offset = OUT(damage),
	  .fields = head_damage_fields },
	FIELD_END
};

static const struct tool tool = {
	.name = "history_list",
	.title = "List history",
	.family = "history",
	.description =
		"Browse or search recorded conversation events. Without a "
		"query: the conversation, with tool and context runs folded "
		"into counts. With a query: every event that holds any of the "
		"given texts, each taken literally, whatever its role. "
		"Continue with page_older or page_newer.",
	.model_tool = true,
	.place = 1,
	.params = params,
	.operand = "query",
	.facts = FACT_BIT(FACT_SESSION_FILE) | FACT_BIT(FACT_LEAF),
	.args_size = sizeof(struct history_list_args),
	.result = fields,
	.result_size = sizeof(struct page),
	.run = history_list_run,
	.text = page_text,
	.person = page_person,
	.release = page_release,
};

TOOL_MAIN(tool)

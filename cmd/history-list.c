/* history-list - browse or search what a session recorded. */
#include "history/history_list.h"

#define AT(member) offsetof(struct history_list_args, member)

static const char *const ends[] = { "oldest", "newest", NULL };
static const struct param params[] = {
	{ MEMBER(AT, query, PARAM_STRING_OR_LIST), .blank_is_absent = true,
	  .max = HISTORY_LIST_QUERY_CHARS, .max_items = HISTORY_LIST_QUERIES,
	  .help = "Literal text to find, case ignored; several entries mean "
		  "any of them." },
	{ MEMBER(AT, roles, PARAM_ENUM_LIST), .values = decoder_role_names,
	  .help = "Only events of these roles; turns folding off." },
	{ MEMBER(AT, before_seq, PARAM_INTEGER), .max = PARAM_ANY_MAX - 1,
	  .help = "Only events with a smaller seq." },
	{ MEMBER(AT, after_seq, PARAM_INTEGER), .max = PARAM_ANY_MAX - 1,
	  .help = "Only events with a larger seq." },
	{ MEMBER(AT, from, PARAM_ENUM), .blank_is_absent = true, .values = ends,
	  .fallback_help = "oldest with after_seq, else newest",
	  .help = "Which end of the range `limit` counts from." },
	{ MEMBER(AT, since, PARAM_STRING), .blank_is_absent = true,
	  .metavar = "TIME",
	  .help = "Only events recorded at or after this time: `2026-07-30`, "
		  "`2026-07-30T09:00:00Z`, `today`, or `2d` for two days "
		  "ago." },
	{ MEMBER(AT, until, PARAM_STRING), .blank_is_absent = true,
	  .metavar = "TIME", .help = "Only events recorded before this time." },
	{ MEMBER(AT, limit, PARAM_INTEGER), .has_fallback = true,
	  .fallback = HISTORY_LIST_LIMIT, .min = 1,
	  .max = HISTORY_LIST_LIMIT_MAX,
	  .help = "Most events to show; folded runs are free." },
	{ MEMBER(AT, max_chars_per_item, PARAM_INTEGER), .has_fallback = true,
	  .fallback = HISTORY_LIST_CHARS, .min = 1,
	  .max = HISTORY_LIST_CHARS_MAX,
	  .help = "Preview length of one event, in characters." },
	{ MEMBER(AT, session, PARAM_STRING), .blank_is_absent = true,
	  .fallback_help = "the current session",
	  .help = "Another session: `<host>:<id>`, an id or the first "
		  "characters of one; `*` for all, `pi:*` for all of one "
		  "host." },
	{ MEMBER(AT, cwd, PARAM_STRING), .blank_is_absent = true,
	  .metavar = "DIR",
	  .help = "Only sessions recorded in this directory or below it; "
		  "with a wildcard only." },
	{ MEMBER(AT, match_all, PARAM_BOOLEAN), .has_fallback = true,
	  .help = "Only events that hold every one of several texts." },
	{ MEMBER(AT, agents, PARAM_BOOLEAN), .has_fallback = true,
	  .help = "Also the transcripts of sub-agents; with a wildcard "
		  "only." },
	PARAM_END
};

#define ROW(member) offsetof(struct row, member)
#define FOLD(member) offsetof(struct fold, member)
#define OUT(member) offsetof(struct page, member)

static const struct field row[] = {
	MEMBERS(ROW, head, head_fields),
	MEMBERS(ROW, head, head_omitted_fields),
	{ MEMBER(ROW, truncated, FIELD_BOOLEAN) },
	{ MEMBER(ROW, total_chars, FIELD_INTEGER) },
	{ MEMBER(ROW, content, FIELD_STRING) },
	{ MEMBER(ROW, offset_chars, FIELD_INTEGER), .optional = true },
	FIELD_END,
};

static const struct field folded[] = {
	{ MEMBER(FOLD, session, FIELD_STRING), .optional = true },
	{ MEMBER(FOLD, folded, FIELD_BOOLEAN), .constant_true = true },
	{ .name = "first_seq", .type = FIELD_INTEGER, .offset = FOLD(first) },
	{ .name = "last_seq", .type = FIELD_INTEGER, .offset = FOLD(last) },
	{ MEMBER(FOLD, count, FIELD_INTEGER) },
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
	{ MEMBER(OUT, events, FIELD_KINDS), .kinds = events },
	{ MEMBER(OUT, page_older, FIELD_OBJECT), .nullable = true,
	  .fields = page_older_fields,
	  .help = "Merge into the next call for the events before." },
	{ MEMBER(OUT, page_newer, FIELD_OBJECT), .nullable = true,
	  .fields = page_newer_fields,
	  .help = "Merge into the next call for the events after." },
	{ MEMBER(OUT, sessions_skipped, FIELD_INTEGER), .optional = true,
	  .zero_is_none = true },
	{ .name = "hosts_unavailable",
	  .type = FIELD_STRINGS,
	  .offset = OUT(hosts),
	  .optional = true },
	{ MEMBER(OUT, sessions_left, FIELD_INTEGER), .optional = true,
	  .zero_is_none = true },
	{ MEMBER(OUT, cut_by_size, FIELD_BOOLEAN), .optional = true,
	  .constant_true = true },
	MEMBERS(OUT, damage, head_damage_fields),
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

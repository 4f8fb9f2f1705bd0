/* history-list - browse or search what a session recorded. */
#include "history/history_list.h"

#define AT(member) offsetof(struct history_list_args, member)

static const char *const ends[] = { "oldest", "newest", NULL };
static const char *const newest[] = { "newest", NULL };
static const char *const oldest[] = { "oldest", NULL };

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
	  .help = "Only events recorded at or after this time." },
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
	  .help = "Another session: `<host>:<id>`, an id, a prefix of one, "
		  "or a wildcard." },
	PARAM_END
};

static const struct field row[] = {
	HEAD_FIELDS,
	HEAD_FIELD_NAME_OMITTED,
	{ .name = "truncated", .type = FIELD_BOOLEAN },
	{ .name = "total_chars", .type = FIELD_INTEGER },
	{ .name = "content", .type = FIELD_STRING },
	{ .name = "offset_chars", .type = FIELD_INTEGER, .optional = true },
	FIELD_END
};

static const struct field folded[] = {
	{ .name = "session", .type = FIELD_STRING, .optional = true },
	{ .name = "folded", .type = FIELD_BOOLEAN, .constant_true = true },
	{ .name = "first_seq", .type = FIELD_INTEGER },
	{ .name = "last_seq", .type = FIELD_INTEGER },
	{ .name = "count", .type = FIELD_INTEGER },
	{ .name = "tools", .type = FIELD_MAP_INTEGER },
	{ .name = "omitted_tools", .type = FIELD_INTEGER, .optional = true },
	FIELD_END
};

static const struct field older[] = {
	{ .name = "before_seq", .type = FIELD_INTEGER },
	{ .name = "from", .type = FIELD_ENUM, .values = newest },
	{ .name = "session", .type = FIELD_STRING, .optional = true },
	FIELD_END
};

static const struct field newer[] = {
	{ .name = "after_seq", .type = FIELD_INTEGER },
	{ .name = "from", .type = FIELD_ENUM, .values = oldest },
	{ .name = "session", .type = FIELD_STRING, .optional = true },
	FIELD_END
};

static const struct field fields[] = {
	{ .name = "events",
	  .type = FIELD_OBJECTS,
	  .fields = row,
	  .other = folded },
	{ .name = "page_older",
	  .type = FIELD_OBJECT,
	  .nullable = true,
	  .fields = older,
	  .help = "Merge into the next call for the events before." },
	{ .name = "page_newer",
	  .type = FIELD_OBJECT,
	  .nullable = true,
	  .fields = newer,
	  .help = "Merge into the next call for the events after." },
	{ .name = "sessions_skipped", .type = FIELD_INTEGER, .optional = true },
	{ .name = "hosts_unavailable",
	  .type = FIELD_STRINGS,
	  .optional = true },
	{ .name = "sessions_left", .type = FIELD_INTEGER, .optional = true },
	{ .name = "cut_by_size",
	  .type = FIELD_BOOLEAN,
	  .optional = true,
	  .constant_true = true },
	HEAD_DAMAGE_FIELDS,
	FIELD_END
};

static const struct tool tool = {
	.name = "history_list",
	.title = "List history",
	.family = "history",
	.description =
		"Browse or search recorded conversation events. Without a "
		"query: the conversation, with tool and context runs folded "
		"into counts. With a query: every event whose text holds any "
		"of the words, whatever its role. Continue with page_older or "
		"page_newer.",
	.model_tool = true,
	.place = 1,
	.params = params,
	.operand = "query",
	.facts = FACT_BIT(FACT_SESSION_FILE) | FACT_BIT(FACT_LEAF),
	.args_size = sizeof(struct history_list_args),
	.result = fields,
	.result_size = sizeof(struct page),
	.run = history_list_run,
	.json = page_json,
	.text = page_text,
	.release = page_release,
};

int
main(int argc, char *argv[])
{
	return tool_main(&tool, argc, argv);
}

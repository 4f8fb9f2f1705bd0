/* notes-list-files-by-prefix - list an agent's note files. */
#include "context/notes_list_files_by_prefix.h"
#include "context/parameters.h"

#define AT(member) offsetof(struct notes_list_files_args, member)
#define IN_FILE(member) offsetof(struct notes_list_file, member)
#define IN_RESULT(member) offsetof(struct notes_list_files_result, member)

static const char *const orders_by[] = { "name", "created_at", "updated_at",
					 NULL };
static const char *const orders[] = { "ascending", "descending", NULL };

static const struct param params[] = {
	{ MEMBER(AT, prefix, PARAM_STRING), .nullable = true,
	  .fallback_help = "your own notes",
	  .help = "Start of the note paths to list, relative to your notes or "
		  "absolute." },
	{ MEMBER(AT, max_results, PARAM_INTEGER), PARAMETERS_COUNT,
	  .fallback_help = "100, at most 500",
	  .help = "How many files to return at most." },
	{ .name = "file_order_by",
	  .type = PARAM_ENUM,
	  .offset = AT(order_by),
	  .values = orders_by,
	  .fallback_help = "name",
	  .help = "What to sort by." },
	{ .name = "file_order",
	  .type = PARAM_ENUM,
	  .offset = AT(order),
	  .values = orders,
	  .fallback_help = "ascending",
	  .help = "Sort direction." },
	PARAM_END
};

static const struct field file[] = { { MEMBER(IN_FILE, path, FIELD_CHARS) },
				     { MEMBER(IN_FILE, bytes, FIELD_INTEGER) },
				     { .name = "created_at",
				       .type = FIELD_TIME,
				       .offset = IN_FILE(created_ms) },
				     { .name = "updated_at",
				       .type = FIELD_TIME,
				       .offset = IN_FILE(updated_ms) },
				     FIELD_END };

static const struct field fields[] = {
	{ MEMBER(IN_RESULT, files, FIELD_OBJECTS), .fields = file,
	  .size = sizeof(struct notes_list_file) },
	{ MEMBER(IN_RESULT, has_more, FIELD_BOOLEAN) },
	{ MEMBER(IN_RESULT, warnings, FIELD_STRINGS), .optional = true,
	  .help = "Advice on the size of your own notes." },
	{ MEMBER(IN_RESULT, skipped, FIELD_INTEGER), .optional = true,
	  .zero_is_none = true,
	  .help = "What is there and is not a note file." },
	FIELD_END
};

static const struct tool tool = {
	.name = "notes_list_files_by_prefix",
	.title = "List note files",
	.family = "context",
	.description =
		"Lists note files whose path starts with a prefix, with sizes "
		"and times. Without a prefix, lists your own notes. Use it to "
		"find a checkpoint or to see which notes have grown large.",
	.model_tool = true,
	.place = 7,
	.params = params,
	.operand = "prefix",
	.open = true,
	.facts = CONTEXT_FACTS,
	.args_size = sizeof(struct notes_list_files_args),
	.result = fields,
	.result_size = sizeof(struct notes_list_files_result),
	.run = notes_list_files_run,
	.text = notes_list_files_text,
	.person = notes_list_files_person,
	.release = notes_list_files_release,
};

TOOL_MAIN(tool)

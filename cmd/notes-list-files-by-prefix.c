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
	{ .name = "prefix",
	  .type = PARAM_STRING,
	  .offset = AT(prefix),
	  .nullable = true,
	  .fallback_help = "your own notes",
	  .help = "Start of the note paths to list, relative to your notes or "
		  "absolute." },
	{ .name = "max_results",
	  .type = PARAM_INTEGER,
	  .offset = AT(max_results),
	  PARAMETERS_COUNT,
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

static const struct field file[] = {
	{ .name = "path", .type = FIELD_CHARS, .offset = IN_FILE(path) },
	{ .name = "bytes", .type = FIELD_INTEGER, .offset = IN_FILE(bytes) },
	{ .name = "created_at",
	  .type = FIELD_TIME,
	  .offset = IN_FILE(created_ms) },
	{ .name = "updated_at",
	  .type = FIELD_TIME,
	  .offset = IN_FILE(updated_ms) },
	FIELD_END
};

static const struct field fields[] = {
	{ .name = "files",
	  .type = FIELD_OBJECTS,
	  .offset = IN_RESULT(files),
	  .fields = file,
	  .size = sizeof(struct notes_list_file) },
	{ .name = "has_more",
	  .type = FIELD_BOOLEAN,
	  .offset = IN_RESULT(has_more) },
	{ .name = "warnings",
	  .type = FIELD_STRINGS,
	  .offset = IN_RESULT(warnings),
	  .optional = true,
	  .help = "Advice on the size of your own notes." },
	{ .name = "skipped",
	  .type = FIELD_INTEGER,
	  .offset = IN_RESULT(skipped),
	  .optional = true,
	  .zero_is_none = true,
	  .help = "What is there and is no note file." },
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

/* lessons-export - Markdown or JSONL copy. */
#include "lessons/lessons_export.h"

#define AT(member) offsetof(struct lessons_export_args, member)
#define OUT(member) offsetof(struct lessons_export_result, member)

static const struct param params[] = {
	{ .name = "format",
	  .type = PARAM_ENUM,
	  .offset = AT(format),
	  .has_fallback = true,
	  .values = copy_formats,
	  .help = "A list of the active texts, or all rows of all tables." },
	{ .name = "file",
	  .type = PARAM_STRING,
	  .offset = AT(file),
	  .min = 1,
	  .metavar = "FILE",
	  .help = "Write it to this new file instead of printing it." },
	{ .name = "scope",
	  .type = PARAM_ENUM,
	  .offset = AT(scope),
	  .has_fallback = true,
	  .values = export_scopes,
	  .help = "Of which lessons the list is." },
	PARAM_END
};

static const struct field fields[] = {
	{ .name = "format",
	  .type = FIELD_ENUM,
	  .offset = OUT(format),
	  .values = copy_formats },
	{ .name = "file",
	  .type = FIELD_STRING,
	  .offset = OUT(file),
	  .nullable = true },
	{ .name = "records", .type = FIELD_INTEGER, .offset = OUT(records) },
	{ .name = "bytes", .type = FIELD_INTEGER, .offset = OUT(bytes) },
	FIELD_END
};

static const struct tool tool = {
	.name = "lessons_export",
	.title = "Export lessons",
	.family = "lessons",
	.description =
		"Print or write a copy: the active texts as a Markdown list, "
		"or everything as JSONL.",
	.params = params,
	.writes = true,
	.operand = "file",
	.facts = LESSONS_FACTS,
	.args_size = sizeof(struct lessons_export_args),
	.result = fields,
	.result_size = sizeof(struct lessons_export_result),
	.run = lessons_export_run,
	.text = lessons_export_text,
	.release = lessons_export_release,
};

TOOL_MAIN(tool)

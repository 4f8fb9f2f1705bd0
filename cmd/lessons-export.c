/* lessons-export - Markdown or JSONL copy. */
#include "lessons/lessons_export.h"

#define AT(member) offsetof(struct lessons_export_args, member)
#define OUT(member) offsetof(struct lessons_export_result, member)

static const struct param params[] = {
	{ MEMBER(AT, format, PARAM_ENUM), .has_fallback = true,
	  .values = copy_formats,
	  .help = "A list of the active texts, or all rows of all tables." },
	{ MEMBER(AT, file, PARAM_STRING), .min = 1, .metavar = "FILE",
	  .help = "Write it to this new file instead of printing it." },
	{ MEMBER(AT, scope, PARAM_ENUM), .has_fallback = true,
	  .values = export_scopes, .help = "Of which lessons the list is." },
	PARAM_END
};

static const struct field fields[] = {
	{ MEMBER(OUT, format, FIELD_ENUM), .values = copy_formats },
	{ MEMBER(OUT, file, FIELD_STRING), .nullable = true },
	{ MEMBER(OUT, records, FIELD_INTEGER) },
	{ MEMBER(OUT, bytes, FIELD_INTEGER) },
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

/* lessons-import - read such a copy. */
#include "lessons/lessons_export.h"
#include "lessons/lessons_import.h"

#define AT(member) offsetof(struct lessons_import_args, member)
#define OUT(member) offsetof(struct lessons_import_result, member)

static const struct param params[] = {
	{ MEMBER(AT, file, PARAM_STRING), .required = true, .min = 1,
	  .metavar = "FILE", .help = "The copy." },
	{ MEMBER(AT, format, PARAM_ENUM), .has_fallback = true,
	  .values = copy_formats,
	  .help = "What it is; JSONL only goes into an empty store." },
	{ MEMBER(AT, global, PARAM_BOOLEAN), .has_fallback = true,
	  .help = "A Markdown list becomes global lessons, not this "
		  "project's." },
	{ MEMBER(AT, dry_run, PARAM_BOOLEAN), .has_fallback = true,
	  .help = "Only say what would be done." },
	{ MEMBER(AT, expect_sha256, PARAM_STRING), .metavar = "HASH",
	  .help = "Refuse a file with any other content." },
	PARAM_END
};

static const struct field fields[] = {
	{ MEMBER(OUT, format, FIELD_ENUM), .values = copy_formats },
	{ MEMBER(OUT, sha256, FIELD_STRING) },
	{ MEMBER(OUT, items, FIELD_INTEGER) },
	{ MEMBER(OUT, added, FIELD_INTEGER) },
	{ MEMBER(OUT, skipped, FIELD_INTEGER) },
	{ MEMBER(OUT, dry_run, FIELD_BOOLEAN) },
	{ MEMBER(OUT, scope, FIELD_STRING), .nullable = true },
	FIELD_END
};

static const struct tool tool = {
	.name = "lessons_import",
	.title = "Import lessons",
	.family = "lessons",
	.description =
		"Read lessons from a Markdown list, or a whole store from "
		"JSONL. All of it is saved, or nothing.",
	.sequential = true,
	.writes = true,
	.params = params,
	.operand = "file",
	.facts = LESSONS_FACTS,
	.args_size = sizeof(struct lessons_import_args),
	.result = fields,
	.result_size = sizeof(struct lessons_import_result),
	.run = lessons_import_run,
	.text = lessons_import_text,
	.release = keep_release_result,
};

TOOL_MAIN(tool)

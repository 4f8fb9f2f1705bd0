/* lessons-import - read such a copy. */
#include "lessons/lessons_export.h"
#include "lessons/lessons_import.h"

#define AT(member) offsetof(struct lessons_import_args, member)
#define OUT(member) offsetof(struct lessons_import_result, member)

static const struct param params[] = {
	{ .name = "file",
	  .type = PARAM_STRING,
	  .offset = AT(file),
	  .required = true,
	  .min = 1,
	  .metavar = "FILE",
	  .help = "The copy." },
	{ .name = "format",
	  .type = PARAM_ENUM,
	  .offset = AT(format),
	  .has_fallback = true,
	  .values = copy_formats,
	  .help = "What it is; JSONL only goes into an empty store." },
	{ .name = "global",
	  .type = PARAM_BOOLEAN,
	  .offset = AT(global),
	  .has_fallback = true,
	  .help = "A Markdown list becomes global lessons, not this "
		  "project's." },
	{ .name = "dry_run",
	  .type = PARAM_BOOLEAN,
	  .offset = AT(dry_run),
	  .has_fallback = true,
	  .help = "Only tell what would be done." },
	{ .name = "expect_sha256",
	  .type = PARAM_STRING,
	  .offset = AT(expect_sha256),
	  .metavar = "HASH",
	  .help = "Refuse a file of another content." },
	PARAM_END
};

static const struct field fields[] = {
	{ .name = "format",
	  .type = FIELD_ENUM,
	  .offset = OUT(format),
	  .values = copy_formats },
	{ .name = "sha256", .type = FIELD_STRING, .offset = OUT(sha256) },
	{ .name = "items", .type = FIELD_INTEGER, .offset = OUT(items) },
	{ .name = "added", .type = FIELD_INTEGER, .offset = OUT(added) },
	{ .name = "skipped", .type = FIELD_INTEGER, .offset = OUT(skipped) },
	{ .name = "dry_run", .type = FIELD_BOOLEAN, .offset = OUT(dry_run) },
	{ .name = "scope",
	  .type = FIELD_STRING,
	  .offset = OUT(scope),
	  .nullable = true },
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
	.release = lessons_import_release,
};

TOOL_MAIN(tool)

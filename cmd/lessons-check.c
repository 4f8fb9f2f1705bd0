/* lessons-check - verify the database. */
#include "lessons/lessons_check.h"

#define OUT(member) offsetof(struct lessons_check_result, member)

static const struct param params[] = { PARAM_END };

static const struct field problem[] = {
	{ .name = "check",
	  .type = FIELD_ENUM,
	  .offset = offsetof(struct check_problem, check),
	  .values = check_names },
	{ .name = "message",
	  .type = FIELD_STRING,
	  .offset = offsetof(struct check_problem, message) },
	FIELD_END
};

static const struct field fields[] = {
	{ .name = "ok", .type = FIELD_BOOLEAN, .offset = OUT(ok) },
	{ .name = "checks", .type = FIELD_STRINGS, .offset = OUT(checks) },
	{ .name = "problems",
	  .type = FIELD_OBJECTS,
	  .offset = OUT(problems),
	  .fields = problem,
	  .size = sizeof(struct check_problem) },
	{ .name = "lessons", .type = FIELD_INTEGER, .offset = OUT(lessons) },
	{ .name = "candidates",
	  .type = FIELD_INTEGER,
	  .offset = OUT(candidates) },
	{ .name = "omitted",
	  .type = FIELD_INTEGER,
	  .offset = OUT(omitted),
	  .optional = true,
	  .zero_is_none = true },
	FIELD_END
};

static const struct tool tool = {
	.name = "lessons_check",
	.title = "Check lessons",
	.family = "lessons",
	.description =
		"Check the whole database: its structure, and that what it "
		"says of lessons and candidates holds together.",
	.params = params,
	.facts = LESSONS_FACTS,
	.args_size = 1,
	.result = fields,
	.result_size = sizeof(struct lessons_check_result),
	.run = lessons_check_run,
	.text = lessons_check_text,
	.release = lessons_check_release,
};

TOOL_MAIN(tool)

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
	{ MEMBER(OUT, ok, FIELD_BOOLEAN) },
	{ MEMBER(OUT, checks, FIELD_STRINGS) },
	{ MEMBER(OUT, problems, FIELD_OBJECTS), .fields = problem,
	  .size = sizeof(struct check_problem) },
	{ MEMBER(OUT, lessons, FIELD_INTEGER) },
	{ MEMBER(OUT, candidates, FIELD_INTEGER) },
	{ MEMBER(OUT, omitted, FIELD_INTEGER), .optional = true,
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
	.release = keep_release_result,
};

TOOL_MAIN(tool)

/* lessons-recall - the block for the agent's context. */
#include "lessons/lessons_recall.h"

#define AT(member) offsetof(struct lessons_recall_args, member)
#define OUT(member) offsetof(struct lessons_recall_result, member)

static const struct param params[] = {
	{ MEMBER(AT, since, PARAM_STRING), .min = 1, .metavar = "FILE",
	  .help = "Only what is different from the last call with this "
		  "file." },
	PARAM_END
};

static const char *const hosts[] = { "claude", "codex", NULL };

static const struct hook_fact claude[] = {
	{ "session_id", FACT_SESSION, "claude:", NULL },
	{ "cwd", FACT_CWD, "", "CLAUDE_PROJECT_DIR" },
	{ .member = NULL }
};

static const struct hook_fact codex[] = { { "session_id", FACT_SESSION,
					    "codex:", NULL },
					  { "cwd", FACT_CWD, "", NULL },
					  { .member = NULL } };

static const struct hook_fact *const hooks[] = { claude, codex };

static const struct param options[] = {
	{ MEMBER(AT, hook, PARAM_ENUM), .values = hosts,
	  .help = "Take the object that this host gives its hooks on stdin, "
		  "and print the text only, or nothing when anything fails." },
	PARAM_END
};

static const struct field fields[] = {
	{ MEMBER(OUT, mode, FIELD_ENUM), .values = recall_modes },
	{ MEMBER(OUT, project, FIELD_STRING) },
	{ MEMBER(OUT, gone, FIELD_STRINGS), .optional = true },
	{ MEMBER(OUT, sections, FIELD_OBJECTS), .fields = recall_section_fields,
	  .size = sizeof(struct recall_section) },
	{ MEMBER(OUT, bytes, FIELD_INTEGER) },
	{ MEMBER(OUT, reason, FIELD_STRING), .optional = true },
	FIELD_END
};

static const struct tool tool = {
	.name = "lessons_recall",
	.title = "Recall lessons",
	.family = "lessons",
	.description =
		"Print the active lessons for this project and this session's "
		"own candidates, within the budget.",
	.params = params,
	.options = options,
	.hooks = hooks,
	.facts = LESSONS_FACTS,
	.args_size = sizeof(struct lessons_recall_args),
	.result = fields,
	.result_size = sizeof(struct lessons_recall_result),
	.run = lessons_recall_run,
	.text = lessons_recall_text,
	.release = lessons_recall_release,
	.printed = lessons_recall_printed,
};

TOOL_MAIN(tool)

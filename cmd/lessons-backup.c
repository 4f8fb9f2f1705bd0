/* lessons-backup - online copy of the database. */
#include "lessons/lessons_backup.h"

#define AT(member) offsetof(struct lessons_backup_args, member)
#define OUT(member) offsetof(struct lessons_backup_result, member)

static const struct param params[] = {
	{ MEMBER(AT, directory, PARAM_STRING), .required = true, .min = 1,
	  .metavar = "DIR",
	  .help = "Where the copy goes, under a name of its own." },
	PARAM_END
};

static const struct field fields[] = { { MEMBER(OUT, file, FIELD_STRING) },
				       { MEMBER(OUT, bytes, FIELD_INTEGER) },
				       FIELD_END };

static const struct tool tool = {
	.name = "lessons_backup",
	.title = "Back up lessons",
	.family = "lessons",
	.description =
		"Copy the database while it is in use. The copy is checked, "
		"and nothing is ever overwritten.",
	.params = params,
	.writes = true,
	.operand = "directory",
	.facts = LESSONS_FACTS,
	.args_size = sizeof(struct lessons_backup_args),
	.result = fields,
	.result_size = sizeof(struct lessons_backup_result),
	.run = lessons_backup_run,
	.text = lessons_backup_text,
	.release = keep_release_result,
};

TOOL_MAIN(tool)

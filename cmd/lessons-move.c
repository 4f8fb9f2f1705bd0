/* lessons-move - move a lesson with its chain, or a whole scope. */
#include "lessons/lessons_move.h"

#define AT(member) offsetof(struct lessons_move_args, member)
#define OUT(member) offsetof(struct lessons_move_result, member)

static const struct param params[] = {
	{ PARAMETER_ID(struct lessons_move_args),
	  .help = "The lesson, which takes its chain along." },
	{ MEMBER(AT, from, PARAM_STRING), .metavar = "DIR",
	  .help = "Instead of a lesson, a project with all of its lessons, as "
		  "it is stored; its directory may be gone." },
	{ MEMBER(AT, to, PARAM_STRING), .required = true, .metavar = "SCOPE",
	  .help = "global, project (this one), or a directory, whose project "
		  "it is." },
	{ PARAMETER_ANYWHERE(struct lessons_move_args) },
	{ .name = "reason",
	  .type = PARAM_KIND,
	  .kind = &kind_reason,
	  .offset = AT(reason),
	  .help = "Why." },
	PARAM_END
};

static const struct field fields[] = { { MEMBER(OUT, id, FIELD_INTEGER),
					 .optional = true },
				       { MEMBER(OUT, status, FIELD_STRING) },
				       { MEMBER(OUT, records, FIELD_INTEGER) },
				       { MEMBER(OUT, from, FIELD_STRING) },
				       { MEMBER(OUT, to, FIELD_STRING) },
				       FIELD_END };

static const struct tool tool = {
	.name = "lessons_move",
	.title = "Move lessons",
	.family = "lessons",
	.description = "Move a lesson with its chain to another scope, or all "
		       "lessons of a project whose directory moved.",
	.sequential = true,
	.writes = true,
	.params = params,
	.operand = "id",
	.facts = LESSONS_FACTS,
	.args_size = sizeof(struct lessons_move_args),
	.result = fields,
	.result_size = sizeof(struct lessons_move_result),
	.run = lessons_move_run,
	.text = lessons_move_text,
	.release = keep_release_result,
};

TOOL_MAIN(tool)

/* lessons-session - session events from a host. */
#include "lessons/lessons_session.h"

#define AT(member) offsetof(struct lessons_session_args, member)
#define OUT(member) offsetof(struct lessons_session_result, member)

static const struct param params[] = {
	{ MEMBER(AT, action, PARAM_ENUM), .values = lessons_session_actions,
	  .required = true, .help = "What happened." },
	{ MEMBER(AT, fork_of, PARAM_STRING), .metavar = "SESSION",
	  .help = "With start: the session that this one was forked from." },
	{ MEMBER(AT, ephemeral, PARAM_BOOLEAN), .has_fallback = true,
	  .help = "With start: the session is not kept, so that it writes "
		  "only what the user asks for." },
	PARAM_END
};

static const struct field fields[] = {
	{ MEMBER(OUT, session, FIELD_STRING) },
	{ MEMBER(OUT, root, FIELD_STRING) },
	{ MEMBER(OUT, ephemeral, FIELD_BOOLEAN) },
	{ MEMBER(OUT, epoch, FIELD_INTEGER) },
	{ MEMBER(OUT, barrier, FIELD_BOOLEAN) },
	{ MEMBER(OUT, dropped, FIELD_STRING), .nullable = true },
	FIELD_END
};

static const struct tool tool = {
	.name = "lessons_session",
	.title = "Session event",
	.family = "lessons",
	.description = "Tell the lessons store what happened to a session.",
	.sequential = true,
	.writes = true,
	.params = params,
	.operand = "action",
	.facts = LESSONS_FACTS,
	.args_size = sizeof(struct lessons_session_args),
	.result = fields,
	.result_size = sizeof(struct lessons_session_result),
	.run = lessons_session_run,
	.text = lessons_session_text,
	.release = keep_release_result,
};

TOOL_MAIN(tool)

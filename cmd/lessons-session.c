/* lessons-session - session events from a host. */
#include "lessons/lessons_session.h"

#define AT(member) offsetof(struct lessons_session_args, member)
#define OUT(member) offsetof(struct lessons_session_result, member)

static const struct param params[] = {
	{ .name = "action",
	  .type = PARAM_ENUM,
	  .offset = AT(action),
	  .values = lessons_session_actions,
	  .required = true,
	  .help = "What happened." },
	{ .name = "fork_of",
	  .type = PARAM_STRING,
	  .offset = AT(fork_of),
	  .metavar = "SESSION",
	  .help = "With start: the session that this one was forked from." },
	{ .name = "ephemeral",
	  .type = PARAM_BOOLEAN,
	  .offset = AT(ephemeral),
	  .has_fallback = true,
	  .help = "With start: the session is not kept, so that it writes "
		  "only what the user asks for." },
	PARAM_END
};

static const struct field fields[] = {
	{ .name = "session", .type = FIELD_STRING, .offset = OUT(session) },
	{ .name = "root", .type = FIELD_STRING, .offset = OUT(root) },
	{ .name = "ephemeral",
	  .type = FIELD_BOOLEAN,
	  .offset = OUT(ephemeral) },
	{ .name = "epoch", .type = FIELD_INTEGER, .offset = OUT(epoch) },
	{ .name = "barrier", .type = FIELD_BOOLEAN, .offset = OUT(barrier) },
	{ .name = "dropped",
	  .type = FIELD_STRING,
	  .offset = OUT(dropped),
	  .nullable = true },
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
	.release = lessons_session_release,
};

TOOL_MAIN(tool)

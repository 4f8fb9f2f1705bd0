#ifndef CONTEXT_HOST_H
#define CONTEXT_HOST_H

#include "tool/declare.h"

/*
 * The programs that a host calls to run the life of a window (spec/context.md
 * section 7.7).  They share one result, of which each prints its members.
 */

struct host_details {
	char *window_id;
	const char *kind;
};

/* A control message, to be put into the conversation (7.2). */
struct host_message {
	char *message_id;
	const char *kind;
	char *window_id;
	const char *deliver; /* passive, steer or turn */
	char *custom_type;
	struct host_details details;
	bool display; /* never */
	struct str text;
};
#define HOST_MESSAGES_MOST 5
extern const struct field host_message_fields[];

struct host_result {
	char *agent_name;
	char *window_id;
	int64_t window_number;
	char *first_window_id;
	char *previous_window_id; /* NULL: none */
	int phase;		  /* of decide_phases */
	bool transcript_found;
	struct field_list messages;

	int64_t remaining_tokens, reminder_level, hard_level; /* FIELD_NONE */
	const char *reason; /* NULL: none; context-usage, context-delivered */
	const char *action; /* context-settle, context-compact */
	const char *note;   /* NULL: none; context-compact */
	char *bootstrap;    /* NULL: none */
	const char *status; /* context-commit */
	char *message_id;   /* context-delivered */
	bool accepted;
	bool allowed; /* context-gate */
	char *tool_name;

	struct host_message v[HOST_MESSAGES_MOST];
	char *texts[HOST_MESSAGES_MOST];
};

/* What a member of a program's table is called and where it is. */
#define HOST_FIELD(type_, member) \
	.name = #member, .type = (type_), .offset = HOST_AT(member)
#define HOST_AT(member) offsetof(struct host_result, member)
#define HOST_MESSAGES                                          \
	{                                                      \
		HOST_FIELD(FIELD_OBJECTS, messages),           \
			.fields = host_message_fields,         \
			.size = sizeof(struct host_message),   \
			.help = "To be put into the "          \
				"conversation, in this order." \
	}
#define HOST_PHASE                                                     \
	{                                                              \
		HOST_FIELD(FIELD_ENUM, phase), .values = decide_phases \
	}

struct context_usage_args {
	struct arg_integer used_tokens, context_window;
	struct arg_boolean aborted;
	struct arg_string window_id, model;
};
struct context_gate_args {
	struct arg_string tool_name;
	struct arg_json arguments;
};
struct context_delivered_args {
	struct arg_string message_id;
};
struct context_settle_args {
	struct arg_boolean idle;
};
struct context_compact_args {
	struct arg_enum reason; /* of decide_reasons */
	struct arg_boolean owns_continuation;
};
struct context_commit_args {
	struct arg_enum outcome; /* committed, failed, aborted */
	struct arg_string window_id;
	struct arg_boolean idle;
};

typedef int host_run(const struct tool_call *call, void *result,
		     struct fail *fail);
host_run context_init_run, context_usage_run, context_gate_run,
	context_delivered_run, context_settle_run, context_compact_run,
	context_commit_run;

/* The status line of each, then its messages. */
tool_render context_init_text, context_usage_text, context_settle_text,
	context_compact_text, context_commit_text;
void host_release(void *result);

#endif /* CONTEXT_HOST_H */

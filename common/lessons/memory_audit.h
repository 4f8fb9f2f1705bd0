#ifndef MEMORY_AUDIT_H
#define MEMORY_AUDIT_H

#include "lessons/channel.h"
#include "lessons/outcome.h"

/* memory_audit: a proposal for an audit (spec/lessons.md section 7.1). */
struct memory_audit_change {
	struct arg_integer id;
	struct arg_enum action;
	struct arg_string reason;
};

struct memory_audit_args {
	struct arg_string audit_id;
	struct arg_objects changes; /* struct memory_audit_change */
	struct channel_args channel;
};

int memory_audit_run(const struct tool_call *call, void *result,
		     struct fail *fail);

#endif /* MEMORY_AUDIT_H */

#ifndef LESSONS_AUDIT_H
#define LESSONS_AUDIT_H

#include "lessons/stage.h"

/* lessons-audit: starts one, or writes a report (spec/lessons.md section 7.1). */
struct lessons_audit_args {
	struct arg_enum action;
	struct arg_boolean all_projects;
	struct arg_string file;
	struct arg_integer max_bytes;
};

struct lessons_audit_result {
	int shape; /* enum stage_action */
	struct keep keep;
	struct stage_cancelled cancelled;
	struct str id; /* s NULL: nothing was started */
	int64_t lessons, scopes, bytes;
	struct str file; /* s NULL: none */
	struct buf document;
};

int lessons_audit_run(const struct tool_call *call, void *result,
		      struct fail *fail);
void lessons_audit_text(const void *result, struct buf *out);
void lessons_audit_release(void *result);

#endif /* LESSONS_AUDIT_H */

#ifndef OPS_DIFF_H
#define OPS_DIFF_H

#include "tool/declare.h"

/* spec/output.md section 3. */
struct ops_diff_args {
	struct arg_json before, after;
	struct arg_integer scan, verbs, rebase_every;
	struct arg_boolean stream;
};

struct ops_diff_result {
	struct buf ops; /* JSON */
	struct str ops_json;
	struct buf text;
	bool base;
	int64_t bytes;
};

int ops_diff_run(const struct tool_call *call, void *result, struct fail *fail);
int ops_diff_stream(const struct tool_call *call, struct fail *fail);
void ops_diff_text(const void *result, struct buf *out);
void ops_diff_release(void *result);

#endif /* OPS_DIFF_H */

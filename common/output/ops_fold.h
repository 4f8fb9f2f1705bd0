#ifndef OPS_FOLD_H
#define OPS_FOLD_H

#include "output/value.h"
#include "tool/declare.h"

/* spec/output.md section 4. */
struct ops_fold_args {
	struct arg_json batches, state, path;
	struct arg_boolean wire, every, stream;
	struct arg_integer verbs, at;
};

struct ops_fold_result {
	struct value *shown;
	struct buf json;	 /* of it */
	struct str state, value; /* one of them */
	int64_t applied;
	int64_t seq; /* or FIELD_NONE */
};

int ops_fold_run(const struct tool_call *call, void *result, struct fail *fail);
int ops_fold_stream(const struct tool_call *call, struct fail *fail);
void ops_fold_text(const void *result, struct buf *out);
void ops_fold_release(void *result);

#endif /* OPS_FOLD_H */

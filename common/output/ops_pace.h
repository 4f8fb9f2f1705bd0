#ifndef OPS_PACE_H
#define OPS_PACE_H

#include "tool/declare.h"

/* spec/output.md section 5.3. */
struct ops_pace_args {
	struct arg_integer min_ms, bytes_per_s, verbs;
	struct arg_boolean virtual_time, wire, stream;
	struct arg_json lines;
};

struct ops_pace_result {
	struct buf lines; /* JSON of each, with a comma between */
	struct str lines_json;
	struct buf text; /* the same, with LF between */
	int64_t in, out, bytes, held;
};

int ops_pace_run(const struct tool_call *call, void *result, struct fail *fail);
int ops_pace_stream(const struct tool_call *call, struct fail *fail);
void ops_pace_text(const void *result, struct buf *out);
void ops_pace_release(void *result);

#endif /* OPS_PACE_H */

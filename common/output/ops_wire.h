#ifndef OPS_WIRE_H
#define OPS_WIRE_H

#include "tool/declare.h"

/* spec/output.md section 5.2. */
enum ops_wire_action { OPS_WIRE_ENCODE, OPS_WIRE_DECODE, OPS_WIRE_CHECK };
enum ops_wire_grammar { OPS_WIRE_GRAMMAR_OP, OPS_WIRE_GRAMMAR_WIRE };

struct ops_wire_args {
	struct arg_enum action, grammar;
	struct arg_json batches;
	struct arg_integer verbs;
	struct arg_boolean from_base, stream;
};

/* encode and decode have the first four, check the others. */
struct ops_wire_result {
	int action;
	struct buf batches; /* JSON */
	struct str batches_json;
	int64_t bytes_in, bytes_out, ids;
	bool good;
	int64_t count, ops;
};

int ops_wire_run(const struct tool_call *call, void *result, struct fail *fail);
int ops_wire_stream(const struct tool_call *call, struct fail *fail);
void ops_wire_text(const void *result, struct buf *out);
void ops_wire_release(void *result);

#endif /* OPS_WIRE_H */

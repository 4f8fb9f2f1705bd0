#ifndef OUTPUT_SINK_PROGRAM_H
#define OUTPUT_SINK_PROGRAM_H

#include "output/value.h"
#include "tool/declare.h"

/* spec/output.md section 7. */
struct output_sink_args {
	struct arg_json events;
	struct arg_enum retain, spill, fsync;
	struct arg_integer max_bytes, max_lines, details_max_bytes, images_max;
	struct arg_integer rebase_every, min_ms, bytes_per_s, verbs;
	struct arg_string journal, seed, spill_dir, id;
	struct arg_boolean virtual_time, stream;
};

struct output_sink_result {
	struct value *value;
	struct buf state; /* JSON */
	struct str state_json;
	bool is_error;
	int64_t batches;
};

int output_sink_run(const struct tool_call *call, void *result,
		    struct fail *fail);
int output_sink_stream(const struct tool_call *call, struct fail *fail);
void output_sink_text(const void *result, struct buf *out);
void output_sink_release(void *result);

#endif /* OUTPUT_SINK_PROGRAM_H */

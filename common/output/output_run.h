#ifndef OUTPUT_RUN_H
#define OUTPUT_RUN_H

#include "output/run_result.h"
#include "tool/declare.h"

/* spec/output.md sections 6.3 and 6.4. */
struct output_run_args {
	struct arg_list argv;
	struct arg_string cwd, input, spill_dir, journal, id;
	struct arg_map env;
	struct arg_integer timeout_ms, grace_ms, max_bytes, max_lines;
	struct arg_integer rebase_every, min_ms, bytes_per_s;
	struct arg_enum retain, spill, fsync;
	struct arg_boolean head, sanitize, stream;
};

/* Gives a struct run_result. */
int output_run_run(const struct tool_call *call, void *result,
		   struct fail *fail);
/* With --stream, and with a command behind `--`. */
int output_run_stream(const struct tool_call *call, struct fail *fail);

#endif /* OUTPUT_RUN_H */

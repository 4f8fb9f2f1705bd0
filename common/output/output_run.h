#ifndef OUTPUT_RUN_H
#define OUTPUT_RUN_H

#include "text/truncate.h"
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

struct output_run_result {
	struct buf text, note, spill_path;
	struct str text_json, note_json, spill_json;
	struct truncation truncation;
	int64_t last_line_bytes;
	int64_t exit_code;  /* or FIELD_NONE */
	const char *signal; /* its name, or NULL */
	struct buf signal_name;
	int reason;
	bool pipe_held, is_error;
	int64_t raw_bytes, duration_ms;
};

extern const char *const output_run_reasons[];

int output_run_run(const struct tool_call *call, void *result,
		   struct fail *fail);
/* With --stream, and with a command behind `--`. */
int output_run_stream(const struct tool_call *call, struct fail *fail);
void output_run_text(const void *result, struct buf *out);
void output_run_release(void *result);

#endif /* OUTPUT_RUN_H */

#ifndef OUTPUT_RUN_RESULT_H
#define OUTPUT_RUN_RESULT_H

#include "output/capture.h"
#include "output/child.h"

/* What has become of a command (spec/output.md section 6.3). */
struct run_result {
	struct buf text, note, spill_path;
	struct str text_json, note_json, spill_json;
	struct truncation truncation;
	int64_t last_line_bytes;
	int64_t exit_code;  /* or FIELD_NONE */
	const char *signal; /* its name, or NULL */
	struct buf signal_name;
	int reason; /* enum child_reason */
	bool pipe_held, is_error;
	int64_t raw_bytes, duration_ms;
};

extern const char *const run_result_reasons[];

void run_result_init(struct run_result *r);
void run_result_release(void *result);

/* The child is done; spill_fault: why the output could not be spilled. */
void run_result_fill(struct run_result *r, const struct child *c,
		     const struct capture *capture, int64_t started,
		     struct str spill_fault);

/* The text surface. */
void run_result_text(const void *result, struct buf *out);

#endif /* OUTPUT_RUN_RESULT_H */

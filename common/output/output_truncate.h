#ifndef OUTPUT_TRUNCATE_H
#define OUTPUT_TRUNCATE_H

#include "text/truncate.h"
#include "tool/declare.h"

/* spec/output.md section 6.2. */
struct output_truncate_args {
	struct arg_string path, text;
	struct arg_enum retain;
	struct arg_integer max_bytes, max_lines;
	struct arg_boolean sanitize;
};

struct output_truncate_result {
	struct buf text, footer;
	struct str text_json, footer_json; /* footer: NULL, nothing was cut */
	struct truncation truncation;
	int64_t last_line_bytes; /* FIELD_NONE unless it is partial */
};

int output_truncate_run(const struct tool_call *call, void *result,
			struct fail *fail);
void output_truncate_text(const void *result, struct buf *out);
void output_truncate_release(void *result);

#endif /* OUTPUT_TRUNCATE_H */

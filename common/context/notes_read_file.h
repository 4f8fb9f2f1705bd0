#ifndef CONTEXT_NOTES_READ_FILE_H
#define CONTEXT_NOTES_READ_FILE_H

#include "tool/declare.h"

/* notes_read_file: spec/context.md section 3.6. */
struct notes_read_file_args {
	struct arg_string path;
	struct arg_integer start_line, stop_line, offset_chars, limit_chars;
};

struct notes_read_file_result {
	char *path; /* canonical */
	struct str content;
	int64_t start_line, stop_line; /* 0: all of the file */
	int64_t line_count;
	int64_t offset_chars, total_chars;
	int64_t next_offset_chars; /* FIELD_NONE: the end was delivered */
	int64_t bytes, created_ms, updated_ms;

	struct buf text;
	size_t shown; /* characters of content */
};

int notes_read_file_run(const struct tool_call *call, void *result,
			struct fail *fail);
void notes_read_file_person(const void *result, const struct terminal *t,
			    struct buf *out);
void notes_read_file_text(const void *result, struct buf *out);
void notes_read_file_release(void *result);

#endif /* CONTEXT_NOTES_READ_FILE_H */

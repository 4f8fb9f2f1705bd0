#ifndef CONTEXT_NOTES_WRITE_FILE_H
#define CONTEXT_NOTES_WRITE_FILE_H

#include "tool/declare.h"

/*
 * notes_write_file and notes_append_to_file, which differ in what they do with
 * the old text: spec/context.md sections 3.8, 3.9, 7.6, 8.2, 8.3.
 */
struct notes_write_file_args {
	struct arg_string text, path;
};

struct notes_write_file_result {
	char *path; /* canonical */
	int64_t bytes;
	int64_t appended_bytes;
	bool created;
	int64_t created_ms, updated_ms;
	bool rollover_requested; /* this write satisfied the fence */
};

int notes_write_file_run(const struct tool_call *call, void *result,
			 struct fail *fail);
int notes_append_to_file_run(const struct tool_call *call, void *result,
			     struct fail *fail);
void notes_write_file_text(const void *result, struct buf *out);
void notes_append_to_file_text(const void *result, struct buf *out);
void notes_write_file_release(void *result);

#endif /* CONTEXT_NOTES_WRITE_FILE_H */

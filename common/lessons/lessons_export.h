#ifndef LESSONS_EXPORT_H
#define LESSONS_EXPORT_H

#include "lessons/desk.h"

/* lessons-export (spec/lessons.md section 9.4). */
enum copy_format { COPY_MARKDOWN, COPY_JSONL };
extern const char *const copy_formats[];
enum export_scope { EXPORT_PROJECT, EXPORT_GLOBAL };
extern const char *const export_scopes[];

struct lessons_export_args {
	struct arg_enum format, scope;
	struct arg_string file;
};

struct lessons_export_result {
	struct keep keep;
	int format;
	struct str file; /* s NULL: none */
	int64_t records, bytes;
	struct buf document;
};

int lessons_export_run(const struct tool_call *call, void *result,
		       struct fail *fail);
void lessons_export_text(const void *result, struct buf *out);
void lessons_export_release(void *result);

/* The first line of a JSONL copy, without its end. */
void copy_header(struct buf *out);

#endif /* LESSONS_EXPORT_H */

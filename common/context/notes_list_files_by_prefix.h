#ifndef CONTEXT_NOTES_LIST_FILES_BY_PREFIX_H
#define CONTEXT_NOTES_LIST_FILES_BY_PREFIX_H

#include "tool/declare.h"

/* notes_list_files_by_prefix: spec/context.md sections 3.2, 3.5, 3.10. */
struct notes_list_files_args {
	struct arg_string prefix;
	struct arg_integer max_results;
	struct arg_enum order_by, order; /* as in the tables below */
};

enum { NOTES_ORDER_NAME, NOTES_ORDER_CREATED, NOTES_ORDER_UPDATED };
enum { NOTES_ASCENDING, NOTES_DESCENDING };
#define NOTES_LIST_FILES 100
#define NOTES_LIST_FILES_MOST 500

struct notes_list_file {
	char *path; /* canonical */
	int64_t bytes, created_ms, updated_ms;
};

struct notes_list_files_result {
	struct field_list files;
	bool has_more;
	struct field_list warnings; /* v NULL: none */
	int64_t skipped;	    /* 0: none */

	struct notes_list_file *owned;
	size_t n_owned;
	struct buf advice; /* what the warnings are of */
	struct str *lines;
};

int notes_list_files_run(const struct tool_call *call, void *result,
			 struct fail *fail);
void notes_list_files_person(const void *result, const struct terminal *t,
			     struct buf *out);
void notes_list_files_text(const void *result, struct buf *out);
void notes_list_files_release(void *result);

/*
 * The warnings of a text, one a line: an array that the caller frees, borrowing
 * from the text; empty: v is NULL.
 */
struct str *notes_list_files_warnings(struct str text, struct field_list *list);

#endif /* CONTEXT_NOTES_LIST_FILES_BY_PREFIX_H */

#ifndef CONTEXT_NOTES_SEARCH_CONTENTS_H
#define CONTEXT_NOTES_SEARCH_CONTENTS_H

#include "tool/declare.h"

/* notes_search_contents: spec/context.md section 3.7. */
struct notes_search_contents_args {
	struct arg_integer max_matches_per_file;
	struct arg_string query;
	struct arg_boolean recent_file_first;
	struct arg_integer max_files;
	struct arg_string path_prefix;
};

#define NOTES_SEARCH_MATCHES 10
#define NOTES_SEARCH_MATCHES_MOST 100
#define NOTES_SEARCH_FILES 50
#define NOTES_SEARCH_FILES_MOST 500

struct notes_search_line {
	int64_t line; /* from 1 */
	struct str text;
	bool truncated;
	char *bytes; /* what text is of; it may hold NUL */
};

struct notes_search_file {
	char *path; /* canonical */
	struct field_list matches;
	int64_t match_count; /* in the file */

	struct notes_search_line *lines; /* those that the limit allows */
	size_t n_lines, cap_lines;
};

struct notes_search_contents_result {
	struct field_list files;
	bool has_more;
	int64_t skipped; /* 0: none */

	struct str query;
	struct notes_search_file *owned;
	size_t n_owned, cap_owned;
	size_t lines;	 /* of all of them */
	bool more_match; /* files beyond max_files */
};

int notes_search_contents_run(const struct tool_call *call, void *result,
			      struct fail *fail);
void notes_search_contents_person(const void *result, const struct terminal *t,
				  struct buf *out);
void notes_search_contents_text(const void *result, struct buf *out);
void notes_search_contents_release(void *result);

#endif /* CONTEXT_NOTES_SEARCH_CONTENTS_H */

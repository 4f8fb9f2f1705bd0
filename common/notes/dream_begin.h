#ifndef NOTES_DREAM_BEGIN_H
#define NOTES_DREAM_BEGIN_H

#include "notes/survey.h"

/*
 * dream_begin: what a maintenance pass over notes has to look at, longest
 * unread first (spec/notes.md section 5.6).
 */
struct dream_begin_args {
	struct arg_string glob, cwd;
	struct arg_integer limit, unused_days;
};

#define DREAM_DIGEST_SIZE 32

struct dream_row {
	char *address;
	const char *project_key; /* NULL outside the project home */
	struct note_meta meta;	 /* without a project; crumpled_at is
				    FIELD_NONE when it is not */
	int64_t bytes;		 /* of the file */
	/* Of the body; has_body: it is not empty, and could be read. */
	bool has_body;
	unsigned char digest[DREAM_DIGEST_SIZE];
};

struct dream_begin_result {
	struct survey survey;
	int64_t unused_ms; /* least time since the last read, or -1 */
	struct dream_row *rows;
	size_t n, cap;
	struct field_list files;	/* the first rows, which are shown */
	int64_t more;			/* of them, which are not */
	int64_t notes, crumpled, bytes; /* of all rows */

	/*
	 * Addresses of notes with the same text, and a list of them for each
	 * text.
	 */
	struct str *same;
	struct field_list *groups;
	size_t n_groups, cap_groups;
	struct field_list duplicates; /* the first groups, which are shown */
	int64_t duplicates_more;
};

int dream_begin_run(const struct tool_call *call, void *result,
		    struct fail *fail);
void dream_begin_text(const void *result, struct buf *out);
void dream_begin_person(const void *result, const struct terminal *t,
			struct buf *out);
void dream_begin_release(void *result);

#endif /* NOTES_DREAM_BEGIN_H */

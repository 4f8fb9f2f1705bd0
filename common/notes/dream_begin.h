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
	struct note_meta meta; /* without a project */
	uint64_t bytes;	       /* of the file */
	/* Of the body; has_body: it is not empty, and could be read. */
	bool has_body;
	unsigned char digest[DREAM_DIGEST_SIZE];
};

/* Notes with the same text: rows[order[start .. start + n)]. */
struct dream_group {
	size_t start, n;
};

struct dream_begin_result {
	struct survey survey;
	int64_t unused_ms; /* least time since the last read, or -1 */
	struct dream_row *rows;
	size_t n, cap;
	size_t delivered;
	uint64_t bytes; /* of all rows */
	size_t crumpled;
	const struct dream_row **order;
	struct dream_group *groups;
	size_t n_groups, cap_groups;
	size_t shown_groups;
};

int dream_begin_run(const struct tool_call *call, void *result,
		    struct fail *fail);
void dream_begin_json(const void *result, struct buf *out);
void dream_begin_text(const void *result, struct buf *out);
void dream_begin_release(void *result);

#endif /* NOTES_DREAM_BEGIN_H */

#ifndef NOTES_READ_H
#define NOTES_READ_H

#include "notes/note.h"
#include "text/window.h"
#include "tool/declare.h"

/* notes_read: a window of a note's text (spec/notes.md section 5.3). */
struct notes_read_args {
	struct arg_string address, cwd;
	struct arg_integer offset_chars, limit_chars;
};

#define NOTES_READ_LIMIT_CHARS 12000
#define NOTES_READ_LIMIT_CHARS_MAX 50000

struct notes_read_result {
	char *address;
	char *project_key; /* NULL outside the project home */
	struct {
		int origin; /* of note_origins */
		int64_t created_at, updated_at;
		int64_t crumpled_at; /* FIELD_NONE when it is not */
		struct str project, extra;
	} metadata;
	struct str text;
	int64_t total_chars;
	int64_t next_offset_chars; /* FIELD_NONE at the true end */

	struct note note;     /* what all that is borrowed from */
	struct window window; /* over the note's body */
};

int notes_read_run(const struct tool_call *call, void *result,
		   struct fail *fail);
void notes_read_text(const void *result, struct buf *out);
void notes_read_person(const void *result, const struct terminal *t,
		       struct buf *out);
void notes_read_release(void *result);

#endif /* NOTES_READ_H */

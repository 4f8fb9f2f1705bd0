#ifndef NOTES_NOTE_WRITE_H
#define NOTES_NOTE_WRITE_H

#include "tool/declare.h"

/* notes_write: a note's whole text (spec/notes.md sections 4.4 and 5.1). */
struct note_write_args {
	struct arg_string address, content, cwd;
	struct arg_enum origin; /* of note_origins; `self` when absent */
};

enum note_write_outcome {
	NOTE_WRITE_CREATED,
	NOTE_WRITE_OVERWROTE,
	NOTE_WRITE_UNCRUMPLED
};

/* The words of that, NULL-terminated. */
extern const char *const note_write_outcomes[];

struct note_write_result {
	char *address;
	char *project_key; /* NULL outside the project home */
	enum note_write_outcome outcome;
};

int note_write_run(const struct tool_call *call, void *result,
		   struct fail *fail);
void note_write_json(const void *result, struct buf *out);
void note_write_text(const void *result, struct buf *out);
void note_write_release(void *result);

#endif /* NOTES_NOTE_WRITE_H */

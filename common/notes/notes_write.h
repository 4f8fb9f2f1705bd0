#ifndef NOTES_WRITE_H
#define NOTES_WRITE_H

#include "tool/declare.h"

/* notes_write: a note's whole text (spec/notes.md sections 4.4 and 5.1). */
struct notes_write_args {
	struct arg_string address, content, cwd;
	struct arg_enum origin; /* of note_origins; `self` when absent */
};

enum notes_write_outcome {
	NOTES_WRITE_CREATED,
	NOTES_WRITE_OVERWROTE,
	NOTES_WRITE_UNCRUMPLED
};

/* The words of that, NULL-terminated. */
extern const char *const notes_write_outcomes[];

struct notes_write_result {
	char *address;
	char *project_key; /* NULL outside the project home */
	int outcome;	   /* enum notes_write_outcome */
};

int notes_write_run(const struct tool_call *call, void *result,
		    struct fail *fail);
void notes_write_text(const void *result, struct buf *out);
void notes_write_release(void *result);

#endif /* NOTES_WRITE_H */

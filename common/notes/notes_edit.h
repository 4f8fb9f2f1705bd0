#ifndef NOTES_EDIT_H
#define NOTES_EDIT_H

#include "tool/declare.h"
#include "tool/terminal.h"

/* notes_edit: a note in a person's editor (spec/people.md section 4). */
struct notes_edit_args {
	struct arg_string address, cwd;
};

enum notes_edit_outcome {
	NOTES_EDIT_CREATED,
	NOTES_EDIT_CHANGED,
	NOTES_EDIT_UNCHANGED,
	NOTES_EDIT_DISCARDED, /* a new note that was left empty */
	NOTES_EDIT_GONE	      /* the editor removed an old one */
};

/* The words of that, NULL-terminated. */
extern const char *const notes_edit_outcomes[];

struct notes_edit_result {
	char *address;
	char *project_key;	/* NULL outside the project home */
	int outcome;		/* enum notes_edit_outcome */
	struct buf block_error; /* of a block that does not parse, or empty */
};

int notes_edit_run(const struct tool_call *call, void *result,
		   struct fail *fail);
void notes_edit_text(const void *result, struct buf *out);
void notes_edit_release(void *result);

#endif /* NOTES_EDIT_H */

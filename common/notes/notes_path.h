#ifndef NOTES_PATH_H
#define NOTES_PATH_H

#include "tool/declare.h"
#include "tool/terminal.h"

/* notes_path: the file of a note, for a person's tools (spec/people.md 3). */
struct notes_path_args {
	struct arg_string address, cwd;
};

struct notes_path_result {
	char *address;
	char *project_key; /* NULL outside the project home */
	struct buf path;   /* absolute */
	bool exists;
};

int notes_path_run(const struct tool_call *call, void *result,
		   struct fail *fail);
void notes_path_text(const void *result, struct buf *out);
void notes_path_person(const void *result, const struct terminal *t,
		       struct buf *out);
void notes_path_release(void *result);

/* ---- for others -------------------------------------------------------- */

struct address;
struct identity;

/*
 * Adds the absolute path of the note's file.  -1 with FAIL_ENVIRONMENT when a
 * relative notes root has no working directory to start from.
 */
int notes_path_of(struct buf *out, const struct address *a,
		  const struct identity *who, struct fail *fail);

#endif /* NOTES_PATH_H */

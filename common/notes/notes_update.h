#ifndef NOTES_UPDATE_H
#define NOTES_UPDATE_H

#include "notes/edit.h"
#include "tool/declare.h"

/*
 * notes_update: part of a note's text, its origin, the wastebasket, or its
 * address (spec/notes.md sections 4.5 and 5.2).
 */
struct notes_update_args {
	struct arg_string address, rename_to, cwd;
	struct arg_objects edits; /* struct edit */
	struct arg_enum origin;	  /* of note_origins */
	struct arg_boolean crumpled, replace_all;

	/* Options: the diff is for a user interface, not a part of the result. */
	struct arg_boolean diff;       /* on the text surface */
	struct arg_integer details_fd; /* as JSON on this descriptor */
};

#define NOTES_UPDATE_EDITS_MAX 1000

enum notes_update_kind {
	NOTES_UPDATE_BODY,
	NOTES_UPDATE_METADATA,
	NOTES_UPDATE_FILE, /* both, or the address */
	NOTES_UPDATE_NONE
};

/* The words of that, NULL-terminated. */
extern const char *const notes_update_kinds[];

/* In or out of the wastebasket. */
enum notes_update_move {
	NOTES_UPDATE_STAYED,
	NOTES_UPDATE_PUT,
	NOTES_UPDATE_TAKEN
};

struct notes_update_result {
	char *address;	   /* where the note is now */
	char *project_key; /* NULL outside the project home */
	char *rename_from; /* NULL unless it was renamed */
	int64_t applied;
	int kind; /* enum notes_update_kind */
	/* For the receipt. */
	const char *new_origin; /* NULL: it stays */
	enum notes_update_move moved;
	bool show_diff;
	struct buf diff;
};

int notes_update_run(const struct tool_call *call, void *result,
		     struct fail *fail);
void notes_update_text(const void *result, struct buf *out);
void notes_update_release(void *result);

#endif /* NOTES_UPDATE_H */

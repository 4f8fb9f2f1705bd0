#ifndef BOOT_CONTEXT_BOOT_H
#define BOOT_CONTEXT_BOOT_H

#include "history/head.h"
#include "notes/shelf.h"
#include "sessions/session.h"
#include "tool/declare.h"
#include "transcript/windows.h"

/*
 * context_boot: what an agent needs at the start of a window, from history
 * and notes (spec/history.md section 7).
 */
struct context_boot_args {
	struct arg_string session;
	struct arg_integer max_notes;
	struct arg_enum hook; /* an option: a value of hooks_hosts */
};

#define CONTEXT_BOOT_NOTES 3
#define CONTEXT_BOOT_NOTES_MAX 50
#define CONTEXT_BOOT_HOOK_CHARS 10000 /* that a host takes from a hook */

enum context_boot_transcript {
	CONTEXT_BOOT_FOUND,
	CONTEXT_BOOT_ABSENT,
	CONTEXT_BOOT_UNREADABLE
};

/* The words of that, NULL-terminated. */
extern const char *const context_boot_transcripts[];

/* What is shown of a window. */
struct context_boot_window {
	struct str window_id;
	struct str created_at;	     /* none of the first */
	int64_t first_seq, last_seq; /* FIELD_NONE without events */
	int64_t event_count;
	bool current;
};

/* What is shown of the notes of one home. */
struct context_boot_shelf {
	const struct shelf *shelf;
	const char *home, *project_key; /* NULL outside the project home */
	struct str map;			/* its beginning; none without one */
	int64_t map_total_chars;	/* or FIELD_NONE */
	struct field_list recent;	/* of struct shelf_note */
	int64_t more;			/* notes that are not in it */
};

struct context_boot {
	struct identity who;
	struct session session;
	struct buf identity; /* <host>:<id> */
	int transcript;	     /* enum context_boot_transcript */
	struct windows windows;
	struct buf windows_error; /* why there are none, or empty */
	struct shelves shelves;
	struct damage damage;

	/* What is shown: fitted. */
	size_t map_chars; /* of each map */
	size_t max_notes; /* of each shelf */
	size_t n_windows; /* the first, and the newest ones */

	/* And made of that. */
	struct context_boot_window window[WINDOWS_MOST];
	struct field_list windows_shown;
	int64_t windows_omitted;
	struct context_boot_shelf shelf[SHELVES_MOST];
	struct field_list shelves_shown;
	struct str unavailable[SHELVES_MOST];
	struct field_list homes_unavailable;
};

int context_boot_run(const struct tool_call *call, void *result,
		     struct fail *fail);
void context_boot_text(const void *result, struct buf *out);
void context_boot_release(void *result);

#endif /* BOOT_CONTEXT_BOOT_H */

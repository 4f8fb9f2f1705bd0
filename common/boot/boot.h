#ifndef BOOT_H
#define BOOT_H

#include "notes/shelf.h"
#include "sessions/session.h"
#include "tool/declare.h"
#include "transcript/windows.h"

/*
 * context_boot: what an agent needs at the start of a window, from history
 * and notes (spec/history.md section 7).
 */
struct boot_args {
	struct arg_string session;
	struct arg_integer max_notes;
	struct arg_enum hook; /* an option */
};

#define BOOT_NOTES 3
#define BOOT_NOTES_MAX 50
#define BOOT_HOOK_CHARS 10000 /* that a host takes from a hook */

enum boot_transcript { BOOT_FOUND, BOOT_ABSENT, BOOT_UNREADABLE };

/* The words of that, NULL-terminated. */
extern const char *const boot_transcripts[];

struct boot {
	struct identity who;
	struct session session;
	struct buf identity; /* <host>:<id> */
	enum boot_transcript transcript;
	struct windows windows;
	struct buf windows_error; /* why there are none, or empty */
	struct shelves shelves;
	uint64_t lines_skipped;

	/* What is shown: fitted. */
	size_t map_chars; /* of each map */
	size_t max_notes; /* of each shelf */
	size_t n_windows; /* the first, and the newest ones */
};

int boot_run(const struct tool_call *call, void *result, struct fail *fail);
void boot_json(const void *result, struct buf *out);
void boot_text(const void *result, struct buf *out);
void boot_release(void *result);

/* ---- what is shown, for both renderers --------------------------------- */

/* The i-th window, i < n_windows. */
const struct windows_row *boot_window(const struct boot *boot, size_t i);

/* How many windows there are besides. */
size_t boot_windows_omitted(const struct boot *boot);

/* So much of a shelf's map, and how many of its notes. */
struct str boot_map(const struct boot *boot, const struct shelf *shelf);
size_t boot_recent(const struct boot *boot, const struct shelf *shelf);

#endif /* BOOT_H */

#ifndef NOTES_LIST_H
#define NOTES_LIST_H

#include "notes/survey.h"

/* notes_list: the notes in scope, newest first (spec/notes.md section 5.4). */
struct notes_list_args {
	struct arg_string glob, cwd;
	struct arg_integer limit;
	struct arg_boolean wastebasket;
};

struct notes_list_row {
	char *address;
	int64_t updated_at;
	bool crumpled;
	int64_t crumpled_at;
};

struct notes_list_result {
	struct survey survey;
	bool wastebasket; /* crumpled notes are rows too */
	struct notes_list_row *rows;
	size_t n, cap;
	size_t delivered; /* the first rows, which are shown */
	size_t crumpled_excluded;
};

int notes_list_run(const struct tool_call *call, void *result,
		   struct fail *fail);
void notes_list_json(const void *result, struct buf *out);
void notes_list_text(const void *result, struct buf *out);
void notes_list_release(void *result);

/* ---- for others -------------------------------------------------------- */

/* The order of rows: the newest first, then by the bytes of the address. */
int notes_list_cmp(int64_t updated_a, const char *address_a, int64_t updated_b,
		   const char *address_b);

/* The row's ` | updated <time>[ | crumpled <time>]`, and those members. */
void notes_list_text_times(struct buf *out, const struct notes_list_row *row);
void notes_list_json_times(struct json_writer *w,
			   const struct notes_list_row *row);

/* `<more> more matching <noun>s omitted; narrow with glob`, and what follows
 * it in list and search; nothing that has nothing to say. */
void notes_list_text_trailers(struct buf *out, const struct survey *survey,
			      size_t more, const char *noun,
			      size_t crumpled_excluded);

/* output_too_large for a result without rows. */
int notes_list_fail_envelope(struct fail *fail);

#endif /* NOTES_LIST_H */

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
	const char *project_key; /* NULL outside the project home */
	int64_t updated_at;
	int64_t crumpled_at; /* FIELD_NONE when it is not */
};

extern const struct field notes_list_row_fields[];

struct notes_list_result {
	struct survey survey;
	bool wastebasket; /* crumpled notes are rows too */
	struct notes_list_row *rows;
	size_t n, cap;
	struct field_list files; /* the first rows, which are shown */
	int64_t more;		 /* of them, which are not */
	int64_t crumpled_excluded;
};

int notes_list_run(const struct tool_call *call, void *result,
		   struct fail *fail);
void notes_list_text(const void *result, struct buf *out);
void notes_list_person(const void *result, const struct terminal *t,
		       struct buf *out);
void notes_list_release(void *result);

/* ---- for others -------------------------------------------------------- */

/* The order of rows: the newest first, then by the bytes of the address. */
int notes_list_cmp(int64_t updated_a, const char *address_a, int64_t updated_b,
		   const char *address_b);

/* What a row has of a note's metadata. */
struct notes_list_row notes_list_row(const struct survey *survey,
				     struct str address,
				     const struct note_meta *meta);

/* The row's ` | updated <time>[ | crumpled <time>]`. */
void notes_list_text_times(struct buf *out, const struct terminal *t,
			   const struct notes_list_row *row);

/* `<more> <noun>s omitted; narrow with glob`, and what follows it in list and
 * search; nothing that has nothing to say. */
void notes_list_text_trailers(struct buf *out, const struct survey *survey,
			      int64_t more, const char *noun,
			      int64_t crumpled_excluded);

/* output_too_large for a result without rows. */
int notes_list_fail_envelope(struct fail *fail);

#endif /* NOTES_LIST_H */

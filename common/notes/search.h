#ifndef NOTES_SEARCH_H
#define NOTES_SEARCH_H

#include "notes/list.h"

/* notes_search: lines that hold a text (spec/notes.md section 5.5). */
struct search_args {
	struct arg_list query;
	struct arg_integer max_matches_per_file;
	struct arg_string glob, cwd;
	struct arg_integer limit;
	struct arg_boolean wastebasket;
};

/* A line with a match. */
struct search_hit {
	size_t line;   /* from 1 */
	size_t offset; /* of the match, in characters of the body */
	char *text;
	size_t length;	/* of what is shown of it */
	bool truncated; /* which is a part */
};

struct search_row {
	struct list_row note;
	size_t total;		 /* lines with a match */
	struct search_hit *hits; /* the first ones: see search_add_hit() */
	size_t n, cap;
	size_t shown; /* of them */
	/*
	 * Fewer hits are held than are wanted.  It only happens where they
	 * are too many to be shown, so this row cannot be shown whole.
	 */
	bool partial;
	size_t cost; /* what the hits add to the JSON, at least */
};

struct search {
	struct survey survey;
	bool wastebasket;
	size_t most_hits; /* wanted of one note */
	struct search_row *rows;
	size_t n, cap;
	size_t delivered;
	size_t crumpled_excluded;
	size_t held; /* cost of all hits in memory */
};

int search_run(const struct tool_call *call, void *result, struct fail *fail);
void search_json(const void *result, struct buf *out);
void search_text(const void *result, struct buf *out);
void search_release(void *result);

/* ---- its parts --------------------------------------------------------- */

/* Counts a hit, and holds it when it can still be shown. */
void search_add_hit(const struct search *search, struct search_row *row,
		    size_t line, size_t offset, struct str text);

/* Takes the row, with all it owns. */
void search_add_row(struct search *search, struct search_row *row);
void search_sort(struct search *search);

/* Chooses what is delivered of at most `most` rows.  -1: output_too_large. */
int search_fit(struct search *search, size_t most, struct fail *fail);

#endif /* NOTES_SEARCH_H */

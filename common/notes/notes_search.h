#ifndef NOTES_SEARCH_H
#define NOTES_SEARCH_H

#include "notes/notes_list.h"

/* notes_search: lines that hold a text (spec/notes.md section 5.5). */
struct notes_search_args {
	struct arg_list query;
	struct arg_integer max_matches_per_file;
	struct arg_string glob, cwd;
	struct arg_integer limit;
	struct arg_boolean wastebasket;
};

/* A line with a match. */
struct notes_search_hit {
	int64_t line;	 /* from 1 */
	int64_t offset;	 /* of the match, in characters of the body */
	char *excerpt;	 /* of the line, or the whole line */
	struct str text; /* what is shown: that, or a part and a mark */
	bool truncated;
	bool more_before, more_after; /* of the line than the excerpt */
	int64_t text_offset; /* of an excerpt's first character; FIELD_NONE */
};

/* Of longer lines so many characters are shown, so many before the match. */
#define NOTES_SEARCH_EXCERPT 400
#define NOTES_SEARCH_BEFORE 100

struct notes_search_row {
	struct notes_list_row note;
	int64_t total;		       /* lines with a match */
	struct notes_search_hit *hits; /* the first ones */
	size_t n, cap;
	struct field_list matches; /* those of them that are shown */
	/*
	 * Fewer hits are held than are wanted.  It only happens where they
	 * are too many to be shown, so this row cannot be shown whole.
	 */
	bool partial;
	size_t cost; /* what the hits add to the JSON, at least */
};

struct notes_search_result {
	struct survey survey;
	bool wastebasket;
	int64_t most_hits; /* wanted of one note */
	struct notes_search_row *rows;
	size_t n, cap;
	struct field_list files; /* the first rows, which are shown */
	int64_t more;		 /* of them, which are not */
	int64_t crumpled_excluded;
	struct fold_query *query; /* or NULL */
	struct buf cut;		  /* the text of a hit that is shown in part */
	size_t held;		  /* cost of all hits in memory */
	/* The first of the rows so far that cannot be shown; NULL: none. */
	const char *hidden;
	int64_t hidden_at;
};

int notes_search_run(const struct tool_call *call, void *result,
		     struct fail *fail);
void notes_search_text(const void *result, struct buf *out);
void notes_search_person(const void *result, const struct terminal *t,
			 struct buf *out);
void notes_search_release(void *result);

#endif /* NOTES_SEARCH_H */

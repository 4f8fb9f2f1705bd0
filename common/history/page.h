#ifndef HISTORY_PAGE_H
#define HISTORY_PAGE_H

#include "history/filter.h"
#include "history/head.h"
#include "sessions/session.h"
#include "tool/fail.h"

/*
 * A page of history_list: event rows, fold rows, where to go on, notices.
 * It is built in two steps: rows are taken in the order in which they are
 * admitted, then as many are shown as fit both surfaces.
 */
struct row {
	struct head head;
	bool truncated;
	int64_t total_chars;  /* of the document */
	struct str content;   /* what is shown of it */
	int64_t offset_chars; /* where content begins; FIELD_NONE if no hit */

	struct buf held;     /* as much as could be shown at most */
	size_t start_chars;  /* where it begins */
	size_t length_chars; /* of it */
	char *label;	     /* what head.session borrows from, or NULL */
};

/* Where to go on: parameters to merge into the next call. */
struct page_recipe {
	int64_t seq;	    /* before_seq, or after_seq */
	int from;	    /* 0: the one that there is */
	struct str session; /* or none */
};

struct page {
	const struct tool *tool; /* whose surfaces are measured */
	struct session session;	 /* what rows and folds borrow from */
	struct wrapper wrapper;
	struct str label; /* session to name in rows and recipes, or empty */

	struct row *rows; /* in order of admission */
	size_t n_rows, cap_rows;
	size_t n_shown;
	bool newest_first; /* admitted from the end: shown in reverse */
	bool has_older, has_newer;
	struct folds folds;

	struct damage damage;	    /* of the one session */
	int64_t sessions_skipped;   /* that cannot be read */
	int64_t sessions_left;	    /* from which rows might still come */
	unsigned hosts_unavailable; /* HOST_BIT()s: not all could be listed */
	bool cut_by_size;
	struct fold_query
		*hits;	  /* what a terminal gets marked, or NULL; owned */
	bool wildcard;	  /* a page of many sessions */
	struct str query; /* when it was one text; for the text without rows */

	/* While a page of many sessions is fitted. */
	int64_t not_visited; /* sessions */
	bool last_has_more;  /* that of the last row, beyond the rows taken */

	/* What is made of all that to be shown. */
	struct field_kind *order; /* rows and folds, by seq */
	size_t cap_order;
	struct field_list events;
	struct page_recipe recipe_older, recipe_newer;
	const struct page_recipe *page_older, *page_newer;
	struct str *host_names;
	struct field_list hosts; /* those that are unavailable */
};

void page_init(struct page *p, const struct tool *tool);
void page_release(void *page);

/* The i-th row shown, i < n_shown. */
const struct row *page_row(const struct page *p, size_t i);

/* The recipes' own members. */
extern const struct field page_older_fields[], page_newer_fields[];

void page_text(const void *page, struct buf *out);
void page_person(const void *page, const struct terminal *t, struct buf *out);

/* Takes an event as the next row; hit: as filter_matches() gave it. */
void page_add_row(struct page *p, const struct event *e, bool is_hit,
		  size_t hit, size_t max_chars);

/*
 * The same without a page, for page_take_row(), which empties it; label: the
 * session to name, copied.
 */
void page_make_row(struct row *row, struct str label, const struct event *e,
		   bool is_hit, size_t hit, size_t max_chars);
void page_take_row(struct page *p, struct row *row);
void page_release_row(struct row *row);

/*
 * Rows that are met oldest first, since their transcript is read one way only,
 * of which the newest are wanted: as many as `most`, and of these as many as
 * hold `most_bytes` of content, and one.
 */
struct newest {
	struct newest_row {
		struct row row;
		uint64_t id; /* the caller's */
	} * v;		     /* v[start], and so on around `most` */
	size_t most, most_bytes;
	size_t start, n, bytes;
	bool dropped; /* there were others */
};

void newest_init(struct newest *ring, size_t most, size_t most_bytes);
void newest_release(struct newest *ring);

/* Takes a row, which is emptied. */
void newest_add(struct newest *ring, struct row *row, uint64_t id);

/* The i-th, the newest first, i < n. */
struct newest_row *newest_at(struct newest *ring, size_t i);

/* What a page of one session is selected by. */
struct page_selection {
	struct filter filter;
	bool newest;	  /* which end of the range is taken first */
	size_t limit;	  /* most rows */
	size_t max_chars; /* of a row's content */
};

/*
 * Selects a page of the session that p has open and fits it
 * (spec/history.md sections 5.2, 5.3, 5.5).  -1 with page_too_large.
 */
int page_select(struct page *p, const struct page_selection *selection,
		struct fail *fail);

/*
 * Shortens the only row until the page fits: its content, and then its tool
 * name is left out (5.5 step 2).  False when that does not help.
 */
bool page_shorten(struct page *p);

/*
 * Fits the rows of several sessions that p has taken, in their order
 * (spec/history.md sections 5.4, 5.5).  -1 with page_too_large.
 */
int page_fit(struct page *p, struct fail *fail);

int page_refuse(struct fail *fail);

#endif /* HISTORY_PAGE_H */

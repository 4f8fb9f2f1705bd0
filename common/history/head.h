#ifndef HISTORY_HEAD_H
#define HISTORY_HEAD_H

#include "tool/declare.h"
#include "tool/facts.h"
#include "tool/terminal.h"
#include "transcript/event.h"

/*
 * What rows of a list and a read tell of an event besides its document:
 * identity and, of tools, a summary (spec/history.md sections 5.6 and 6).
 */
struct head {
	struct str session; /* when the call named one, else none; borrowed */
	int64_t seq;
	int role;	       /* of decoder_role_names */
	struct buf created_at; /* or empty */

	/* Of tools; else none. */
	struct str tool; /* none where there was no room for it */
	bool tool_name_omitted;
	int tool_status; /* of decoder_status_names, or -1 */
	bool output_truncated;
	struct buf full_output_path; /* of a file that exists, or empty */
	bool has_nested;
	struct head_nested {
		int64_t call_count;
		bool complete;
	} nested;

	struct buf name; /* what tool borrows from */
};

#define HEAD_INIT                                              \
	{                                                      \
		.tool_status = -1, .created_at = BUF_INIT,     \
		.full_output_path = BUF_INIT, .name = BUF_INIT \
	}

/* Copies what it needs of an event into an empty head. */
void head_set(struct head *h, struct str session, const struct event *e);
void head_release(struct head *h);

/* Leaves the tool's name out. */
void head_omit_name(struct head *h);

/*
 * The members that the rows of a list and a read have in common; nested_calls,
 * which only a read has, stands between the two tables.
 */
extern const struct field head_fields[], head_omitted_fields[];

/*
 * One header line, two of a tool, without the last line feed; `nested`: with
 * what is known of nested calls.  A terminal (else t is NULL) also gets the
 * time.
 */
void head_text(struct buf *out, const struct terminal *t, const struct head *h,
	       bool nested);

/* `session <host>:<id> | `, or nothing. */
void head_session_text(struct buf *out, const struct terminal *t,
		       struct str session);

/* The same as an option, with a blank before it; its letters need no quotes. */
void head_session_option(struct buf *out, struct str session);

/* ---- what could not be read -------------------------------------------- */

/*
 * Of one session (spec/history.md section 3.1); the last members of every
 * result about it.
 */
struct damage {
	int64_t lines_skipped;	  /* no well-formed records */
	int64_t records_repeated; /* with an id that an earlier one has */
	bool base_missing;	  /* of what the file continues */
};

struct damage head_damage(const struct transcript *t);

extern const struct field head_damage_fields[];

/* A line each, with its line feed. */
void head_damage_text(struct buf *out, const struct damage *d);

/*
 * The names of hosts that could not be listed completely (HOST_BIT()s), in
 * *names, which the caller frees; v is NULL for none.
 */
struct field_list head_hosts(unsigned hosts, struct str **names);

/* A line each, with its line feed. */
void head_hosts_text(struct buf *out, const struct field_list *hosts);

/* That n sessions were not searched to the end, and how to get there. */
void head_left_text(struct buf *out, const struct terminal *t, int64_t n);

/*
 * Where nothing holds a query of a few words, which was taken as one text: how
 * to look for any of them, as a line with its line feed before it.
 */
void head_offer_words(struct buf *out, const struct terminal *t,
		      struct str query);

/* ---- the host's wrapper ------------------------------------------------ */

/*
 * What the host puts around the text of a successful list or read
 * (spec/history.md section 5.5): measured and printed alike.
 */
struct wrapper {
	struct str prefix, suffix;
};

#define HEAD_WRAPPER_BYTES 8192

/* -1 with FAIL_ENVIRONMENT when they are too long or no UTF-8. */
int head_wrapper(struct wrapper *w, const struct facts *facts,
		 struct fail *fail);

#endif /* HISTORY_HEAD_H */

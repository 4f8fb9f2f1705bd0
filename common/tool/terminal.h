#ifndef TERMINAL_H
#define TERMINAL_H

#include "tool/declare.h"

/*
 * Text for a person at a terminal (spec/people.md section 5): local times, and
 * colours, which never are the only carrier of a fact.  Where t is NULL the
 * text is the plain one.
 */
struct terminal {
	bool color;
	int64_t now_ms; /* what today is */
	size_t columns; /* 0: not known */
};

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/*
 * Whether what is printed on stdout is for a terminal, and how; `now` is of
 * the host's facts.
 */
bool terminal_init(struct terminal *t, enum color color,
		   const struct facts *facts);

/* What a span of text is. */
enum terminal_style {
	TERMINAL_ADDRESS, /* of a note, a session, an event */
	TERMINAL_ROLE,
	TERMINAL_HIT, /* what a query found */
	TERMINAL_HEADER,
	TERMINAL_REFUSAL
};

/* Around a span; nothing without colour. */
void terminal_on(struct buf *out, const struct terminal *t,
		 enum terminal_style style);
void terminal_off(struct buf *out, const struct terminal *t);

/* Adds s as visible_field() does, in a style. */
void terminal_field(struct buf *out, const struct terminal *t,
		    enum terminal_style style, struct str s);

/* Adds text as visible_text() does, with all that the query finds marked. */
struct fold_query;
void terminal_hits(struct buf *out, const struct terminal *t,
		   const struct fold_query *query, struct str text);

/* `2026-11-29 18:02:11` of local time; the plain text: UTC as in the JSON. */
void terminal_time(struct buf *out, const struct terminal *t, int64_t ms);

/* The same for lists: `2026-11-29 18:02`, `today 18:02`, `yesterday 18:02`. */
void terminal_list_time(struct buf *out, const struct terminal *t, int64_t ms);

/*
 * Below a part of a text: where to read on, which is an option for a person;
 * nothing for FIELD_NONE.
 */
void terminal_continuation(struct buf *out, const struct terminal *t,
			   int64_t offset_chars);

#endif /* TERMINAL_H */

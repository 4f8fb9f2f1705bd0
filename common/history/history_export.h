#ifndef HISTORY_EXPORT_H
#define HISTORY_EXPORT_H

#include "history/passage.h"

/* history_export: sessions as documents (spec/people.md section 2). */
struct history_export_args {
	struct arg_string session;
	struct arg_enum format;
	struct arg_set roles;
	struct arg_string since, until, cwd;
	struct arg_boolean agents;
	struct arg_integer max_chars_per_item;
};

enum history_export_format {
	HISTORY_EXPORT_MARKDOWN,
	HISTORY_EXPORT_HTML,
	HISTORY_EXPORT_JSONL
};

/* The words of that, NULL-terminated. */
extern const char *const history_export_formats[];

/* Where a document is written to. */
struct export
{
	const struct tool_call *call;
	struct buf out; /* what is not written yet */
	bool begun;	/* something is */
	int error;	/* errno of a write that failed, or 0 */
	uint64_t events;
	bool progress; /* is told on stderr */
};

/* A format that is one session's. */
struct export_format {
	void (*begin)(struct export *x, const char *session,
		      const struct session_facts *facts, int64_t updated_at,
		      struct str resume);
	/* Called for each user event before all else, unless NULL. */
	void (*question)(struct export *x, const struct export_event *e);
	void (*questions_end)(struct export *x);
	void (*event)(struct export *x, const struct export_event *e);
	void (*end)(struct export *x);
};

extern const struct export_format export_markdown, export_html;

/* The third format: adds the line of an event. */
void export_line(struct export *x, const struct export_event *e);

/*
 * Writes the lines of all events of a large session, by several threads.
 * False: it is not large, or one thread alone can read it; nothing is done.
 */
bool export_lines(struct export *x, const struct passage *p);

/* Writes what another has, which is empty then. */
void export_take(struct export *x, struct export *from);

/* Adds ` · 2026-11-29 18:02:11 +0100` of a recorded time, or nothing. */
void export_time(struct buf *out, const char *before, struct str recorded);

/* The same of milliseconds, without anything before. */
void export_moment(struct buf *out, int64_t ms);

int history_export_stream(const struct tool_call *call, struct fail *fail);

#endif /* HISTORY_EXPORT_H */

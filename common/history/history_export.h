#ifndef HISTORY_EXPORT_H
#define HISTORY_EXPORT_H

#include "history/head.h"
#include "history/session_facts.h"
#include "transcript/event.h"

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

/* A line of JSON, and what the other formats make of an event. */
struct export_event {
	struct head head;
	struct str cwd; /* of the session; none where it records none */
	const struct head_nested *nested_calls; /* or NULL */
	struct str window_id;
	struct str text; /* the document, or its beginning */
	bool truncated;
	int64_t total_chars;

	bool begins_window; /* and is not the first event */
	/* Of a tool, parts of text. */
	struct str arguments, output; /* s NULL: not there */
};

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

/* Adds ` · 2026-11-29 18:02:11 +0100` of a recorded time, or nothing. */
void export_time(struct buf *out, const char *before, struct str recorded);

/* The same of milliseconds, without anything before. */
void export_moment(struct buf *out, int64_t ms);

int history_export_stream(const struct tool_call *call, struct fail *fail);

#endif /* HISTORY_EXPORT_H */

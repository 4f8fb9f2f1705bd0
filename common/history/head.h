#ifndef HISTORY_HEAD_H
#define HISTORY_HEAD_H

#include "base/json_write.h"
#include "transcript/event.h"

/*
 * What rows of a list and a read tell of an event besides its document:
 * identity and, of tools, a summary (spec/history.md sections 5.6 and 6).
 */
struct head {
	struct str session; /* when the call named one, else empty; borrowed */
	uint32_t seq;
	enum role role;
	bool has_created_at;
	struct buf created_at;

	struct buf tool;
	bool name_omitted; /* there was no room for it */
	enum tool_status status;
	bool truncated;
	struct buf path; /* of the full output, which exists; or empty */
	bool has_nested, nested_complete;
	uint64_t nested_count;
};

#define HEAD_INIT                                                          \
	{                                                                  \
		.created_at = BUF_INIT, .tool = BUF_INIT, .path = BUF_INIT \
	}

/* Copies what it needs of an event into an empty head. */
void head_set(struct head *h, struct str session, const struct event *e);
void head_release(struct head *h);

/* Members of an object that is open; `nested`: with nested_calls. */
void head_json(struct json_writer *w, const struct head *h, bool nested);

/* One header line, two of a tool, without the last line feed. */
void head_text(struct buf *out, const struct head *h, bool nested);

/* `session <host>:<id> | `, or nothing. */
void head_session_text(struct buf *out, struct str session);

#endif /* HISTORY_HEAD_H */

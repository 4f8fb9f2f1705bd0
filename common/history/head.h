#ifndef HISTORY_HEAD_H
#define HISTORY_HEAD_H

#include "base/json_write.h"
#include "tool/declare.h"
#include "tool/facts.h"
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

/* Members of an object that is open. */
void head_damage_json(struct json_writer *w, const struct damage *d);

/* A line each, with its line feed. */
void head_damage_text(struct buf *out, const struct damage *d);

/* ---- declared ---------------------------------------------------------- */

/*
 * What head_json() writes of an event, declared: members that the rows of a
 * list and a read have in common (spec/history.md sections 5.6 and 6).
 * nested_calls, which only a read has, stands between the two.
 */

/* clang-format off */
#define HEAD_FIELDS                                                           \
	{ .name = "session", .type = FIELD_STRING, .optional = true },        \
	{ .name = "seq", .type = FIELD_INTEGER },                             \
	{ .name = "role", .type = FIELD_ENUM, .values = decoder_role_names }, \
	{ .name = "created_at", .type = FIELD_STRING, .nullable = true },     \
	{ .name = "tool", .type = FIELD_STRING, .optional = true },           \
	{ .name = "tool_status", .type = FIELD_ENUM, .optional = true,        \
	  .values = decoder_status_names },                                   \
	{ .name = "output_truncated", .type = FIELD_BOOLEAN,                  \
	  .optional = true, .constant_true = true },                          \
	{ .name = "full_output_path", .type = FIELD_STRING, .optional = true }

/* What head_damage_json() writes. */
#define HEAD_DAMAGE_FIELDS                                                    \
	{ .name = "lines_skipped", .type = FIELD_INTEGER, .optional = true }, \
	{ .name = "records_repeated", .type = FIELD_INTEGER,                  \
	  .optional = true },                                                 \
	{ .name = "base_missing", .type = FIELD_BOOLEAN,                      \
	  .optional = true, .constant_true = true }

#define HEAD_FIELD_NAME_OMITTED                                               \
	{ .name = "tool_name_omitted", .type = FIELD_BOOLEAN,                 \
	  .optional = true, .constant_true = true }
/* clang-format on */

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

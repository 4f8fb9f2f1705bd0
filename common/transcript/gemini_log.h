#ifndef TRANSCRIPT_GEMINI_LOG_H
#define TRANSCRIPT_GEMINI_LOG_H

#include "base/json_span.h"
#include "transcript/transcript.h"

/*
 * The slots of a Gemini CLI transcript (spec/more-hosts.md section 3): a
 * header and lines.  A line is a message, which is written again when it
 * changes, or `$set`, which may bring all messages once more, or `$rewindTo`.
 * So where a slot's facts stand may change until the end of the file;
 * t->host remembers it for each slot.
 */

/* The members of a line, or of a message in a `$set`. */
enum {
	GEMINI_ID,
	GEMINI_TYPE,
	GEMINI_CONTENT,
	GEMINI_CALLS,
	GEMINI_TIME,
	GEMINI_SET,
	GEMINI_REWIND,
	GEMINI_COUNT
};
extern const char *const gemini_log_members[];

void gemini_log_begin(struct transcript *t, struct str first);
void gemini_log_end(struct transcript *t);

/* Indexes a record, line `number` of the file.  Always true. */
bool gemini_log_index(struct transcript *t, struct str record, uint64_t number);

/*
 * Where a slot is told of last: a part of a line is its message and then each
 * of its calls, and those of a `$set` are the parts of its messages in order.
 */
struct slot_place gemini_log_place(const struct transcript *t, uint32_t seq);

/* The time of the message with that id, raw; s is NULL: there is none. */
struct str gemini_log_time(const struct transcript *t, struct str id);

/* The next call that has an id; false at the end. */
bool gemini_log_next_call(struct json_iter *it, struct str *call,
			  struct str *id);

/* Adds the text of a message; false: hooks wrote all of it. */
bool gemini_log_add_text(struct str content, struct buf *out);

#endif /* TRANSCRIPT_GEMINI_LOG_H */

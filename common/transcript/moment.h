#ifndef TRANSCRIPT_MOMENT_H
#define TRANSCRIPT_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/timestamp.h"

#define TRANSCRIPT_TIME_BYTES 64 /* a longer created_at reads as null (3.4) */

/* Times as parameters (spec/history.md section 1.4). */

struct time_range {
	bool has_since, has_until;
	struct instant since; /* at or after */
	struct instant until; /* before */
};

/*
 * An RFC 3339 date-time; YYYY-MM-DD, `today` or `yesterday`, the start of that
 * day, in the process's time zone (local) or UTC; or <n>s|m|h|d|w before now
 * (milliseconds since 1970).  False when it is none of them.
 */
bool moment_parse(struct str s, int64_t now, bool local, struct instant *t);

/*
 * Whether a recorded time lies in the range; what is not an RFC 3339 date-time
 * never does, unless there are no bounds at all.
 */
bool moment_in_range(const struct time_range *range, struct str recorded);

/*
 * Adds a time as a record has it; false: it is no string, or longer than
 * TRANSCRIPT_TIME_BYTES.
 */
bool moment_load(struct str at, struct buf *out);

#endif /* TRANSCRIPT_MOMENT_H */

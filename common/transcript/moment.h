#ifndef TRANSCRIPT_MOMENT_H
#define TRANSCRIPT_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "base/timestamp.h"

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

#endif /* TRANSCRIPT_MOMENT_H */

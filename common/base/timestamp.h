#ifndef TIMESTAMP_H
#define TIMESTAMP_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/str.h"

/* A point in time: seconds since 1970 UTC (may be negative), and 0..999999999 ns. */
struct instant {
	int64_t s;
	int32_t ns;
};

#define TIMESTAMP_SIZE 40 /* enough for every text written here */

int instant_cmp(struct instant a, struct instant b);
struct instant instant_from_ms(int64_t ms);
int64_t instant_to_ms(struct instant t); /* rounded down */

/* A file may claim any time; what is outside 0001 to 9999 is cut to that. */
struct instant instant_of_file(const struct timespec *t);

/*
 * 2026-08-01T08:00:00.000Z.  A year outside 0000 to 9999 has as many digits as
 * it needs and a sign when it is negative.
 */
void timestamp_utc(int64_t ms, char out[TIMESTAMP_SIZE]);

/*
 * 2026-08-01T10:00:00.000+02:00, in the process's time zone; never Z.  Reads
 * back as the same moment, whatever the zone: where the local year would not
 * be one of 0001 to 9999, or the offset not less than a day, it is +00:00.
 */
void timestamp_local(int64_t ms, char out[TIMESTAMP_SIZE]);

/* The start of the day that was so many days before the one of t, likewise. */
struct instant timestamp_day(struct instant t, int64_t days_before, bool local);

/*
 * All three take a whole text, check the calendar (no 30 February), and leave
 * *t alone where they return false.
 *
 * RFC 3339 date-time, Z or numeric offset required, years 0000 to 9999; t and
 * z in lower case accepted; second 60 is the next second; digits of the
 * fraction beyond nine are ignored.  spec/history.md section 1.4.
 */
bool timestamp_rfc3339(struct str s, struct instant *t);

/* YYYY-MM-DD, the start of that day: in the process's time zone, or UTC. */
bool timestamp_date(struct str s, bool local, struct instant *t);

/*
 * What note files may hold (spec/notes.md section 3): YYYY-MM-DD, or
 * YYYY-MM-DDTHH:MM[:SS[.fraction]][Z|+-HH:MM] with a blank allowed for T and
 * local time where no offset is given; years 0001 to 9999; the rest as for
 * RFC 3339.  A local time that occurs twice is the earlier one; one that a
 * change of the clock skips is that much later.
 */
bool timestamp_loose(struct str s, struct instant *t);

#endif /* TIMESTAMP_H */

/*
 * What is read is written back the same: a time in UTC by timegm()'s account,
 * any time of ours in local time, under odd zones.  What one reader takes, the
 * laxer one takes for the same moment.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/timestamp.h"

static void
require(bool holds)
{
	if (!holds)
		abort();
}

static void
set_zone(unsigned which)
{
	static const char *const zones[] = {
		"UTC",
		"CET-1CEST,M3.5.0,M10.5.0/3",
		"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
		"NST3:30NDT,M3.2.0,M11.1.0",
		"AMT-0:19:32",
		"<-14>14",
		"<+1345>-12:45<+1445>,M9.5.0/2:45,M4.1.0/3:45",
	};

	setenv("TZ", zones[which % (sizeof(zones) / sizeof(zones[0]))], 1);
	tzset();
}

static void
check_writing(int64_t ms)
{
	char out[TIMESTAMP_SIZE];
	struct instant t, l;
	struct tm tm = { 0 };

	timestamp_utc(ms, out);
	if (ms < INT64_C(-62167219200000) || ms >= INT64_C(253402300800000))
		return;
	require(timestamp_rfc3339(str_of(out), &t) && instant_to_ms(t) == ms);
	require(sscanf(out, "%d-%d-%dT%d:%d:%d", &tm.tm_year, &tm.tm_mon,
		       &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &tm.tm_sec) == 6);
	tm.tm_year -= 1900;
	tm.tm_mon--;
	require(timegm(&tm) == t.s);
	/* Not where a zone could lead out of the years that are read. */
	if (ms < INT64_C(-62135000000000) || ms >= INT64_C(253402000000000))
		return;
	timestamp_local(ms, out);
	require(out[strlen(out) - 1] != 'Z');
	require(timestamp_rfc3339(str_of(out), &t) && instant_to_ms(t) == ms);
	require(timestamp_loose(str_of(out), &l) && instant_cmp(t, l) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char *copy = malloc(n + (n == 0));
	struct str s = { copy, n };
	struct instant strict, loose, date;
	int64_t ms = 0;

	if (copy == NULL)
		abort();
	if (n > 0)
		memcpy(copy, p, n);
	set_zone(n == 0 ? 0 : p[n - 1]);
	if (timestamp_rfc3339(s, &strict)) {
		require(strict.ns >= 0 && strict.ns < 1000000000);
		check_writing(instant_to_ms(strict));
		require(memcmp(s.s, "0000", 4) == 0 ||
			(timestamp_loose(s, &loose) &&
			 instant_cmp(strict, loose) == 0));
	}
	if (timestamp_date(s, false, &date)) {
		require(date.s % 86400 == 0 && date.ns == 0 && s.n == 10);
		require(memcmp(s.s, "0000", 4) == 0 ||
			(timestamp_loose(s, &loose) &&
			 instant_cmp(date, loose) == 0));
	}
	if (timestamp_loose(s, &loose))
		check_writing(instant_to_ms(loose));
	if (n >= sizeof(ms)) {
		memcpy(&ms, copy, sizeof(ms));
		require(instant_to_ms(instant_from_ms(ms)) == ms);
		check_writing(ms);
		check_writing(ms % INT64_C(253402300800000));
	}
	free(copy);
	return 0;
}

#include "transcript/moment.h"

#include <stdlib.h>
#include <time.h>

#include "test.h"

#define NOW INT64_C(1785571200000) /* 2026-08-01T08:00:00Z */

static void
is_moment(const char *text, int64_t s, int32_t ns)
{
	struct instant t = { 0, 0 };

	ok(moment_parse(str_of(text), NOW, false, &t) && t.s == s && t.ns == ns,
	   "%s is %lld.%09d", text, (long long)s, (int)ns);
}

static void
is_none(const char *text)
{
	struct instant t;

	ok(!moment_parse(str_of(text), NOW, false, &t), "\"%s\" is not a time",
	   text);
}

static void
check_range(void)
{
	struct time_range range = { 0 };

	ok(moment_in_range(&range, STR("when?")), "no bounds: anything");
	range.has_since = true;
	range.since = (struct instant){ 1785571200, 5 };
	ok(moment_in_range(&range, STR("2026-08-01T08:00:00.000000005Z")),
	   "since is inclusive");
	ok(!moment_in_range(&range, STR("2026-08-01T08:00:00.000000004Z")),
	   "to the nanosecond");
	ok(!moment_in_range(&range, STR("when?")), "what is not a time, never");
	ok(!moment_in_range(&range, STR("2026-08-02")), "nor is a date");
	range.has_until = true;
	range.until = (struct instant){ 1785571201, 0 };
	ok(!moment_in_range(&range, STR("2026-08-01T10:00:01+02:00")),
	   "until is exclusive");
	ok(moment_in_range(&range, STR("2026-08-01T08:00:00.9999999999Z")),
	   "digits beyond the ninth are not looked at");
}

/* The same of somebody in that time zone. */
static void
is_local(const char *zone, int64_t now, const char *text, const char *utc)
{
	struct instant t = { 0, 0 }, want = { 0, 0 };

	setenv("TZ", zone, 1);
	tzset();
	ok(timestamp_rfc3339(str_of(utc), &want) &&
		   moment_parse(str_of(text), now, true, &t) &&
		   instant_cmp(t, want) == 0,
	   "%s in %s is %s", text, zone, utc);
}

static void
check_local(void)
{
	/* 2026-08-01T08:00:00Z is another day in each of these. */
	is_local("LOC-16", NOW, "today", "2026-08-01T08:00:00Z");
	is_local("LOC-16", NOW - 1, "today", "2026-07-31T08:00:00Z");
	is_local("LOC-2", NOW, "today", "2026-07-31T22:00:00Z");
	is_local("LOC9", NOW, "today", "2026-07-31T09:00:00Z");
	is_local("LOC9", NOW, "yesterday", "2026-07-30T09:00:00Z");
	is_local("LOC-2", NOW, "2026-02-28", "2026-02-27T22:00:00Z");
	/* Clocks are put forward on 29 March, and yesterday has 23 hours. */
	is_local("CET-1CEST,M3.5.0,M10.5.0/3", INT64_C(1774864800000),
		 "yesterday", "2026-03-28T23:00:00Z");
	is_local("CET-1CEST,M3.5.0,M10.5.0/3", INT64_C(1774864800000), "today",
		 "2026-03-29T22:00:00Z");
	is_local("LOC-2", NOW, "2026-08-01T08:00:00Z", "2026-08-01T08:00:00Z");
	is_local("LOC-2", NOW, "1d", "2026-07-31T08:00:00Z");
	setenv("TZ", "UTC", 1);
	tzset();
}

int
main(void)
{
	is_moment("2026-08-01T08:00:00Z", 1785571200, 0);
	is_moment("2026-08-01t10:00:00.25+02:00", 1785571200, 250000000);
	is_moment("2026-08-01T07:59:60z", 1785571200, 0);
	is_moment("2026-08-01", 1785542400, 0);
	is_moment("today", 1785542400, 0);
	is_moment("yesterday", 1785456000, 0);
	is_none("Today");
	is_none("tomorrow");
	is_none("today ");
	is_moment("0s", 1785571200, 0);
	is_moment("90s", 1785571110, 0);
	is_moment("5m", 1785570900, 0);
	is_moment("24h", 1785484800, 0);
	is_moment("1d", 1785484800, 0);
	is_moment("2w", 1784361600, 0);
	is_moment("999999999w", INT64_C(1785571200) - INT64_C(604799999395200),
		  0);
	is_none("");
	is_none("in a week");
	is_none("10min");
	is_none("2026-02-29");
	is_none("2026-02-30T00:00:00Z");
	is_none("2026-01-01T00:00:00");
	is_none("d");
	is_none("-1d");
	is_none("1.5d");
	is_none("1 d");
	is_none("1D");
	is_none("1000000000s");
	is_none("1785571200");
	check_local();
	check_range();
	return done();
}

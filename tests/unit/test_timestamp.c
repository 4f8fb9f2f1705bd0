#include "test.h"

#include <time.h>

#include "base/timestamp.h"

typedef bool read_function(struct str s, struct instant *t);

static bool
date_utc(struct str s, struct instant *t)
{
	return timestamp_date(s, false, t);
}

static void
zone(const char *name)
{
	setenv("TZ", name, 1);
	tzset();
}

static void
reads(read_function *read, const char *text, int64_t s, int32_t ns)
{
	struct instant t = { -1, -1 };
	bool good = read(str_of(text), &t);

	if (!ok(good && t.s == s && t.ns == ns, "reads %s", text))
		printf("# %d %lld %d\n", good, (long long)t.s, (int)t.ns);
}

static void
refuses(read_function *read, const char *text)
{
	struct instant t = { -1, -1 };

	ok(!read(str_of(text), &t) && t.s == -1 && t.ns == -1, "refuses %s",
	   text);
}

static void
rfc3339(void)
{
	static const char *const bad[] = {
		"",
		"2026-01-01",
		"2026-01-01T00:00:00",
		"2026-01-01T00:00Z",
		"2026-01-01T00:00:00+0200",
		"2026-01-01T00:00:00+02",
		"2026-01-01T00:00:00+24:00",
		"2026-01-01T00:00:00+02:60",
		"2026-01-01T00:00:00 Z",
		"2026-01-01T00:00:00Z ",
		" 2026-01-01T00:00:00Z",
		"2026-01-01 00:00:00Z",
		"2026-01-01T00:00:00.Z",
		"2026-01-01T00:00:00,5Z",
		"2026-01-01T00:00:00ZZ",
		"2026-01-01T00:00:00\342\210\22201:00",
		"2026-01-01T24:00:00Z",
		"2026-01-01T00:60:00Z",
		"2026-01-01T00:00:61Z",
		"2026-1-01T00:00:00Z",
		"2026-01-1T00:00:00Z",
		"26-01-01T00:00:00Z",
		"12026-01-01T00:00:00Z",
		"+2026-01-01T00:00:00Z",
		"-026-01-01T00:00:00Z",
		"2026-00-01T00:00:00Z",
		"2026-13-01T00:00:00Z",
		"2026-01-00T00:00:00Z",
		"2026-01-32T00:00:00Z",
		"2026-04-31T00:00:00Z",
		"2026-02-29T00:00:00Z",
		"2026-02-30T00:00:00Z",
		"2024-02-30T00:00:00Z",
		"1900-02-29T00:00:00Z",
		"2026-01-01T0:00:00Z",
		"2026-01-01T00:00:0 Z",
		"2026-01-01T00:00:-1Z",
		"20260101T000000Z",
	};
	size_t i;

	reads(timestamp_rfc3339, "1970-01-01T00:00:00Z", 0, 0);
	reads(timestamp_rfc3339, "2026-08-01T10:00:00.000+02:00", 1785571200,
	      0);
	reads(timestamp_rfc3339, "2026-08-01t08:00:00z", 1785571200, 0);
	reads(timestamp_rfc3339, "2026-08-01T08:00:00-00:00", 1785571200, 0);
	reads(timestamp_rfc3339, "2026-08-02T07:59:00+23:59", 1785571200, 0);
	reads(timestamp_rfc3339, "2026-07-31T08:01:00-23:59", 1785571200, 0);
	reads(timestamp_rfc3339, "1969-12-31T23:59:59.5Z", -1, 500000000);
	reads(timestamp_rfc3339, "1970-01-01T00:00:00.123456789Z", 0,
	      123456789);
	reads(timestamp_rfc3339, "1970-01-01T00:00:00.1234567899999999999Z", 0,
	      123456789);
	reads(timestamp_rfc3339, "1970-01-01T00:00:00.000000001Z", 0, 1);
	reads(timestamp_rfc3339, "1970-01-01T00:00:00.0000000009Z", 0, 0);
	reads(timestamp_rfc3339, "2016-12-31T23:59:60Z", 1483228800, 0);
	reads(timestamp_rfc3339, "2016-12-31T23:59:60.25Z", 1483228800,
	      250000000);
	reads(timestamp_rfc3339, "2024-02-29T00:00:00Z", 1709164800, 0);
	reads(timestamp_rfc3339, "2000-02-29T00:00:00Z", 951782400, 0);
	reads(timestamp_rfc3339, "9999-12-31T23:59:59Z", 253402300799, 0);
	reads(timestamp_rfc3339, "0001-01-01T00:00:00Z", -62135596800, 0);
	reads(timestamp_rfc3339, "0000-02-29T00:00:00Z", -62162121600, 0);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		refuses(timestamp_rfc3339, bad[i]);
	ok(!timestamp_rfc3339(STR("2026-01-01T00:00:00Z\0"),
			      &(struct instant){ 0, 0 }),
	   "refuses a NUL at the end");
	ok(!timestamp_rfc3339(STR("2026-01-01\0"
				  "00:00:00Z"),
			      &(struct instant){ 0, 0 }),
	   "refuses a NUL for the T");
	ok(!timestamp_rfc3339((struct str){ NULL, 0 },
			      &(struct instant){ 0, 0 }),
	   "refuses the empty span");
}

static void
dates(void)
{
	reads(date_utc, "2026-08-01", 1785542400, 0);
	reads(date_utc, "1970-01-01", 0, 0);
	refuses(date_utc, "2026-02-29");
	refuses(date_utc, "2026-08-01T00:00:00Z");
	refuses(date_utc, "2026-8-1");
	refuses(date_utc, "20260801");
	refuses(date_utc, "");
}

static void
loose(void)
{
	zone("UTC");
	reads(timestamp_loose, "2026-08-01", 1785542400, 0);
	reads(timestamp_loose, "2026-08-01T08:00", 1785571200, 0);
	reads(timestamp_loose, "2026-08-01 08:00", 1785571200, 0);
	reads(timestamp_loose, "2026-08-01 08:00:00.25", 1785571200, 250000000);
	reads(timestamp_loose, "2026-08-01T08:00Z", 1785571200, 0);
	reads(timestamp_loose, "2026-08-01T10:00+02:00", 1785571200, 0);
	reads(timestamp_loose, "2026-08-01T10:00:00.000+02:00", 1785571200, 0);
	reads(timestamp_loose, "0001-01-01T00:00", -62135596800, 0);
	reads(timestamp_loose, "9999-12-31T23:59:59", 253402300799, 0);
	refuses(timestamp_loose, "0000-12-31");
	refuses(timestamp_loose, "0000-12-31T00:00Z");
	refuses(timestamp_loose, "2026-08-01T08");
	refuses(timestamp_loose, "2026-08-01T");
	refuses(timestamp_loose, "2026-08-01T08:00:");
	refuses(timestamp_loose, "2026-08-01T08:00:00.");
	refuses(timestamp_loose, "2026-08-01  08:00");
	refuses(timestamp_loose, "2026-08-01T08:00 +02:00");
	refuses(timestamp_loose, "2026-08-01T08:00+0200");
	refuses(timestamp_loose, "2026-02-30T08:00");
	refuses(timestamp_loose, "yesterday");
	refuses(timestamp_loose, "");
}

/* Names are spelled out as rules, so that no zone files are needed. */
#define BERLIN "CET-1CEST,M3.5.0,M10.5.0/3"
#define LORD_HOWE "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"
#define KATHMANDU "<+0545>-5:45"
#define NEWFOUNDLAND "NST3:30NDT,M3.2.0,M11.1.0"
#define AMSTERDAM_1900 "AMT-0:19:32"

static void
local_reading(void)
{
	zone(BERLIN);
	reads(timestamp_loose, "2026-08-01T10:00", 1785571200, 0);
	reads(timestamp_loose, "2026-01-01T01:00", 1767225600, 0);
	reads(timestamp_loose, "2026-08-01", 1785542400, 0);
	reads(timestamp_loose, "2026-08-01T10:00Z", 1785578400, 0);
	/* Put forward at 2026-03-29T01:00Z. */
	reads(timestamp_loose, "2026-03-29T01:59:59", 1774745999, 0);
	reads(timestamp_loose, "2026-03-29T02:30", 1774747800, 0);
	reads(timestamp_loose, "2026-03-29T03:00", 1774746000, 0);
	/* Put back at 2026-10-25T01:00Z. */
	reads(timestamp_loose, "2026-10-25T01:59", 1792886340, 0);
	reads(timestamp_loose, "2026-10-25T02:30", 1792888200, 0);
	reads(timestamp_loose, "2026-10-25T03:00", 1792893600, 0);
	zone(LORD_HOWE);
	reads(timestamp_loose, "2026-07-01T10:30", 1782864000, 0);
	reads(timestamp_loose, "2026-01-01T11:00", 1767225600, 0);
	reads(timestamp_loose, "2026-04-05T01:45", 1775313900, 0);
	zone(KATHMANDU);
	reads(timestamp_loose, "2026-01-01T05:45", 1767225600, 0);
	zone(NEWFOUNDLAND);
	reads(timestamp_loose, "2025-12-31T20:30", 1767225600, 0);
	reads(timestamp_loose, "2026-07-31T21:30", 1785542400, 0);
}

static void
writes(const char *tz, int64_t ms, const char *want)
{
	char out[TIMESTAMP_SIZE];

	zone(tz);
	timestamp_local(ms, out);
	is_string(out, want, want);
}

static void
writing(void)
{
	char out[TIMESTAMP_SIZE];

	timestamp_utc(1785571200000, out);
	is_string(out, "2026-08-01T08:00:00.000Z", "UTC");
	timestamp_utc(-1, out);
	is_string(out, "1969-12-31T23:59:59.999Z", "before 1970");
	timestamp_utc(-62135596800000, out);
	is_string(out, "0001-01-01T00:00:00.000Z", "the year 1");
	timestamp_utc(253402300799999, out);
	is_string(out, "9999-12-31T23:59:59.999Z", "the year 9999");
	timestamp_utc(INT64_MAX, out);
	is_string(out, "292278994-08-17T07:12:55.807Z", "the last moment");
	timestamp_utc(INT64_MIN, out);
	is_string(out, "-292275055-05-16T16:47:04.192Z", "the first moment");
	writes("UTC", 1785571200000, "2026-08-01T08:00:00.000+00:00");
	writes(BERLIN, 1785571200123, "2026-08-01T10:00:00.123+02:00");
	writes(BERLIN, 1767225600000, "2026-01-01T01:00:00.000+01:00");
	writes(BERLIN, 1774745999999, "2026-03-29T01:59:59.999+01:00");
	writes(BERLIN, 1774746000000, "2026-03-29T03:00:00.000+02:00");
	writes(LORD_HOWE, 1782864000000, "2026-07-01T10:30:00.000+10:30");
	writes(KATHMANDU, 1767225600000, "2026-01-01T05:45:00.000+05:45");
	writes(NEWFOUNDLAND, 1767225600000, "2025-12-31T20:30:00.000-03:30");
	writes("<-14>14", 0, "1969-12-31T10:00:00.000-14:00");
	writes("<+14>-14", -1, "1970-01-01T13:59:59.999+14:00");
	writes(AMSTERDAM_1900, 0, "1970-01-01T00:19:00.000+00:19");
	writes("LOC0:19:32", 0, "1969-12-31T23:41:00.000-00:19");
	writes("<-23>23:59:59", 0, "1969-12-31T00:01:00.000-23:59");
	writes("<+25>-25", 0, "1970-01-01T00:00:00.000+00:00");
	writes("<-25>24:59:59", 0, "1970-01-01T00:00:00.000+00:00");
	/* A local year of 0 or of five digits could not be read back. */
	writes("<-14>14", -62135596800000, "0001-01-01T00:00:00.000+00:00");
	writes("<+14>-14", 253402300799999, "9999-12-31T23:59:59.999+00:00");
	writes("<-14>14", 253402300799999, "9999-12-31T09:59:59.999-14:00");
}

static void
of_file(int64_t s, long ns, int64_t want, const char *name)
{
	const struct timespec t = { .tv_sec = s, .tv_nsec = ns };

	is_int(instant_to_ms(instant_of_file(&t)), want, name);
}

static void
times_of_files(void)
{
	of_file(1785571200, 123999999, 1785571200123, "a file's time");
	of_file(-1, 999999999, -1, "before 1970, rounded down");
	of_file(10413792000, 5000000, 10413792000005, "the year 2300");
	of_file(INT64_MAX, 1, 253402300799000, "the farthest time");
	of_file(INT64_MIN, 1, -62135596800000, "the earliest time");
}

/* Every day of some centuries, counted up from the first year. */
static void
every_day(void)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30,
				    31, 31, 30, 31, 30, 31 };
	int64_t at = -62167219200, bad = 0;
	int year, month, day;

	for (year = 0; year <= 9999; year++)
		for (month = 1; month <= 12; month++) {
			int last = days[month - 1];

			if (month == 2 && (year % 400 == 0 ||
					   (year % 4 == 0 && year % 100 != 0)))
				last++;
			for (day = 1; day <= last; day++, at += 86400) {
				char text[64], out[TIMESTAMP_SIZE];
				struct instant t;

				if (year % 1000 > 210)
					continue;
				(void)snprintf(text, sizeof(text),
					       "%04d-%02d-%02dT00:00:00.000Z",
					       year, month, day);
				timestamp_utc(at * 1000, out);
				bad += strcmp(text, out) != 0 ||
				       !timestamp_rfc3339(str_of(text), &t) ||
				       t.s != at || t.ns != 0;
			}
		}
	is_int(bad, 0, "every day of 2,110 years, both ways");
}

static void
local_round_trip(void)
{
	static const char *const zones[] = { "UTC",	   BERLIN,
					     LORD_HOWE,	   KATHMANDU,
					     NEWFOUNDLAND, AMSTERDAM_1900 };
	uint64_t seed = 42;
	size_t i, bad = 0;
	int n;

	for (i = 0; i < sizeof(zones) / sizeof(zones[0]); i++) {
		zone(zones[i]);
		for (n = 0; n < 3000; n++) {
			int64_t ms = (int64_t)(test_random(&seed) %
					       8000000000000) -
				     4000000000000;
			char out[TIMESTAMP_SIZE];
			struct instant t;

			timestamp_local(ms, out);
			bad += !timestamp_rfc3339(str_of(out), &t) ||
			       instant_to_ms(t) != ms ||
			       !timestamp_loose(str_of(out), &t) ||
			       instant_to_ms(t) != ms;
			/* Whole offsets: the fields are those of the clock. */
			if (zones[i] != zones[5]) {
				struct instant l;

				out[23] = '\0';
				bad += !timestamp_loose(str_of(out), &l) ||
				       (l.s != t.s && t.s - l.s != 3600 &&
					t.s - l.s != 1800);
			}
		}
	}
	is_int((long long)bad, 0, "what is written in local time reads back");
}

static void
instants(void)
{
	struct instant a = { -1, 999000000 }, b = { 0, 0 }, c = { 0, 1 };

	ok(instant_cmp(a, b) < 0 && instant_cmp(b, c) < 0 &&
		   instant_cmp(c, a) > 0 && instant_cmp(c, c) == 0,
	   "instants are ordered");
	is_int(instant_to_ms(a), -1, "before 1970 in milliseconds");
	is_int(instant_to_ms((struct instant){ -1, 1 }), -1000, "rounded down");
	a = instant_from_ms(-1);
	ok(a.s == -1 && a.ns == 999000000, "and back");
	ok(instant_to_ms(instant_from_ms(INT64_MIN)) == INT64_MIN &&
		   instant_to_ms(instant_from_ms(INT64_MAX)) == INT64_MAX,
	   "the first and the last millisecond");
}

int
main(void)
{
	rfc3339();
	dates();
	loose();
	local_reading();
	writing();
	every_day();
	local_round_trip();
	times_of_files();
	instants();
	return done();
}

#include "base/timestamp.h"

#include <stdio.h>

#define DAY INT64_C(86400)

/* From the first to the last second of the years 0001 to 9999. */
#define YEARS_FIRST INT64_C(-62135596800)
#define YEARS_LAST INT64_C(253402300799)

int
instant_cmp(struct instant a, struct instant b)
{
	if (a.s != b.s)
		return a.s < b.s ? -1 : 1;
	return (a.ns > b.ns) - (a.ns < b.ns);
}

/* Rounds down, where C rounds towards zero. */
static int64_t
divide(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* What divide() leaves: never negative. */
static int64_t
modulo(int64_t a, int64_t b)
{
	return a % b + (a % b < 0 ? b : 0);
}

struct instant
instant_from_ms(int64_t ms)
{
	int64_t s = divide(ms, 1000);

	return (struct instant){ s, (int32_t)modulo(ms, 1000) * 1000000 };
}

int64_t
instant_to_ms(struct instant t)
{
	/* One second towards 0, or the first moment would not fit half-way. */
	if (t.s < 0)
		return (t.s + 1) * 1000 + (t.ns / 1000000 - 1000);
	return t.s * 1000 + t.ns / 1000000;
}

struct instant
instant_of_file(const struct timespec *t)
{
	int64_t s = t->tv_sec;

	if (s < YEARS_FIRST)
		return (struct instant){ YEARS_FIRST, 0 };
	if (s > YEARS_LAST)
		return (struct instant){ YEARS_LAST, 0 };
	return (struct instant){ s, (int32_t)t->tv_nsec };
}

/* ---- the calendar ------------------------------------------------------ */

/*
 * Days and dates of the proleptic Gregorian calendar, in years that begin in
 * March so that the day that leap years have comes last.  An era is the 400
 * years, 146,097 days, after which the calendar repeats.
 */
#define ERA_DAYS 146097
#define DAYS_TO_1970 719468 /* from 1 March of the year 0 */

struct date {
	int64_t year;
	int month, day; /* from 1 */
};

/* Days since 1970-01-01. */
static int64_t
date_to_days(struct date d)
{
	int64_t year = d.year - (d.month <= 2);
	int64_t era = divide(year, 400);
	int64_t year_of_era = year - era * 400;
	int month = (d.month + 9) % 12; /* March is 0 */
	int64_t day_of_year = (153 * month + 2) / 5 + d.day - 1;

	return era * ERA_DAYS + year_of_era * 365 + year_of_era / 4 -
	       year_of_era / 100 + day_of_year - DAYS_TO_1970;
}

static struct date
date_from_days(int64_t days)
{
	int64_t era, day, year, day_of_year, month;

	days += DAYS_TO_1970;
	era = divide(days, ERA_DAYS);
	day = days - era * ERA_DAYS;
	year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
	day_of_year = day - (365 * year + year / 4 - year / 100);
	month = (5 * day_of_year + 2) / 153;
	return (struct date){
		.year = year + era * 400 + (month >= 10),
		.month = (int)(month < 10 ? month + 3 : month - 9),
		.day = (int)(day_of_year - (153 * month + 2) / 5 + 1),
	};
}

static bool
is_leap(int year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int
days_in_month(int year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30,
				    31, 31, 30, 31, 30, 31 };

	return days[month - 1] + (month == 2 && is_leap(year));
}

/* ---- writing ----------------------------------------------------------- */

/* Up to the milliseconds; gives the length. */
static size_t
write_time(int64_t s, int ms, char out[TIMESTAMP_SIZE])
{
	int64_t days = divide(s, DAY);
	int second = (int)modulo(s, DAY);
	struct date d = date_from_days(days);
	int n = snprintf(out, TIMESTAMP_SIZE,
			 "%04lld-%02d-%02dT%02d:%02d:%02d.%03d",
			 (long long)d.year, d.month, d.day, second / 3600,
			 second / 60 % 60, second % 60, ms);

	return (size_t)n;
}

void
timestamp_utc(int64_t ms, char out[TIMESTAMP_SIZE])
{
	struct instant t = instant_from_ms(ms);
	size_t n = write_time(t.s, t.ns / 1000000, out);

	out[n] = 'Z';
	out[n + 1] = '\0';
}

/* Local time minus UTC at that moment, in seconds. */
static int64_t
offset_at(int64_t s)
{
	time_t t = (time_t)s;
	struct tm tm;

	/* It fails for years that do not fit an int only. */
	return localtime_r(&t, &tm) == NULL ? 0 : tm.tm_gmtoff;
}

void
timestamp_local(int64_t ms, char out[TIMESTAMP_SIZE])
{
	struct instant t = instant_from_ms(ms);
	/*
	 * In old times offsets had seconds, which cannot be written: the
	 * local time shown goes with the offset shown, so that the text still
	 * names this very moment.
	 */
	int minutes = (int)(offset_at(t.s) / 60), size;
	size_t n;

	/* Nor can a day's offset, or a local year not of four digits. */
	if (minutes <= -DAY / 60 || minutes >= DAY / 60 ||
	    t.s + minutes * 60 < YEARS_FIRST || t.s + minutes * 60 > YEARS_LAST)
		minutes = 0;
	size = minutes < 0 ? -minutes : minutes;
	n = write_time(t.s + minutes * 60, t.ns / 1000000, out);
	(void)snprintf(out + n, TIMESTAMP_SIZE - n, "%c%02d:%02d",
		       minutes < 0 ? '-' : '+', size / 60 % 100, size % 60);
}

/* ---- reading ----------------------------------------------------------- */

/* What is still to be read of a text; every take_* function moves it on. */
static bool
take_digits(struct str *s, size_t n, int *v)
{
	if (s->n < n)
		return false;
	*v = 0;
	for (size_t i = 0; i < n; i++) {
		if (s->s[i] < '0' || s->s[i] > '9')
			return false;
		*v = *v * 10 + (s->s[i] - '0');
	}
	*s = str_from(*s, n);
	return true;
}

static bool
take_one_of(struct str *s, const char *set)
{
	if (s->n == 0 || s->s[0] == '\0' || strchr(set, s->s[0]) == NULL)
		return false;
	*s = str_from(*s, 1);
	return true;
}

static bool
take_date(struct str *s, int64_t *days)
{
	int year, month, day;

	if (!take_digits(s, 4, &year) || !take_one_of(s, "-") ||
	    !take_digits(s, 2, &month) || !take_one_of(s, "-") ||
	    !take_digits(s, 2, &day))
		return false;
	if (month < 1 || month > 12 || day < 1 ||
	    day > days_in_month(year, month))
		return false;
	*days = date_to_days((struct date){ year, month, day });
	return true;
}

/* :SS and what may follow it. */
static bool
take_second(struct str *s, int *second, int32_t *ns)
{
	int32_t unit = 100000000;
	int digit;

	if (!take_one_of(s, ":") || !take_digits(s, 2, second) || *second > 60)
		return false;
	if (!take_one_of(s, "."))
		return true;
	if (!take_digits(s, 1, &digit))
		return false;
	do {
		*ns += digit * unit;
		unit /= 10; /* from the tenth digit on it is 0 */
	} while (take_digits(s, 1, &digit));
	return true;
}

/* HH:MM:SS.fraction on a day; the seconds may be left out where may_omit. */
static bool
take_clock(struct str *s, int64_t days, bool may_omit, struct instant *t)
{
	int hour, minute, second = 0;
	int32_t ns = 0;

	if (!take_digits(s, 2, &hour) || !take_one_of(s, ":") ||
	    !take_digits(s, 2, &minute) || hour > 23 || minute > 59)
		return false;
	if (!(may_omit && (s->n == 0 || s->s[0] != ':')) &&
	    !take_second(s, &second, &ns))
		return false;
	t->s = days * DAY + hour * 3600 + minute * 60 + second;
	t->ns = ns;
	return true;
}

/* Z or +-HH:MM, in seconds. */
static bool
take_offset(struct str *s, int *offset)
{
	bool negative = s->n > 0 && s->s[0] == '-';
	int hours, minutes;

	*offset = 0;
	if (take_one_of(s, "Zz"))
		return true;
	if (!take_one_of(s, "+-") || !take_digits(s, 2, &hours) ||
	    !take_one_of(s, ":") || !take_digits(s, 2, &minutes) ||
	    hours > 23 || minutes > 59)
		return false;
	*offset = (hours * 60 + minutes) * (negative ? -60 : 60);
	return true;
}

bool
timestamp_rfc3339(struct str s, struct instant *t)
{
	struct instant got;
	int64_t days;
	int offset;

	if (!take_date(&s, &days) || !take_one_of(&s, "Tt") ||
	    !take_clock(&s, days, false, &got) || !take_offset(&s, &offset) ||
	    s.n != 0)
		return false;
	got.s -= offset;
	*t = got;
	return true;
}

/*
 * The moment at which clocks here show `local` (seconds, as if UTC).  mktime()
 * is no help: for a time that occurs twice it answers by what it was asked
 * before.  Offsets a day before and after bracket any single change: what the
 * earlier one gives is right before the change and, in the hour that is
 * skipped, as if the clock had not been put forward.
 */
static int64_t
from_local(int64_t local)
{
	int64_t before = local - offset_at(local - DAY);
	int64_t after = local - offset_at(local + DAY);

	if (before + offset_at(before) == local ||
	    after + offset_at(after) != local)
		return before;
	return after;
}

/* When a day, counted from 1970, starts. */
static struct instant
day_start(int64_t days, bool local)
{
	int64_t midnight = days * DAY;

	return (struct instant){ local ? from_local(midnight) : midnight, 0 };
}

bool
timestamp_date(struct str s, bool local, struct instant *t)
{
	int64_t days;

	if (!take_date(&s, &days) || s.n != 0)
		return false;
	*t = day_start(days, local);
	return true;
}

struct instant
timestamp_day(struct instant t, int64_t days_before, bool local)
{
	int64_t s = t.s + (local ? offset_at(t.s) : 0);
	int64_t days = s / DAY - (s % DAY < 0);

	return day_start(days - days_before, local);
}

bool
timestamp_loose(struct str s, struct instant *t)
{
	struct instant got = { 0, 0 };
	int64_t days;
	int offset;

	if (str_starts(s, STR("0000")) || !take_date(&s, &days))
		return false;
	if (s.n == 0) {
		*t = (struct instant){ days * DAY, 0 };
		return true;
	}
	if (!take_one_of(&s, "Tt ") || !take_clock(&s, days, true, &got))
		return false;
	if (s.n == 0) {
		got.s = from_local(got.s);
	} else {
		if (!take_offset(&s, &offset) || s.n != 0)
			return false;
		got.s -= offset;
	}
	*t = got;
	return true;
}

#include "transcript/moment.h"

#include "base/json_span.h"

#define DIGITS_MOST 9

static int64_t
seconds_of(char unit)
{
	switch (unit) {
	case 's':
		return 1;
	case 'm':
		return 60;
	case 'h':
		return 60 * 60;
	case 'd':
		return 24 * 60 * 60;
	case 'w':
		return 7 * 24 * 60 * 60;
	default:
		return 0;
	}
}

static bool
parse_ago(struct str s, int64_t now, struct instant *t)
{
	int64_t n = 0, unit;

	if (s.n < 2 || s.n > DIGITS_MOST + 1)
		return false;
	for (size_t i = 0; i < s.n - 1; i++) {
		if (s.s[i] < '0' || s.s[i] > '9')
			return false;
		n = n * 10 + (s.s[i] - '0');
	}
	unit = seconds_of(s.s[s.n - 1]);
	if (unit == 0)
		return false;
	*t = instant_from_ms(now);
	t->s -= n * unit;
	return true;
}

bool
moment_parse(struct str s, int64_t now, bool local, struct instant *t)
{
	bool yesterday = str_is(s, "yesterday");

	if (yesterday || str_is(s, "today")) {
		*t = timestamp_day(instant_from_ms(now), yesterday, local);
		return true;
	}
	return timestamp_rfc3339(s, t) || timestamp_date(s, local, t) ||
	       parse_ago(s, now, t);
}

bool
moment_in_range(const struct time_range *range, struct str recorded)
{
	struct instant t;

	if (!range->has_since && !range->has_until)
		return true;
	if (!timestamp_rfc3339(recorded, &t))
		return false;
	if (range->has_since && instant_cmp(t, range->since) < 0)
		return false;
	return !range->has_until || instant_cmp(t, range->until) < 0;
}

bool
moment_load(struct str at, struct buf *out)
{
	if (json_kind(at) != JSON_STRING)
		return false;
	json_decode(at, out);
	return out->len <= TRANSCRIPT_TIME_BYTES;
}

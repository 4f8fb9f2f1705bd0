#include "history/times.h"

static int
parse_time(const char *name, const struct arg_string *value, int64_t now,
	   bool local, bool *has, struct instant *t, struct fail *fail)
{
	struct str s = { value->s, value->n };
	struct buf quoted = BUF_INIT;

	*has = s.n > 0;
	if (s.n == 0 || moment_parse(s, now, local, t))
		return 0;
	fail_quote(&quoted, s);
	fail_invalid(fail,
		     "%s: %s given; legal: an RFC 3339 date-time with Z or an "
		     "offset, YYYY-MM-DD, today, yesterday, or <n>s, <n>m, "
		     "<n>h, <n>d or <n>w before now",
		     name, quoted.data);
	buf_release(&quoted);
	return -1;
}

int
times_parse(const struct tool_call *call, const struct arg_string *since,
	    const struct arg_string *until, struct time_range *times,
	    struct fail *fail)
{
	bool local = call->typed; /* a person means their own days */
	int64_t now;

	*times = (struct time_range){ 0 };
	if (facts_now_ms(call->facts, &now, fail) != 0 ||
	    parse_time("since", since, now, local, &times->has_since,
		       &times->since, fail) != 0)
		return -1;
	return parse_time("until", until, now, local, &times->has_until,
			  &times->until, fail);
}

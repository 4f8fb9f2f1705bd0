/* Short numbers at every border: spec/lessons.md section 9.1. */
#include "test.h"

#include "lessons/lessons_status.h"

static void
shown(long long n, const char *want)
{
	struct buf out = BUF_INIT;

	status_number(n, &out);
	is_string(out.data, want, want);
	buf_release(&out);
}

static void
test_plain(void)
{
	shown(0, "0");
	shown(1, "1");
	shown(999, "999");
}

static void
test_thousands(void)
{
	shown(1000, "1.0k");
	shown(1049, "1.0k");
	shown(1050, "1.1k");
	shown(9949, "9.9k");
	shown(9950, "10.0k");
	shown(9999, "10.0k");
	shown(10000, "10k");
	shown(10499, "10k");
	shown(10500, "11k");
	shown(12499, "12k");
	shown(12600, "13k");
	shown(999499, "999k");
	shown(999500, "1000k");
	shown(999999, "1000k");
}

static void
test_millions(void)
{
	shown(1000000, "1.0M");
	shown(1049999, "1.0M");
	shown(1050000, "1.1M");
	shown(9949999, "9.9M");
	shown(9950000, "10.0M");
	shown(9999999, "10.0M");
	shown(10000000, "10M");
	shown(10499999, "10M");
	shown(10500000, "11M");
	shown(999499999, "999M");
	shown(1000000000, "1000M");
	/* The most that an id can count to. */
	shown(9007199254740991, "9007199255M");
}

int
main(void)
{
	test_plain();
	test_thousands();
	test_millions();
	return done();
}

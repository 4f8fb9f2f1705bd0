#include "base/clock.h"

#include <errno.h>
#include <time.h>

static int64_t
read_ms(clockid_t id)
{
	struct timespec now;

	(void)clock_gettime(id, &now); /* cannot fail for these clocks */
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t
clock_now_ms(void)
{
	return read_ms(CLOCK_REALTIME);
}

int64_t
clock_files_ms(void)
{
	return read_ms(CLOCK_REALTIME_COARSE);
}

int64_t
clock_monotonic_ms(void)
{
	return read_ms(CLOCK_MONOTONIC);
}

void
clock_sleep_ms(int64_t ms)
{
	struct timespec left;

	if (ms <= 0)
		return;
	left.tv_sec = (time_t)(ms / 1000);
	left.tv_nsec = (long)(ms % 1000) * 1000000;
	while (nanosleep(&left, &left) != 0 && errno == EINTR)
		;
}

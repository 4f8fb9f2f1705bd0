#include "base/lock.h"

#include <errno.h>
#include <sys/file.h>

#include "base/clock.h"

/*
 * Asked again and again rather than waited for: flock(2) has no deadline, and
 * interrupting it takes a signal handler that a library should not install.
 */
#define LOCK_PAUSE_MS 5

static int
lock(int fd, int how, int64_t deadline)
{
	int64_t pause = 1, left;

	for (;;) {
		if (flock(fd, how | LOCK_NB) == 0)
			return 0;
		if (errno == EINTR)
			continue;
		if (errno != EWOULDBLOCK)
			return -1;
		left = deadline - clock_monotonic_ms();
		if (left <= 0) {
			errno = EWOULDBLOCK;
			return -1;
		}
		clock_sleep_ms(pause < left ? pause : left);
		if (pause < LOCK_PAUSE_MS)
			pause++;
	}
}

int
lock_exclusive(int fd, int64_t deadline)
{
	return lock(fd, LOCK_EX, deadline);
}

int
lock_shared(int fd, int64_t deadline)
{
	return lock(fd, LOCK_SH, deadline);
}

void
lock_release(int fd)
{
	(void)flock(fd, LOCK_UN);
}

#include "base/lock.h"

#include <errno.h>
#include <sys/file.h>

#include "base/clock.h"

/*
 * Asked again and again rather than waited for: flock(2) has no deadline, and
 * interrupting it takes a signal handler that a library should not install.
 */
#define LOCK_PAUSE_MS 5

int
lock_exclusive(int fd, int64_t deadline)
{
	int64_t pause = 1, left;

	for (;;) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
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

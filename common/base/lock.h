#ifndef LOCK_H
#define LOCK_H

#include <stdint.h>

/*
 * flock(LOCK_EX) on fd, waiting until clock_monotonic_ms() reaches deadline.
 * 0, or -1 with errno; EWOULDBLOCK: somebody else held it all the time.  The
 * lock goes with the descriptor's last close.
 */
int lock_exclusive(int fd, int64_t deadline);

/* The same with LOCK_SH: several may hold it, but nobody beside them. */
int lock_shared(int fd, int64_t deadline);

/* Gives either back before the descriptor is closed. */
void lock_release(int fd);

#endif /* LOCK_H */

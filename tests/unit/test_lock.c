#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/lock.h"

int
main(void)
{
	char name[] = "/tmp/test_lock.XXXXXX";
	int a = mkstemp(name), b = open(name, O_RDONLY);

	ok(a >= 0 && b >= 0, "two descriptors");
	ok(lock_exclusive(a, 0) == 0, "a free lock needs no time");
	ok(lock_exclusive(b, clock_monotonic_ms() + 20) == -1 &&
		   errno == EWOULDBLOCK,
	   "a held one is busy");
	ok(lock_exclusive(a, 0) == 0, "its holder may ask again");
	close(a);
	ok(lock_exclusive(b, 0) == 0, "the last close gives it back");
	close(b);
	errno = 0;
	ok(lock_exclusive(b, clock_monotonic_ms() + 20) == -1 && errno == EBADF,
	   "what cannot be locked is an error at once");
	unlink(name);
	return done();
}

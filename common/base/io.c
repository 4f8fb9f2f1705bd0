#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define CHUNK ((size_t)1 << 16)
/* What a pipe that polls as writable takes at once (pipe(7), PIPE_BUF). */
#define ATOMIC ((size_t)4096)

/*
 * Whether a transfer that failed can be tried again.  A pipe that a host
 * shares with us may be non-blocking: wait until it is ready.
 */
static bool
try_again(int fd, short events)
{
	struct pollfd wait = { fd, events, 0 };

	if (errno == EINTR)
		return true;
	if (errno != EAGAIN && errno != EWOULDBLOCK)
		return false;
	return poll(&wait, 1, -1) >= 0 || errno == EINTR;
}

static ssize_t
read_some(int fd, void *p, size_t n)
{
	ssize_t got;

	do
		got = read(fd, p, n);
	while (got < 0 && try_again(fd, POLLIN));
	return got;
}

/* Whether there is nothing more: 0, 1 when there is, -1 with errno. */
static int
at_end(int fd)
{
	char probe;

	return (int)read_some(fd, &probe, 1);
}

int
io_read_all(int fd, size_t cap, struct buf *out)
{
	size_t room = out->max - out->len, chunk = CHUNK;
	ssize_t got;

	if (cap < room)
		room = cap;
	while (room > 0) {
		if (chunk > room)
			chunk = room;
		got = read_some(fd, buf_reserve(out, chunk), chunk);
		if (got <= 0)
			return (int)got;
		out->len += (size_t)got;
		out->data[out->len] = '\0';
		room -= (size_t)got;
		/* As much again as there is: few calls for large inputs. */
		chunk = out->len > CHUNK ? out->len : CHUNK;
	}
	return at_end(fd);
}

int
io_write_all(int fd, const void *p, size_t n)
{
	const char *at = p;
	ssize_t done;

	while (n > 0) {
		done = write(fd, at, n);
		if (done < 0 && !try_again(fd, POLLOUT))
			return -1;
		if (done > 0) {
			at += done;
			n -= (size_t)done;
		}
	}
	return 0;
}

long
io_write_some(int fd, const void *p, size_t n)
{
	struct pollfd ready = { fd, POLLOUT, 0 };
	ssize_t sent;

	if (poll(&ready, 1, 0) <= 0)
		return 0;
	sent = send(fd, p, n, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (sent < 0 && errno == ENOTSOCK)
		sent = write(fd, p, n < ATOMIC ? n : ATOMIC);
	if (sent < 0 &&
	    (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
		return 0;
	return sent;
}

long
io_pread_all(int fd, void *p, size_t n, long long offset)
{
	char *at = p;
	size_t total = 0;
	ssize_t got;

	while (total < n) {
		got = pread(fd, at + total, n - total,
			    (off_t)(offset + (long long)total));
		if (got < 0 && errno != EINTR)
			return -1;
		if (got == 0)
			break;
		if (got > 0)
			total += (size_t)got;
	}
	return (long)total;
}

unsigned
io_secure_standard(void)
{
	unsigned closed = 0;

	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		/*
		 * The lowest free descriptor, which is fd.  For reading only,
		 * or a result would vanish in it without an error.  Where
		 * there is no /dev/null, any directory is as unwritable.
		 */
		if (open("/dev/null", O_RDONLY) != fd &&
		    open("/", O_RDONLY | O_DIRECTORY) != fd)
			abort();
		closed |= 1U << fd;
	}
	return closed;
}

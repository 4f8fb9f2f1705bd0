#include "mcp/transfer.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

/* What a pipe that polls as writable takes at once (pipe(7), PIPE_BUF). */
#define ATOMIC ((size_t)4096)

long
transfer_some(int fd, const void *p, size_t n)
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

#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/xalloc.h"

#define BIG 1000000

/* A pipe whose other end a child feeds or drains in small, late pieces. */
static int
slow_writer(const char *p, size_t n, size_t piece, int flags)
{
	int fd[2];

	if (pipe2(fd, flags) != 0)
		abort();
	if (fork() == 0) {
		(void)close(fd[0]);
		for (; n > 0; p += piece, n -= piece) {
			if (piece > n)
				piece = n;
			clock_sleep_ms(1);
			if (io_write_all(fd[1], p, piece) != 0)
				_exit(1);
		}
		_exit(0);
	}
	(void)close(fd[1]);
	return fd[0];
}

static int
child_status(void)
{
	int status = -1;

	while (wait(&status) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void
reads_all(void)
{
	struct buf out = BUF_INIT;
	char *big = xmalloc(BIG);
	size_t i;
	int fd;

	for (i = 0; i < BIG; i++)
		big[i] = (char)(i * 7 + i / 251);

	fd = slow_writer(big, BIG, 99999, O_NONBLOCK);
	buf_adds(&out, "before:");
	is_int(io_read_all(fd, BIG, &out), 0, "exactly cap bytes are no error");
	(void)close(fd);
	ok(out.len == BIG + 7 && memcmp(out.data + 7, big, BIG) == 0 &&
		   out.data[out.len] == '\0',
	   "all of a non-blocking pipe is added");
	is_int(child_status(), 0, "a non-blocking pipe is written whole");

	buf_reset(&out);
	fd = slow_writer("abcdef", 6, 2, 0);
	is_int(io_read_all(fd, 5, &out), 1, "one byte more than cap");
	(void)close(fd);
	(void)child_status();

	buf_reset(&out);
	fd = slow_writer("", 0, 1, 0);
	is_int(io_read_all(fd, 0, &out), 0, "an empty stream, cap 0");
	is_int((long long)out.len, 0, "adds nothing");
	(void)close(fd);
	(void)child_status();
	buf_release(&out);

	buf_init(&out, 4);
	fd = slow_writer("abcdef", 6, 6, 0);
	is_int(io_read_all(fd, 100, &out), 1, "more than the buf may hold");
	is_bytes(out.data, out.len, "abcd", 4, "and it holds no more");
	(void)close(fd);
	(void)child_status();
	buf_release(&out);

	is_int(io_read_all(-1, 10, &out), -1, "a descriptor that is not open");
	is_int(errno, EBADF, "errno says why");
	fd = open("/", O_RDONLY);
	is_int(io_read_all(fd, 10, &out), -1, "a directory");
	is_int(errno, EISDIR, "errno says why");
	(void)close(fd);
	buf_release(&out);
	free(big);
}

static void
writes_all(void)
{
	int fd = open("/dev/full", O_WRONLY);

	is_int(io_write_all(fd, "x", 1), -1, "a full device");
	is_int(errno, ENOSPC, "errno says why");
	is_int(io_write_all(fd, NULL, 0), 0, "nothing is written anywhere");
	(void)close(fd);
}

static void
reads_at_offsets(void)
{
	char path[] = "/tmp/test_io.XXXXXX", got[8];
	int fd = mkstemp(path);

	(void)unlink(path);
	is_int(io_write_all(fd, "0123456789", 10), 0, "writes a file");
	is_int(io_pread_all(fd, got, 4, 3), 4, "reads from the middle");
	is_bytes(got, 4, "3456", 4, "the right bytes");
	is_int(io_pread_all(fd, got, 8, 7), 3, "less at the end");
	is_int(io_pread_all(fd, got, 8, 99), 0, "nothing past the end");
	is_int(io_pread_all(-1, got, 8, 0), -1, "a descriptor not open");
	(void)close(fd);
}

/* What a program started with closed descriptors finds after the call. */
static int
secured(int first, int last)
{
	char c;
	int fd;

	for (fd = first; fd <= last; fd++)
		(void)close(fd);
	io_secure_standard();
	fd = open("/dev/null", O_RDONLY);
	if (fd <= 2)
		return 1;
	for (fd = first; fd <= last; fd++) {
		if (read(fd, &c, 1) != 0)
			return 2;
		if (write(fd, "x", 1) != -1 || errno != EBADF)
			return 3;
	}
	return 0;
}

static void
secures_standard_descriptors(void)
{
	int first, last;

	for (first = 0; first <= 2; first++)
		for (last = first; last <= 2; last++) {
			(void)fflush(stdout);
			if (fork() == 0)
				_exit(secured(first, last));
			ok(child_status() == 0,
			   "descriptors %d to %d were closed", first, last);
		}
	(void)fflush(stdout);
	if (fork() == 0) {
		int before = open("/dev/null", O_RDONLY), after;

		io_secure_standard();
		after = open("/dev/null", O_RDONLY);
		_exit(after == before + 1 ? 0 : 1);
	}
	is_int(child_status(), 0, "open ones are left alone");
}

static void
clocks(void)
{
	int64_t wall = clock_now_ms(), start = clock_monotonic_ms();

	/* time() may be a tick behind. */
	ok(wall / 1000 <= (int64_t)time(NULL) + 1 &&
		   wall / 1000 >= (int64_t)time(NULL) - 5,
	   "the wall clock is in milliseconds");
	clock_sleep_ms(-5);
	clock_sleep_ms(0);
	clock_sleep_ms(20);
	ok(clock_monotonic_ms() - start >= 20, "sleeps at least as long");
}

int
main(void)
{
	reads_all();
	writes_all();
	reads_at_offsets();
	secures_standard_descriptors();
	clocks();
	return done();
}

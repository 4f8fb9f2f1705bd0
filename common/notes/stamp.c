#include "notes/stamp.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/io.h"

#define STAMP_FILE ".ctx-stamp"
#define STAMP_DIGITS 20
#define STAMP_SIZE (STAMP_DIGITS + 1) /* and a newline */
#define STAMP_AHEAD_MS 60000

/* The number in the file; false when it holds anything else. */
static bool
parse(const char *text, long n, int64_t *last)
{
	int64_t v = 0;
	int i;

	if (n != STAMP_SIZE || text[STAMP_DIGITS] != '\n')
		return false;
	for (i = 0; i < STAMP_DIGITS; i++) {
		if (text[i] < '0' || text[i] > '9' ||
		    __builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, text[i] - '0', &v))
			return false;
	}
	*last = v;
	return true;
}

int64_t
stamp_next(int home, int64_t now)
{
	char text[STAMP_SIZE + 1];
	int64_t last;
	long n;
	int fd;

	fd = beneath_open_file(home, STAMP_FILE, O_RDONLY, NULL);
	if (fd < 0)
		return now;
	n = io_pread_all(fd, text, sizeof(text), 0);
	close(fd);
	/* Too far ahead: the clock was wrong then, and is right now. */
	if (!parse(text, n, &last) || last < now || last > now + STAMP_AHEAD_MS)
		return now;
	return last + 1;
}

/* The stamp file for writing; what is no file of ours there is replaced. */
static int
open_for_writing(int home)
{
	int fd;

	fd = beneath_open_file(home, STAMP_FILE, O_WRONLY, NULL);
	if (fd >= 0)
		return fd;
	if (errno != ENOENT && unlinkat(home, STAMP_FILE, 0) != 0)
		return -1;
	return openat(home, STAMP_FILE,
		      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		      0600);
}

int
stamp_record(int home, int64_t stamp)
{
	char text[STAMP_SIZE + 1];
	int fd, error = 0;
	ssize_t n;

	snprintf(text, sizeof(text), "%0*" PRId64 "\n", STAMP_DIGITS, stamp);
	fd = open_for_writing(home);
	if (fd < 0)
		return -1;
	n = pwrite(fd, text, STAMP_SIZE, 0);
	if (n < 0)
		error = errno;
	else if (n != STAMP_SIZE)
		error = ENOSPC;
	else if (ftruncate(fd, STAMP_SIZE) != 0)
		error = errno;
	close(fd);
	errno = error;
	return error == 0 ? 0 : -1;
}

#include "notes/peek.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/io.h"
#include "notes/front_matter.h"

#define PEEK_STEP 4096

static enum peek
peek_closed(int dir, const char *name, int error, struct stat *st)
{
	if (error == ENOENT)
		return PEEK_GONE;
	if (error == ELOOP)
		return PEEK_SPECIAL;
	if (fstatat(dir, name, st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT ? PEEK_GONE : PEEK_UNKNOWN;
	return S_ISREG(st->st_mode) ? PEEK_UNREADABLE : PEEK_SPECIAL;
}

enum peek
peek_open(int dir, const char *name, int *fd, struct stat *st)
{
	/* A FIFO would keep us waiting for its other end. */
	*fd = openat(dir, name,
		     O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
	if (*fd < 0)
		return peek_closed(dir, name, errno, st);
	if (fstat(*fd, st) == 0 && S_ISREG(st->st_mode))
		return PEEK_FINE;
	close(*fd);
	*fd = -1;
	return PEEK_SPECIAL;
}

int
peek_head(int fd, struct buf *head)
{
	size_t want = PEEK_STEP;
	long got;

	buf_reset(head);
	for (;;) {
		got = io_pread_all(fd, buf_reserve(head, want), want,
				   (long long)head->len);
		if (got < 0)
			return -1;
		head->len += (size_t)got;
		head->data[head->len] = '\0';
		if ((size_t)got < want || head->len >= FRONT_MATTER_HEAD ||
		    front_matter_closed(buf_str(head)))
			return 0;
		want = head->len * 3;
	}
}

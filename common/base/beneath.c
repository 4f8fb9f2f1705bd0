#include "base/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"

/* One name of a path, cut out so that it is terminated. */
struct step {
	const char *path;
	size_t start, end; /* path[start .. end) */
	struct buf name;
};

static bool
step_next(struct step *s)
{
	if (s->end > 0 && s->path[s->end] == '\0')
		return false;
	s->start = s->end == 0 ? 0 : s->end + 1;
	s->end = s->start + strcspn(s->path + s->start, "/");
	buf_reset(&s->name);
	buf_add(&s->name, s->path + s->start, s->end - s->start);
	return true;
}

static bool
step_is_last(const struct step *s)
{
	return s->path[s->end] == '\0';
}

/* Whether path is what the header asks for: nothing in it climbs. */
static bool
is_plain(const char *path)
{
	const char *p = path;
	size_t n;

	for (;;) {
		n = strcspn(p, "/");
		if (n == 0 || (n == 1 && p[0] == '.') ||
		    (n == 2 && p[0] == '.' && p[1] == '.'))
			return false;
		if (p[n] == '\0')
			return true;
		p += n + 1;
	}
}

static void
set_fault(struct beneath_fault *fault, enum beneath_kind kind,
	  const struct step *s)
{
	if (fault != NULL)
		*fault = (struct beneath_fault){ kind, s->start, s->end };
}

/*
 * Why could s not be opened as a directory, or at all?  The kernel has one
 * errno for a link and for a file there, so look at what stands there now.
 */
static void
diagnose(int dir, const struct step *s, struct beneath_fault *fault)
{
	struct stat st;

	if (errno != ELOOP && errno != ENOTDIR)
		return;
	if (fstatat(dir, s->name.data, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISLNK(st.st_mode))
		errno = ELOOP;
	else
		errno = ENOTDIR;
	set_fault(fault, errno == ELOOP ? BENEATH_LINK : BENEATH_NOT_DIRECTORY,
		  s);
}

static int
open_by_steps(int dir, const char *path, int flags, mode_t mode,
	      struct beneath_fault *fault)
{
	struct step s = { path, 0, 0, BUF_INIT };
	int at = dir, fd = -1, error;

	while (step_next(&s)) {
		if (step_is_last(&s))
			fd = openat(at, s.name.data, flags, mode);
		else
			fd = openat(at, s.name.data,
				    O_PATH | O_DIRECTORY | O_NOFOLLOW |
					    O_CLOEXEC);
		if (fd < 0)
			diagnose(at, &s, fault);
		error = errno;
		if (at != dir)
			close(at);
		errno = error;
		if (fd < 0)
			break;
		at = fd;
	}
	error = errno;
	buf_release(&s.name);
	errno = error;
	return fd;
}

static int
open_by_kernel(int dir, const char *path, int flags, mode_t mode)
{
	struct open_how how = { 0 };

	how.flags = (unsigned long long)(unsigned int)flags;
	how.mode = (flags & O_CREAT) != 0 ? mode : 0;
	how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS |
		      RESOLVE_NO_MAGICLINKS;
	return (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
}

int
beneath_open_by(enum beneath_way way, int dir, const char *path, int flags,
		mode_t mode, struct beneath_fault *fault)
{
	int fd;

	if (fault != NULL)
		*fault = (struct beneath_fault){ BENEATH_FINE, 0, 0 };
	/* With O_PATH alone the kernel hands out the link itself. */
	if (!is_plain(path) ||
	    ((flags & O_PATH) != 0 && (flags & O_DIRECTORY) == 0)) {
		errno = EINVAL;
		return -1;
	}
	flags |= O_CLOEXEC | O_NOFOLLOW;
	if (way == BENEATH_STEPS)
		return open_by_steps(dir, path, flags, mode, fault);
	fd = open_by_kernel(dir, path, flags, mode);
	if (fd >= 0 || way == BENEATH_KERNEL)
		return fd;
	/*
	 * ENOSYS and EPERM: an old kernel, or a sandbox that does not know the
	 * call.  EAGAIN: a rename raced with the lookup.  ELOOP and ENOTDIR:
	 * refused, and the steps find out at which component.
	 */
	if (errno == ENOSYS || errno == EPERM || errno == EAGAIN ||
	    errno == ELOOP || errno == ENOTDIR)
		return open_by_steps(dir, path, flags, mode, fault);
	return -1;
}

int
beneath_open(int dir, const char *path, int flags, mode_t mode,
	     struct beneath_fault *fault)
{
	return beneath_open_by(BENEATH_AUTO, dir, path, flags, mode, fault);
}

/*
 * What is open is not a regular file, or could not be opened for that reason.
 */
static void
fault_last(const char *path, struct beneath_fault *fault)
{
	struct step s = { path, 0, 0, BUF_INIT };
	int error = errno;

	while (step_next(&s))
		;
	set_fault(fault, BENEATH_NOT_FILE, &s);
	buf_release(&s.name);
	errno = error;
}

int
beneath_open_file(int dir, const char *path, int flags,
		  struct beneath_fault *fault)
{
	struct stat st;
	int fd, error;

	fd = beneath_open(dir, path, flags | O_NONBLOCK | O_NOCTTY, 0, fault);
	if (fd < 0) {
		/* A directory for writing; a socket, or a FIFO for writing. */
		if (errno == EISDIR || errno == ENXIO)
			fault_last(path, fault);
		return -1;
	}
	error = 0;
	if (fstat(fd, &st) != 0)
		error = errno;
	else if (S_ISDIR(st.st_mode))
		error = EISDIR;
	else if (!S_ISREG(st.st_mode))
		error = EINVAL;
	if (error == 0)
		return fd;
	close(fd);
	errno = error;
	if (error == EISDIR || error == EINVAL)
		fault_last(path, fault);
	return -1;
}

int
beneath_open_directory(int dir, const char *path, struct beneath_fault *fault)
{
	return beneath_open(dir, path, O_RDONLY | O_DIRECTORY, 0, fault);
}

const char *
beneath_kind_name(enum beneath_kind kind)
{
	switch (kind) {
	case BENEATH_LINK:
		return "a symbolic link";
	case BENEATH_NOT_DIRECTORY:
		return "not a directory";
	case BENEATH_NOT_FILE:
		return "not a regular file";
	case BENEATH_FINE:
		break;
	}
	return "fine";
}

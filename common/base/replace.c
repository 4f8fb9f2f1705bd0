#include "base/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"

static int
fill(int fd, const struct replacement *r)
{
	struct timespec times[2] = { { 0, UTIME_NOW }, { 0, UTIME_NOW } };

	if (io_write_all(fd, r->bytes.s, r->bytes.n) != 0)
		return -1;
	/* The umask has had its say when the file was made. */
	if (fchmod(fd, r->mode & 07777) != 0)
		return -1;
	if (r->mtime != NULL) {
		times[1] = *r->mtime;
		if (futimens(fd, times) != 0)
			return -1;
	}
	return fsync(fd);
}

/* The temporary file, synced; -1 with errno, and then there is none. */
static int
write_temporary(int dir, const struct replacement *r)
{
	int fd, error;

	if (unlinkat(dir, r->temporary, 0) != 0 && errno != ENOENT)
		return -1;
	fd = openat(dir, r->temporary,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	error = fill(fd, r) != 0 ? errno : 0;
	if (close(fd) != 0 && error == 0)
		error = errno;
	if (error == 0)
		return 0;
	unlinkat(dir, r->temporary, 0);
	errno = error;
	return -1;
}

int
replace_file(int dir, const struct replacement *r, bool *landed)
{
	int rc, error;

	if (landed != NULL)
		*landed = false;
	if (write_temporary(dir, r) != 0)
		return -1;
	if (r->exclusive)
		rc = replace_move(dir, r->temporary, dir, r->name);
	else
		rc = renameat(dir, r->temporary, dir, r->name);
	if (rc != 0) {
		error = errno;
		unlinkat(dir, r->temporary, 0);
		errno = error;
		return -1;
	}
	if (landed != NULL)
		*landed = true;
	return replace_sync_directory(dir);
}

int
replace_move(int from, const char *old_name, int to, const char *new_name)
{
	if (renameat2(from, old_name, to, new_name, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	return replace_move_linked(from, old_name, to, new_name);
}

int
replace_move_linked(int from, const char *old_name, int to,
		    const char *new_name)
{
	/* Rather two names than a check and a rename that may destroy a file. */
	if (linkat(from, old_name, to, new_name, 0) != 0)
		return -1;
	return unlinkat(from, old_name, 0);
}

int
replace_sync_directory(int dir)
{
	return fsync(dir) == 0 || errno == EINVAL ? 0 : -1;
}

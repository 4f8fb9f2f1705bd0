#include "base/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"

/* A fresh file with these bytes, synced; -1 with errno, and no file. */
static int
write_temporary(int dir, const char *temporary, struct str bytes, mode_t mode)
{
	int fd, error;

	if (unlinkat(dir, temporary, 0) != 0 && errno != ENOENT)
		return -1;
	fd = openat(dir, temporary,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	error = 0;
	if (io_write_all(fd, bytes.s, bytes.n) != 0 ||
	    (mode != 0600 && fchmod(fd, mode) != 0) || fsync(fd) != 0)
		error = errno;
	if (close(fd) != 0 && error == 0)
		error = errno;
	if (error == 0)
		return 0;
	unlinkat(dir, temporary, 0);
	errno = error;
	return -1;
}

int
replace_file(int dir, const char *name, const char *temporary, struct str bytes,
	     mode_t mode, bool *landed)
{
	int error;

	if (landed != NULL)
		*landed = false;
	if (write_temporary(dir, temporary, bytes, mode) != 0)
		return -1;
	if (renameat(dir, temporary, dir, name) != 0) {
		error = errno;
		unlinkat(dir, temporary, 0);
		errno = error;
		return -1;
	}
	if (landed != NULL)
		*landed = true;
	return fsync(dir);
}

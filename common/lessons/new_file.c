#include "lessons/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/path.h"
#include "base/tree.h"

int
new_file(const char *path, struct str bytes, struct fail *fail)
{
	struct buf folder = BUF_INIT;
	int fd, dir, rc = -1;

	buf_add_str(&folder, path_parent(str_of(path)));
	dir = open(folder.data, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fd = dir < 0 ? -1
		     : open(path,
			    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW |
				    O_CLOEXEC,
			    0600);
	if (fd < 0 && (errno == EEXIST || errno == ELOOP))
		fail_refuse(fail, "exists", "%s is there already", path);
	else if (fd < 0)
		fail_refuse(fail, "unwritable", "%s: %s", path,
			    strerror(errno));
	else if (fchmod(fd, 0600) != 0 ||
		 io_write_all(fd, bytes.s, bytes.n) != 0 || fsync(fd) != 0 ||
		 tree_sync(dir) != 0) {
		fail_refuse(fail, "unwritable", "%s: %s", path,
			    strerror(errno));
		(void)unlink(path);
	} else {
		rc = 0;
	}
	if (fd >= 0)
		(void)close(fd);
	if (dir >= 0)
		(void)close(dir);
	buf_release(&folder);
	return rc;
}

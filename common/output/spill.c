#include "output/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/path.h"
#include "base/tree.h"

void
spill_init(struct spill *s, enum spill_when when, struct str dir,
	   const char *kind)
{
	*s = (struct spill){ .when = when,
			     .kind = kind,
			     .dir = BUF_INIT,
			     .path = BUF_INIT,
			     .held = BUF_INIT,
			     .fd = -1 };
	buf_add_str(&s->dir, dir);
}

void
spill_close(struct spill *s)
{
	if (s->fd >= 0)
		(void)close(s->fd);
	s->fd = -1;
	buf_reset(&s->path);
	buf_reset(&s->held);
}

void
spill_discard(struct spill *s)
{
	if (s->fd >= 0)
		(void)unlink(s->path.data);
	spill_close(s);
}

void
spill_release(struct spill *s)
{
	spill_close(s);
	buf_release(&s->dir);
	buf_release(&s->path);
	buf_release(&s->held);
}

static int
failed(struct spill *s, struct fail *fail)
{
	struct buf quoted = BUF_INIT;
	int error = errno;

	fail_quote(&quoted,
		   s->path.len > 0 ? buf_str(&s->path) : buf_str(&s->dir));
	(void)fail_refuse(fail, "spill_failed", "%s: %s", quoted.data,
			  strerror(error));
	buf_release(&quoted);
	return -1;
}

int
spill_open(struct spill *s, struct fail *fail)
{
	struct buf name = BUF_INIT;
	unsigned char random[8];
	int dir = tree_make_root(s->dir.data), rc = -1;
	size_t i;

	if (dir < 0 ||
	    getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		goto out;
	buf_addf(&name, "%s-", s->kind);
	for (i = 0; i < sizeof(random); i++)
		buf_addf(&name, "%02x", random[i]);
	buf_adds(&name, ".log");
	s->fd = openat(dir, name.data,
		       O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW |
			       O_CLOEXEC,
		       0600);
	if (s->fd < 0)
		goto out;
	path_resolve(&s->path, buf_str(&s->dir), buf_str(&name));
	rc = io_write_all(s->fd, s->held.data, s->held.len);
	s->size = (long long)s->held.len;
out:
	if (rc != 0) {
		(void)failed(s, fail);
		if (s->fd >= 0) { /* it cannot hold even the start */
			(void)unlink(s->path.data);
			(void)close(s->fd);
			s->fd = -1;
		}
		buf_reset(&s->path);
	} else {
		buf_release(&s->held);
	}
	if (dir >= 0)
		close(dir);
	buf_release(&name);
	return rc;
}

int
spill_add(struct spill *s, struct str bytes, bool crossed, struct fail *fail)
{
	if (s->when == SPILL_NEVER)
		return 0;
	if (s->fd < 0) {
		buf_add_str(&s->held, bytes);
		return crossed ? spill_open(s, fail) : 0;
	}
	if (io_write_all(s->fd, bytes.s, bytes.n) != 0) {
		(void)failed(s, fail);
		(void)!ftruncate(s->fd, s->size);
		return -1;
	}
	s->size += (long long)bytes.n;
	return 0;
}

int
spill_resume(struct spill *s, struct str path, long long size)
{
	struct str parent = path_parent(path);
	struct stat st;
	char last = '\0';
	struct buf name = BUF_INIT;
	int fd = -1, rc = -1;

	buf_add_str(&name, path);
	if (s->when == SPILL_NEVER || !str_eq(parent, buf_str(&s->dir)))
		goto out;
	fd = open(name.data,
		  O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) ||
	    st.st_size < size || ftruncate(fd, size) != 0)
		goto out;
	if (size > 0 && io_pread_all(fd, &last, 1, size - 1) != 1)
		goto out;
	spill_close(s);
	buf_add_str(&s->path, path);
	s->fd = fd;
	s->size = size;
	fd = -1;
	rc = last == '\n';
out:
	if (fd >= 0)
		close(fd);
	buf_release(&name);
	return rc;
}

#include "transcript/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/xalloc.h"

void
source_close(struct source *s)
{
	if (s != NULL)
		s->ops->close(s);
}

struct source *
source_again(const struct source *s)
{
	return s->ops->again == NULL ? NULL : s->ops->again(s);
}

/* ---- a plain file ------------------------------------------------------ */

/*
 * A call for each record costs more than its bytes.  Records are mostly read
 * again in the order of the file; once that shows, as many bytes as may be
 * wanted next are read with them.
 */
#define AHEAD_BYTES ((size_t)65536)
#define IN_ORDER 4 /* reads, one behind the other and not far */

struct file {
	struct source base;
	int fd;
	uint64_t size, position;
	uint64_t next;	   /* behind the last read by position */
	unsigned in_order; /* reads so far */
	char *ahead;	   /* AHEAD_BYTES, once wanted */
	uint64_t ahead_at; /* where these stand in the file */
	size_t ahead_n;
};

static long
file_read(struct source *s, void *p, size_t n)
{
	struct file *f = (struct file *)s;
	long got;

	if (n > f->size - f->position)
		n = (size_t)(f->size - f->position);
	if (n == 0)
		return 0;
	do
		got = read(f->fd, p, n);
	while (got < 0 && errno == EINTR);
	if (got > 0)
		f->position += (uint64_t)got;
	return got;
}

static void
file_rewind(struct source *s, uint64_t offset)
{
	struct file *f = (struct file *)s;

	if (lseek(f->fd, (off_t)offset, SEEK_SET) >= 0)
		f->position = offset;
}

static bool
is_ahead(const struct file *f, uint64_t offset, size_t n)
{
	return offset >= f->ahead_at && n <= f->ahead_n &&
	       offset - f->ahead_at <= f->ahead_n - n;
}

/* Reads what may be wanted from offset on; an error shows where it is. */
static void
read_ahead(struct file *f, uint64_t offset)
{
	uint64_t left = f->size - offset;
	size_t n = left < AHEAD_BYTES ? (size_t)left : AHEAD_BYTES;
	long got;

	if (f->ahead == NULL)
		f->ahead = xmalloc(AHEAD_BYTES);
	got = io_pread_all(f->fd, f->ahead, n, (long long)offset);
	f->ahead_at = offset;
	f->ahead_n = got < 0 ? 0 : (size_t)got;
}

static bool
file_read_at(struct source *s, uint64_t offset, void *p, size_t n)
{
	struct file *f = (struct file *)s;

	if (offset > f->size || n > f->size - offset)
		return false;
	if (offset >= f->next && offset - f->next < AHEAD_BYTES)
		f->in_order++;
	else if (!is_ahead(f, offset, n))
		f->in_order = 0;
	f->next = offset + n;
	if (f->in_order >= IN_ORDER && n <= AHEAD_BYTES &&
	    !is_ahead(f, offset, n))
		read_ahead(f, offset);
	if (n == 0 || !is_ahead(f, offset, n))
		return io_pread_all(f->fd, p, n, (long long)offset) == (long)n;
	memcpy(p, f->ahead + (offset - f->ahead_at), n);
	return true;
}

static void
file_close(struct source *s)
{
	struct file *f = (struct file *)s;

	close(f->fd);
	free(f->ahead);
	free(f);
}

static struct source *
file_again(const struct source *s)
{
	int fd = fcntl(((const struct file *)s)->fd, F_DUPFD_CLOEXEC, 0);

	return fd < 0 ? NULL : source_file(fd);
}

struct source *
source_file(int fd)
{
	static const struct source_ops ops = { file_read, file_rewind,
					       file_read_at, file_close,
					       file_again };
	struct file *f;
	struct stat st;
	bool known = fstat(fd, &st) == 0;

	if (!known || !S_ISREG(st.st_mode)) {
		int saved = known ? EINVAL : errno;

		close(fd);
		errno = saved;
		return NULL;
	}
	f = xcalloc(1, sizeof(*f));
	f->base.ops = &ops;
	f->fd = fd;
	f->size = (uint64_t)st.st_size;
	f->base.size_hint = f->size;
	return &f->base;
}

/* ---- memory ------------------------------------------------------------ */

struct memory {
	struct source base;
	struct str bytes;
	size_t position;
};

static long
memory_read(struct source *s, void *p, size_t n)
{
	struct memory *m = (struct memory *)s;

	if (n > m->bytes.n - m->position)
		n = m->bytes.n - m->position;
	if (n > 0)
		memcpy(p, m->bytes.s + m->position, n);
	m->position += n;
	return (long)n;
}

static void
memory_rewind(struct source *s, uint64_t offset)
{
	((struct memory *)s)->position = (size_t)offset;
}

static bool
memory_read_at(struct source *s, uint64_t offset, void *p, size_t n)
{
	struct memory *m = (struct memory *)s;

	if (offset > m->bytes.n || n > m->bytes.n - offset)
		return false;
	if (n > 0)
		memcpy(p, m->bytes.s + offset, n);
	return true;
}

static void
memory_close(struct source *s)
{
	free(s);
}

struct source *
source_memory(struct str bytes)
{
	static const struct source_ops ops = { memory_read, memory_rewind,
					       memory_read_at, memory_close,
					       NULL };
	struct memory *m = xcalloc(1, sizeof(*m));

	m->base.ops = &ops;
	m->base.size_hint = bytes.n;
	m->bytes = bytes;
	return &m->base;
}

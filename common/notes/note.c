#include "notes/note.h"

#include <errno.h>
#include <unistd.h>

#include "base/io.h"
#include "base/utf8.h"

#define MS_PER_S INT64_C(1000)
#define NS_PER_MS 1000000

int
note_open(int home, const char *path, int flags, struct stat *st,
	  struct beneath_fault *fault)
{
	int fd, error;

	fd = beneath_open_file(home, path, flags, fault);
	if (fd < 0)
		return -1;
	if (fstat(fd, st) == 0)
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

int
note_load(int fd, size_t cap, struct buf *out)
{
	struct stat st;
	size_t want;
	long got;

	if (fstat(fd, &st) != 0)
		return -1;
	/* One more than the size, so that the end of the file is seen. */
	want = (size_t)st.st_size < cap ? (size_t)st.st_size + 1 : cap;
	for (;;) {
		if (want > cap - out->len)
			want = cap - out->len;
		if (want == 0)
			return 0;
		got = io_pread_all(fd, buf_reserve(out, want), want,
				   (long long)out->len);
		if (got < 0)
			return -1;
		out->len += (size_t)got;
		out->data[out->len] = '\0';
		if ((size_t)got < want)
			return 0;
		want = out->len; /* it has grown: go on in larger steps */
	}
}

size_t
note_text_prefix(struct str bytes)
{
	const char *nul = bytes.n == 0 ? NULL : memchr(bytes.s, '\0', bytes.n);

	if (nul != NULL)
		bytes.n = (size_t)(nul - bytes.s);
	return utf8_valid_prefix(bytes);
}

int64_t
note_mtime_ms(const struct stat *st)
{
	return (int64_t)st->st_mtim.tv_sec * MS_PER_S +
	       st->st_mtim.tv_nsec / NS_PER_MS;
}

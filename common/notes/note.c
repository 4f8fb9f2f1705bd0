#include "notes/note.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/io.h"
#include "base/timestamp.h"
#include "base/utf8.h"

#define NOTE_HEAD_STEP 4096

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

/* ---- what a walk has found --------------------------------------------- */

static enum note_peek
why_closed(int dir, const char *name, int error, struct stat *st)
{
	if (error == ENOENT)
		return NOTE_PEEK_GONE;
	if (error == ELOOP)
		return NOTE_PEEK_SPECIAL;
	if (fstatat(dir, name, st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT ? NOTE_PEEK_GONE : NOTE_PEEK_UNKNOWN;
	return S_ISREG(st->st_mode) ? NOTE_PEEK_UNREADABLE : NOTE_PEEK_SPECIAL;
}

enum note_peek
note_peek_open(int dir, const char *name, int *fd, struct stat *st)
{
	/* A FIFO would keep us waiting for its other end. */
	*fd = openat(dir, name,
		     O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
	if (*fd < 0)
		return why_closed(dir, name, errno, st);
	if (fstat(*fd, st) == 0 && S_ISREG(st->st_mode))
		return NOTE_PEEK_FINE;
	close(*fd);
	*fd = -1;
	return NOTE_PEEK_SPECIAL;
}

int
note_peek_head(int fd, struct buf *head)
{
	size_t want = NOTE_HEAD_STEP;
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

/* ---- what is in it ----------------------------------------------------- */

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
	return instant_to_ms(instant_of_file(&st->st_mtim));
}

/* The refusal for what stood in the way of opening a note, 0 for nothing. */
static int
fail_open(const struct address *a, int error, const struct beneath_fault *fault,
	  struct fail *fail)
{
	if (fault->kind != BENEATH_FINE)
		return address_fail_unsafe(a, a->path, fault, fail);
	if (error == ENOENT || error == ENAMETOOLONG)
		return 0;
	return address_fail_io(a->rendered, error, fail);
}

static int
check_text(const struct note *note, const struct address *a, struct fail *fail)
{
	size_t good = note_text_prefix(buf_str(&note->file));

	if (good == note->file.len)
		return 0;
	return fail_refuse(
		fail, "not_text", "%s is not text: %s at byte %zu", a->rendered,
		note->file.data[good] == '\0' ? "a NUL" : "invalid UTF-8",
		good);
}

static int
check_read_size(off_t size, const struct address *a, struct fail *fail)
{
	if (size <= NOTE_READ_MAX)
		return 0;
	return fail_refuse(fail, "too_large",
			   "%s has %lld bytes, at most %d can be read",
			   a->rendered, (long long)size, NOTE_READ_MAX);
}

int
note_fetch(struct note *note, int home, const struct address *a, unsigned flags,
	   struct fail *fail)
{
	struct beneath_fault fault;
	int fd, rc;

	fd = note_open(home, a->path, O_RDONLY, &note->st, &fault);
	if (fd < 0)
		return fail_open(a, errno, &fault, fail);
	rc = 0;
	if ((flags & NOTE_ANY_SIZE) == 0)
		rc = check_read_size(note->st.st_size, a, fail);
	if (rc == 0 && note_load(fd, NOTE_READ_MAX, &note->file) != 0)
		rc = address_fail_io(a->rendered, errno, fail);
	close(fd);
	if (rc == 0 && (flags & NOTE_ANY_BYTES) == 0)
		rc = check_text(note, a, fail);
	if (rc != 0)
		return -1;
	front_matter_parse(&note->fm, buf_str(&note->file),
			   (flags & NOTE_EXTRA) != 0 ? FRONT_MATTER_EXTRA : 0);
	front_matter_meta(&note->fm, note_mtime_ms(&note->st), &note->meta);
	return 1;
}

void
note_release(struct note *note)
{
	buf_release(&note->file);
	front_matter_release(&note->fm);
}

int
note_check_size(const struct address *a, size_t size, size_t now,
		struct fail *fail)
{
	if (size <= NOTE_STORE_MAX || size <= now)
		return 0;
	if (now == 0)
		return fail_refuse(fail, "too_large",
				   "%s would have %zu bytes, at most %d are "
				   "legal",
				   a->rendered, size, NOTE_STORE_MAX);
	return fail_refuse(fail, "too_large",
			   "%s would grow from %zu to %zu bytes, at most %d "
			   "are legal",
			   a->rendered, now, size, NOTE_STORE_MAX);
}

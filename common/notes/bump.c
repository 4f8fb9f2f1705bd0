#include "notes/bump.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/lock.h"

#define BUMP_LOCK_MS 1000

/* The note as it is now, under the lock. */
struct fresh {
	int fd;
	struct stat st;
	struct buf file;
	struct front_matter own;
	const struct front_matter *fm; /* own, or that of the note as read */
	struct note_meta meta;
};

/* Restoring a file's time is for its owner, so ask before it is changed. */
static bool
may_set_times(const struct stat *st)
{
	uid_t me = geteuid();

	return me == 0 || me == st->st_uid;
}

/*
 * Opens and reads the note again: it may have been changed, or replaced by
 * another file, since it was read without the lock.
 */
static bool
refresh(struct fresh *f, const struct store *store, const struct note *note)
{
	f->fd = note_open(store->home, store->at->path, O_RDWR, &f->st, NULL);
	if (f->fd < 0 || !may_set_times(&f->st) ||
	    f->st.st_size > NOTE_READ_MAX ||
	    note_load(f->fd, NOTE_READ_MAX, &f->file) != 0)
		return false;
	f->fm = &note->fm;
	if (!str_eq(buf_str(&f->file), buf_str(&note->file))) {
		front_matter_parse(&f->own, buf_str(&f->file), 0);
		f->fm = &f->own;
	}
	front_matter_meta(f->fm, note_mtime_ms(&f->st), &f->meta);
	return f->fm->kind == FRONT_MATTER_BLOCK;
}

/*
 * One pwrite, so that a kill leaves both values or neither.  It is gone on
 * with only where the system took less of it.
 */
static void
write_in_place(const struct fresh *f, const struct buf *bytes, size_t offset)
{
	struct timespec times[2] = { { 0, UTIME_OMIT }, f->st.st_mtim };
	size_t done = 0;
	ssize_t n;

	while (done < bytes->len) {
		n = pwrite(f->fd, bytes->data + done, bytes->len - done,
			   (off_t)(offset + done));
		if (n == 0 || (n < 0 && errno != EINTR))
			break;
		done += n > 0 ? (size_t)n : 0;
	}
	(void)futimens(f->fd, times);
}

static void
write_anew(const struct fresh *f, const struct store *store, int64_t count,
	   int64_t now)
{
	struct front_matter_change change = {
		.set = FRONT_MATTER_BIT(FRONT_MATTER_LAST_ACCESSED) |
		       FRONT_MATTER_BIT(FRONT_MATTER_ACCESS_COUNT),
		.to = { .last_accessed = now, .access_count = count },
	};
	struct store_how how = { &f->st, &f->st.st_mtim, false };
	struct beneath_fault fault;
	struct fail fail = FAIL_INIT;
	struct buf out = BUF_INIT;
	bool landed;

	if (front_matter_rewrite(f->fm, buf_str(&f->file), &f->meta, &change,
				 &out, &fail) == 0)
		(void)store_replace(store, buf_str(&out), &how, &landed,
				    &fault);
	buf_release(&out);
	fail_release(&fail);
}

void
bump_access(const struct store *store, const struct note *note, int64_t now)
{
	struct fresh f = { .fd = -1,
			   .file = BUF_INIT,
			   .own = FRONT_MATTER_INIT };
	struct buf bytes = BUF_INIT;
	int64_t count;
	size_t offset;

	if (note->fm.kind != FRONT_MATTER_BLOCK ||
	    lock_exclusive(store->home, clock_monotonic_ms() + BUMP_LOCK_MS) !=
		    0)
		return;
	if (!refresh(&f, store, note))
		goto out;
	count = f.meta.access_count;
	if (count < INT64_MAX)
		count++;
	if (front_matter_bump_in_place(f.fm, buf_str(&f.file), count, now,
				       &bytes, &offset))
		write_in_place(&f, &bytes, offset);
	else
		write_anew(&f, store, count, now);
out:
	if (f.fd >= 0)
		close(f.fd);
	buf_release(&bytes);
	buf_release(&f.file);
	front_matter_release(&f.own);
}

#include "notes/store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/lock.h"
#include "base/path.h"
#include "base/tree.h"
#include "base/xalloc.h"
#include "notes/front_matter_rewrite.h"

/*
 * Fixed, since only the holder of the lock creates it: what a killed process
 * left is removed by the next one.  No address has an at sign in its path.
 */
#define TEMPORARY ".ctx@tmp"

#define STAMP_FILE ".ctx@stamp"
#define STAMP_DIGITS 20
#define STAMP_SIZE (STAMP_DIGITS + 1) /* and a newline */
#define STAMP_AHEAD_MS 60000
#define BUMP_LOCK_MS 1000
#define TRIES 4

/* ---- the home ---------------------------------------------------------- */

/* Why the home could not be opened; errno says it, or fault. */
static int
fail_home(const struct store *store, const struct beneath_fault *fault,
	  struct fail *fail)
{
	const struct address *at = store->at;

	if (fault->kind != BENEATH_FINE)
		return address_fail_unsafe(at, at->home.directory, fault, fail);
	return address_fail_io(at->rendered, errno, fail);
}

int
store_open(struct store *store, const struct address *at,
	   const struct identity *who, struct fail *fail)
{
	struct beneath_fault fault = { BENEATH_FINE, 0, 0 };

	*store = (struct store){ at, -1, -1 };
	store->root = home_open_root(who);
	if (store->root >= 0)
		store->home = home_open(store->root, &at->home, &fault);
	if (store->home >= 0 || errno == ENOENT)
		return 0;
	return fail_home(store, &fault, fail);
}

int
store_make(struct store *store, const struct identity *who, struct fail *fail)
{
	struct beneath_fault fault = { BENEATH_FINE, 0, 0 };

	/* One that is empty may not be durable yet. */
	if (store->root >= 0)
		close(store->root);
	store->root = home_make_root(who);
	if (store->root >= 0)
		store->home = home_make(store->root, &store->at->home, &fault);
	return store->home >= 0 ? 0 : fail_home(store, &fault, fail);
}

int
store_lock(const struct store *store, int64_t deadline, struct fail *fail)
{
	const char *label = store->at->home.label;

	if (lock_exclusive(store->home, deadline) == 0)
		return 0;
	if (errno != EWOULDBLOCK)
		return address_fail_io(label, errno, fail);
	return fail_refuse(fail, "busy",
			   "%s: others kept changing notes of this home for "
			   "%d seconds; try again",
			   label, STORE_LOCK_MS / 1000);
}

void
store_close(struct store *store)
{
	if (store->home >= 0)
		close(store->home);
	if (store->root >= 0)
		close(store->root);
	*store = (struct store)STORE_INIT;
}

/* ---- a change ---------------------------------------------------------- */

int
store_retry(store_step *step, void *ctx, struct fail *fail)
{
	int rc = STORE_AGAIN;

	for (int i = 0; i < TRIES && rc == STORE_AGAIN; i++)
		rc = step(ctx, fail);
	return rc;
}

int
store_change(const struct store *store, store_step *step, void *ctx,
	     struct fail *fail)
{
	int rc = store_lock(store, clock_monotonic_ms() + STORE_LOCK_MS, fail);

	if (rc == 0)
		rc = store_retry(step, ctx, fail);
	return rc == STORE_AGAIN ? store_fail_changed(store->at, fail) : rc;
}

int
store_fail_changed(const struct address *at, struct fail *fail)
{
	return fail_refuse(fail, "busy",
			   "%s: somebody else changed the note under this "
			   "call, %d times; try again",
			   at->rendered, TRIES);
}

/* ---- stamps ------------------------------------------------------------ */

/* The number in the file; false when it holds anything else. */
static bool
parse_stamp(const char *text, long n, int64_t *last)
{
	int64_t v = 0;

	if (n != STAMP_SIZE || text[STAMP_DIGITS] != '\n')
		return false;
	for (int i = 0; i < STAMP_DIGITS; i++) {
		if (text[i] < '0' || text[i] > '9' ||
		    __builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, text[i] - '0', &v))
			return false;
	}
	*last = v;
	return true;
}

int64_t
store_stamp_next(int home, int64_t now)
{
	char text[STAMP_SIZE + 1];
	int64_t last;
	long n;
	int fd;

	fd = beneath_open_file(home, STAMP_FILE, O_RDONLY, NULL);
	if (fd < 0)
		return now;
	n = io_pread_all(fd, text, sizeof(text), 0);
	close(fd);
	/* Too far ahead: the clock was wrong then, and is right now. */
	if (!parse_stamp(text, n, &last) || last < now ||
	    last > now + STAMP_AHEAD_MS)
		return now;
	return last + 1;
}

/* The stamp file for writing; what is not a file of ours there is replaced. */
static int
open_stamp(int home)
{
	int fd;

	fd = beneath_open_file(home, STAMP_FILE, O_WRONLY, NULL);
	if (fd >= 0)
		return fd;
	if (errno != ENOENT && unlinkat(home, STAMP_FILE, 0) != 0)
		return -1;
	return openat(home, STAMP_FILE,
		      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		      0600);
}

int
store_stamp_record(int home, int64_t stamp)
{
	char text[STAMP_SIZE + 1];
	int fd, error = 0;
	ssize_t n;

	snprintf(text, sizeof(text), "%0*" PRId64 "\n", STAMP_DIGITS, stamp);
	fd = open_stamp(home);
	if (fd < 0)
		return -1;
	n = pwrite(fd, text, STAMP_SIZE, 0);
	if (n < 0)
		error = errno;
	else if (n != STAMP_SIZE)
		error = ENOSPC;
	else if (ftruncate(fd, STAMP_SIZE) != 0)
		error = errno;
	close(fd);
	errno = error;
	return error == 0 ? 0 : -1;
}

/* ---- storing ----------------------------------------------------------- */

/* The name of the note in its own directory. */
static const char *
base_name(const struct store *store)
{
	return path_last(str_of(store->at->path)).s;
}

/* The note's own directory below the home. */
static int
open_directory(const struct store *store, struct beneath_fault *fault)
{
	const char *path = store->at->path, *name = base_name(store);
	char *directory;
	int fd, error;

	*fault = (struct beneath_fault){ BENEATH_FINE, 0, 0 };
	if (name == path)
		return fcntl(store->home, F_DUPFD_CLOEXEC, 3);
	directory = xmemdup(path, (size_t)(name - path) - 1);
	fd = beneath_open_directory(store->home, directory, fault);
	error = errno;
	free(directory);
	errno = error;
	return fd;
}

/*
 * The same, made with the home above it if need be: see tree_make().  The
 * offsets of *fault are into the path of the address.
 */
static int
make_directory(const struct store *store, struct beneath_fault *fault)
{
	const char *home = store->at->home.directory;
	struct buf path = BUF_INIT;
	size_t skip = strlen(home) + 1;
	int fd, error;

	buf_addf(&path, "%s/", home);
	buf_add(&path, store->at->path,
		(size_t)(base_name(store) - store->at->path));
	buf_truncate(&path, path.len - 1);
	fd = tree_make(store->root, path.data, fault);
	error = errno;
	if (fault->kind != BENEATH_FINE) {
		fault->start = fault->start < skip ? 0 : fault->start - skip;
		fault->end = fault->end < skip ? 0 : fault->end - skip;
	}
	buf_release(&path);
	errno = error;
	return fd;
}

int
store_replace(const struct store *store, struct str bytes,
	      const struct store_how *how, bool *landed,
	      struct beneath_fault *fault)
{
	struct tree_file f = {
		.name = base_name(store),
		.temporary = TEMPORARY,
		.bytes = bytes,
		.like = how->like,
		.mtime = how->mtime,
		.over = how->fresh ? TREE_OVER_NOTHING : TREE_OVER_SEEN,
	};
	int dir, rc;

	*landed = false;
	dir = how->fresh ? make_directory(store, fault)
			 : open_directory(store, fault);
	if (dir < 0)
		return -1;
	rc = tree_replace(dir, &f, landed);
	tree_close(dir);
	return rc;
}

/* errno, or fault, as a refusal that says whether the note was stored. */
static int
fail_store(const struct store *store, bool landed,
	   const struct beneath_fault *fault, struct fail *fail)
{
	const struct address *at = store->at;

	if (fault->kind != BENEATH_FINE)
		return address_fail_unsafe(at, at->path, fault, fail);
	if (!landed)
		return address_fail_io(at->rendered, errno, fail);
	return fail_refuse(fail, "io_error",
			   "%s has been changed, but may not be durable: %s",
			   at->rendered, strerror(errno));
}

/*
 * Without a stamp a note with a block is as old as before, and where its block
 * does not tell (an updatedAt that cannot be read stays as it is), its file
 * does.
 */
static bool
keeps_time(const struct note *old, const int64_t *stamp)
{
	return stamp == NULL && old != NULL &&
	       old->fm.kind == FRONT_MATTER_BLOCK &&
	       (old->fm.readable & FRONT_MATTER_BIT(FRONT_MATTER_UPDATED_AT)) ==
		       0;
}

int
store_put(const struct store *store, struct str bytes, const int64_t *stamp,
	  const struct note *old, struct fail *fail)
{
	struct store_how how = { .fresh = old == NULL };
	struct beneath_fault fault;
	bool landed;

	if (stamp != NULL && store_stamp_record(store->home, *stamp) != 0)
		return address_fail_io(store->at->rendered, errno, fail);
	if (old != NULL)
		how.like = &old->st;
	if (keeps_time(old, stamp))
		how.mtime = &old->st.st_mtim;
	if (store_replace(store, bytes, &how, &landed, &fault) == 0)
		return 0;
	if (errno == ESTALE)
		return STORE_AGAIN;
	return fail_store(store, landed, &fault, fail);
}

/* ---- moving ------------------------------------------------------------ */

static int
fail_moved(const struct store *to, struct fail *fail)
{
	return fail_refuse(fail, "io_error",
			   "the note has moved to %s, but this may not be "
			   "durable: %s",
			   to->at->rendered, strerror(errno));
}

/* Both directories are on disk; -1 with errno. */
static int
sync_both(int source, int target)
{
	if (tree_sync(target) != 0)
		return -1;
	return tree_sync(source);
}

/*
 * Across file systems: a durable copy, and then the source goes, if it still
 * is what was copied.
 */
static int
copy_over(const struct store *from, int source, const struct store *to,
	  int target, const struct note *note, struct fail *fail)
{
	struct store_how how = { &note->st, &note->st.st_mtim, true };
	struct beneath_fault fault;
	bool landed;

	if (store_replace(to, buf_str(&note->file), &how, &landed, &fault) !=
	    0) {
		if (errno == ESTALE)
			return STORE_AGAIN;
		return landed ? fail_refuse(fail, "io_error",
					    "the note is at %s as well, but "
					    "may not be durable there: %s",
					    to->at->rendered, strerror(errno))
			      : fail_store(to, false, &fault, fail);
	}
	if (tree_unchanged(source, base_name(from), &note->st) == 0 &&
	    unlinkat(target, base_name(to), 0) == 0)
		return STORE_AGAIN;
	if (unlinkat(source, base_name(from), 0) != 0)
		return fail_refuse(fail, "io_error",
				   "the note has been copied to %s, but is "
				   "still at %s: %s",
				   to->at->rendered, from->at->rendered,
				   strerror(errno));
	return tree_sync(source) == 0 ? 0 : fail_moved(to, fail);
}

int
store_move(const struct store *from, const struct store *to,
	   const struct note *note, struct fail *fail)
{
	const char *old_name = base_name(from), *new_name = base_name(to);
	struct beneath_fault fault;
	int source, target = -1, rc;

	source = open_directory(from, &fault);
	if (source < 0)
		return fail_store(from, false, &fault, fail);
	target = make_directory(to, &fault);
	if (target < 0) {
		rc = fail_store(to, false, &fault, fail);
		goto out;
	}
	if (tree_unchanged(source, old_name, &note->st) == 0)
		rc = STORE_AGAIN;
	else if (tree_move(source, old_name, target, new_name) == 0)
		rc = sync_both(source, target) == 0 ? 0 : fail_moved(to, fail);
	else if (errno == EEXIST || errno == ENOENT)
		rc = STORE_AGAIN;
	else if (errno == EXDEV)
		rc = copy_over(from, source, to, target, note, fail);
	else
		rc = address_fail_io(to->at->rendered, errno, fail);
out:
	if (target >= 0)
		close(target);
	close(source);
	return rc;
}

/* ---- counting reads ---------------------------------------------------- */

/* The note as it is now, under the lock. */
struct fresh {
	int fd;
	struct stat st;
	struct buf file;
	struct front_matter own;
	const struct front_matter *fm; /* own, or that of the note as read */
	struct note_meta meta;
};

/*
 * Opens and reads the note again: it may have been changed, or replaced by
 * another file, since it was read without the lock.
 */
static bool
refresh(struct fresh *f, const struct store *store, const struct note *note)
{
	f->fd = note_open(store->home, store->at->path, O_RDWR, &f->st, NULL);
	/* What root counts in another's file would become root's. */
	if (f->fd < 0 || f->st.st_uid != geteuid() ||
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
 * In place only where the file's time does not matter, if a kill leaves it
 * changed, and where nobody else has the file under another name.
 */
static bool
may_write_in_place(const struct fresh *f)
{
	return f->st.st_nlink == 1 &&
	       (f->fm->readable & FRONT_MATTER_BIT(FRONT_MATTER_UPDATED_AT)) !=
		       0;
}

/*
 * One pwrite, so that a kill leaves both values or neither.  It is gone on
 * with only where the system took less of it.
 */
static void
write_in_place(const struct fresh *f, const struct store *store,
	       const struct buf *bytes, size_t offset)
{
	struct timespec times[2] = { { 0, UTIME_OMIT }, f->st.st_mtim };
	struct beneath_fault fault;
	int dir = open_directory(store, &fault);
	size_t done = 0;
	ssize_t n;

	if (dir < 0)
		return;
	if (tree_unchanged(dir, base_name(store), &f->st) != 1)
		goto out;
	while (done < bytes->len) {
		n = pwrite(f->fd, bytes->data + done, bytes->len - done,
			   (off_t)(offset + done));
		if (n == 0 || (n < 0 && errno != EINTR))
			break;
		done += n > 0 ? (size_t)n : 0;
	}
	(void)futimens(f->fd, times);
out:
	close(dir);
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
store_bump(const struct store *store, const struct note *note, int64_t now)
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
	if (may_write_in_place(&f) &&
	    front_matter_bump_in_place(f.fm, buf_str(&f.file), count, now,
				       &bytes, &offset))
		write_in_place(&f, store, &bytes, offset);
	else
		write_anew(&f, store, count, now);
out:
	if (f.fd >= 0)
		close(f.fd);
	buf_release(&bytes);
	buf_release(&f.file);
	front_matter_release(&f.own);
}

#include "base/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/xalloc.h"

#define MODE_BITS 07777

/* Saves that may come between, one after the other; there is no end to them. */
#define EXCHANGES_MOST 16

void
tree_close(int fd)
{
	int error = errno;

	if (fd >= 0)
		close(fd);
	errno = error;
}

/* ---- reading ----------------------------------------------------------- */

/* Not every file system says in the directory what its entries are. */
static int
kind_by_mode(int dir, const char *name, enum tree_kind *kind)
{
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return -1;
	if (S_ISREG(st.st_mode))
		*kind = TREE_FILE;
	else if (S_ISDIR(st.st_mode))
		*kind = TREE_DIRECTORY;
	else
		*kind = S_ISLNK(st.st_mode) ? TREE_LINK : TREE_OTHER;
	return 0;
}

static int
kind_of(int dir, const struct dirent *d, enum tree_kind *kind)
{
	switch (d->d_type) {
	case DT_REG:
		*kind = TREE_FILE;
		return 0;
	case DT_DIR:
		*kind = TREE_DIRECTORY;
		return 0;
	case DT_LNK:
		*kind = TREE_LINK;
		return 0;
	case DT_UNKNOWN:
		return kind_by_mode(dir, d->d_name, kind);
	default:
		*kind = TREE_OTHER;
		return 0;
	}
}

/* The next entry, without "." and ".."; NULL with errno at the end. */
static const struct dirent *
next_entry(DIR *stream)
{
	const struct dirent *d;

	do {
		errno = 0;
		d = readdir(stream);
	} while (d != NULL &&
		 (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0));
	return d;
}

int
tree_read(int dir, tree_entry *entry, void *ctx)
{
	DIR *stream = fdopendir(dir);
	const struct dirent *d;
	enum tree_kind kind;
	int error = 0;

	if (stream == NULL) {
		tree_close(dir);
		return -1;
	}
	while ((d = next_entry(stream)) != NULL) {
		if (kind_of(dirfd(stream), d, &kind) == 0)
			entry(ctx, d->d_name, kind);
		else if (errno != ENOENT && error == 0)
			error = errno;
	}
	if (error == 0)
		error = errno;
	closedir(stream);
	errno = error;
	return error == 0 ? 0 : -1;
}

struct tree_walking {
	tree_visit *visit;
	void *ctx;
	int dir;	/* the directory that is read */
	const char *at; /* its path; "" is where the walk began */
	char **pending; /* directories still to read */
	size_t n, cap;
};

static void
walk_entry(void *ctx, const char *name, enum tree_kind kind)
{
	struct tree_walking *w = ctx;
	struct tree_node node = { w->dir, name, NULL, kind };
	struct buf path = BUF_INIT;

	buf_adds(&path, w->at);
	if (path.len > 0)
		buf_addc(&path, '/');
	buf_adds(&path, name);
	node.path = path.data;
	if (w->visit(w->ctx, &node) && kind == TREE_DIRECTORY) {
		XGROW(w->pending, w->n + 1, w->cap);
		w->pending[w->n++] = buf_detach(&path);
	}
	buf_release(&path);
}

int
tree_walk(int dir, tree_visit *visit, void *ctx)
{
	struct tree_walking w = { .visit = visit, .ctx = ctx };
	int error = 0;
	char *path = xstrdup("");

	for (;;) {
		w.at = path;
		if (path[0] == '\0')
			w.dir = openat(dir, ".",
				       O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		else
			w.dir = beneath_open_directory(dir, path, NULL);
		/* One that is gone by now holds nothing. */
		if (w.dir < 0 ? errno != ENOENT
			      : tree_read(w.dir, walk_entry, &w) != 0)
			error = error == 0 ? errno : error;
		free(path);
		if (w.n == 0)
			break;
		path = w.pending[--w.n];
	}
	free(w.pending);
	errno = error;
	return error == 0 ? 0 : -1;
}

/* ---- making ------------------------------------------------------------ */

int
tree_sync(int dir)
{
	return fsync(dir) == 0 || errno == EINVAL ? 0 : -1;
}

/* Whether the directory holds nothing, as far as can be seen. */
static bool
is_empty(int dir)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);
	bool empty;

	if (stream == NULL) {
		tree_close(fd);
		return false;
	}
	empty = next_entry(stream) == NULL;
	closedir(stream);
	return empty;
}

/*
 * mkdir(2), but with all of 0700: a umask may have taken some of it.  1 when
 * it was made, 0 when it was there, -1 with errno.
 */
static int
make_private(int dir, const char *name)
{
	struct stat st;

	if (mkdirat(dir, name, 0700) != 0)
		return errno == EEXIST ? 0 : -1;
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return -1;
	if ((st.st_mode & 0700) != 0700 &&
	    fchmodat(dir, name, (st.st_mode & MODE_BITS) | 0700,
		     AT_SYMLINK_NOFOLLOW) != 0)
		return -1;
	return 1;
}

/*
 * The directories of path below `at`, which is closed, one by one; each parent
 * is synced, whoever made the directory.
 */
static int
make_steps(int at, const char *path, struct beneath_fault *fault)
{
	const char *p = path;
	char *name;
	size_t n;
	int fd;

	for (;;) {
		n = strcspn(p, "/");
		name = xmemdup(p, n);
		fd = make_private(at, name) < 0
			     ? -1
			     : beneath_open_directory(at, name, fault);
		free(name);
		if (fd >= 0 && tree_sync(at) != 0) {
			tree_close(fd);
			fd = -1;
		}
		tree_close(at);
		if (fd < 0 || p[n] == '\0')
			break;
		at = fd;
		p += n + 1;
	}
	if (fd < 0 && fault != NULL && fault->kind != BENEATH_FINE) {
		fault->start += (size_t)(p - path);
		fault->end += (size_t)(p - path);
	}
	return fd;
}

int
tree_make(int dir, const char *path, struct beneath_fault *fault)
{
	int fd = beneath_open_directory(dir, path, fault), at, made;

	if (fd < 0 ? errno != ENOENT : !is_empty(fd))
		return fd;
	/* The caller's may be an O_PATH one, which cannot be synced. */
	at = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	made = at < 0 ? -1 : make_steps(at, path, fault);
	/* What we may not read, and so not sync, we did not make. */
	if (made < 0 && errno == EACCES)
		return fd;
	tree_close(fd);
	return made;
}

static int
open_root(const char *path)
{
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static int
sync_path(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc;

	if (fd < 0)
		return -1;
	rc = tree_sync(fd);
	tree_close(fd);
	return rc;
}

/*
 * Makes the directory path, and syncs the one that holds it; where path was
 * there before, as far as we may: see tree_make().
 */
static int
make_and_sync(const char *path, const char *parent)
{
	int made = make_private(AT_FDCWD, path);

	if (made < 0)
		return -1;
	if (sync_path(parent) == 0)
		return 0;
	return made == 0 && errno == EACCES ? 0 : -1;
}

int
tree_make_root(const char *path)
{
	struct buf at = BUF_INIT, parent = BUF_INIT;
	int fd = open_root(path), rc = 0;
	const char *p = path;

	if (fd < 0 ? errno != ENOENT : !is_empty(fd))
		return fd;
	tree_close(fd);
	buf_adds(&parent, path[0] == '/' ? "/" : ".");
	while (rc == 0 && *(p += strspn(p, "/")) != '\0') {
		p += strcspn(p, "/");
		buf_reset(&at);
		buf_add(&at, path, (size_t)(p - path));
		rc = make_and_sync(at.data, parent.data);
		buf_reset(&parent);
		buf_add_str(&parent, buf_str(&at));
	}
	fd = rc == 0 ? open_root(path) : -1;
	rc = errno;
	buf_release(&at);
	buf_release(&parent);
	errno = rc;
	return fd;
}

/* ---- replacing --------------------------------------------------------- */

/* Mode, owner and group of the file that fd replaces, or 0600. */
static int
set_access(int fd, const struct stat *like)
{
	mode_t mode = like == NULL ? 0600 : like->st_mode & MODE_BITS;
	struct stat st;

	if (fstat(fd, &st) != 0)
		return -1;
	if (like != NULL && like->st_gid != st.st_gid &&
	    fchown(fd, (uid_t)-1, like->st_gid) != 0)
		mode &= ~(mode_t)(S_IRWXG | S_ISGID);
	if (like != NULL && like->st_uid != st.st_uid &&
	    fchown(fd, like->st_uid, (gid_t)-1) != 0)
		mode &= ~(mode_t)(S_ISUID | S_ISGID);
	/* The umask has had its say when the file was made. */
	return fchmod(fd, mode);
}

static int
fill(int fd, const struct tree_file *f)
{
	struct timespec times[2] = { { 0, UTIME_NOW }, { 0, UTIME_NOW } };

	if (io_write_all(fd, f->bytes.s, f->bytes.n) != 0 ||
	    set_access(fd, f->like) != 0)
		return -1;
	if (f->mtime != NULL) {
		times[1] = *f->mtime;
		if (futimens(fd, times) != 0)
			return -1;
	}
	return fsync(fd);
}

/*
 * Opens a new file under the temporary name, or a numbered one where somebody
 * has put a directory.  *name has what it is called.
 */
static int
open_temporary(int dir, const char *base, struct buf *name)
{
	int fd;

	for (int i = 0; i < 10; i++) {
		buf_reset(name);
		buf_adds(name, base);
		if (i > 0)
			buf_addf(name, "%d", i);
		if (unlinkat(dir, name->data, 0) != 0 && errno != ENOENT) {
			/* A directory; or a file that is not ours to remove. */
			if (errno == EISDIR || errno == EPERM)
				continue;
			return -1;
		}
		fd = openat(dir, name->data,
			    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW |
				    O_CLOEXEC,
			    0600);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

/* The temporary file, synced; -1 with errno, and then there is none. */
static int
write_temporary(int dir, const struct tree_file *f, struct buf *name)
{
	int fd = open_temporary(dir, f->temporary, name), error;

	if (fd < 0)
		return -1;
	error = fill(fd, f) != 0 ? errno : 0;
	if (close(fd) != 0 && error == 0)
		error = errno;
	if (error == 0)
		return 0;
	unlinkat(dir, name->data, 0);
	errno = error;
	return -1;
}

static bool
same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* The same file with the same bytes; its ctime changes with each rename. */
static bool
same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
	       a->st_size == b->st_size && same_time(&a->st_mtim, &b->st_mtim);
}

/*
 * Makes the temporary file the named one and the other way round, in one step,
 * and looks at what has come out: between the last look and now somebody may
 * have saved.  What they saved is newer than what we have put in its place, so
 * it goes back, until what comes out is what we know.  0 when the name has our
 * file and the temporary name the old one; else -1 with errno, and ESTALE when
 * the name has what somebody else saved.
 */
static int
exchange(int dir, const char *temporary, const char *name,
	 const struct stat *seen)
{
	struct stat in, expected = *seen, out;
	int i;

	if (fstatat(dir, temporary, &in, AT_SYMLINK_NOFOLLOW) != 0)
		return -1;
	for (i = 0; i < EXCHANGES_MOST; i++) {
		if (renameat2(dir, temporary, dir, name, RENAME_EXCHANGE) !=
			    0 ||
		    fstatat(dir, temporary, &out, AT_SYMLINK_NOFOLLOW) != 0)
			return -1;
		if (same_file(&out, &expected))
			break;
		expected = in;
		in = out;
	}
	if (i == 0)
		return 0;
	if (i == EXCHANGES_MOST)
		(void)renameat(dir, temporary, dir, name);
	errno = ESTALE;
	return -1;
}

/* The rename, if f->over allows it. */
static int
land(int dir, const struct tree_file *f, const char *temporary)
{
	int rc;

	if (f->over == TREE_OVER_ANY)
		return renameat(dir, temporary, dir, f->name);
	if (f->over == TREE_OVER_NOTHING) {
		rc = tree_move(dir, temporary, dir, f->name);
		if (rc != 0 && errno == EEXIST)
			errno = ESTALE;
		return rc;
	}
	rc = tree_unchanged(dir, f->name, f->like);
	if (rc <= 0) {
		errno = rc == 0 ? ESTALE : errno;
		return -1;
	}
	rc = exchange(dir, temporary, f->name, f->like);
	/* A file system that cannot: there the look has to do. */
	if (rc != 0 && (errno == EINVAL || errno == ENOSYS))
		return renameat(dir, temporary, dir, f->name);
	if (rc != 0 && errno == ENOENT)
		errno = ESTALE;
	return rc;
}

int
tree_replace(int dir, const struct tree_file *f, bool *landed)
{
	struct buf temporary = BUF_INIT;
	int rc, error;

	if (landed != NULL)
		*landed = false;
	rc = write_temporary(dir, f, &temporary);
	if (rc != 0)
		goto out;
	rc = land(dir, f, temporary.data);
	if (rc != 0) {
		error = errno;
		unlinkat(dir, temporary.data, 0);
		errno = error;
		goto out;
	}
	if (landed != NULL)
		*landed = true;
	if (f->over == TREE_OVER_SEEN)
		rc = unlinkat(dir, temporary.data, 0);
	if (rc == 0 || errno == ENOENT)
		rc = tree_sync(dir);
out:
	error = errno;
	buf_release(&temporary);
	errno = error;
	return rc;
}

int
tree_unchanged(int dir, const char *name, const struct stat *seen)
{
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
		if (errno != ENOENT)
			return -1;
		return seen == NULL;
	}
	return seen != NULL && same_file(&st, seen) &&
	       same_time(&st.st_ctim, &seen->st_ctim);
}

int
tree_move(int from, const char *old_name, int to, const char *new_name)
{
	if (renameat2(from, old_name, to, new_name, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	return tree_move_linked(from, old_name, to, new_name);
}

int
tree_move_linked(int from, const char *old_name, int to, const char *new_name)
{
	/* Rather two names than a check and a rename that may destroy a file. */
	if (linkat(from, old_name, to, new_name, 0) != 0)
		return -1;
	return unlinkat(from, old_name, 0);
}

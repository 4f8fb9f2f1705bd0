#include "notes/store.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/lock.h"
#include "base/path.h"
#include "base/tree.h"
#include "base/xalloc.h"
#include "notes/stamp.h"

/*
 * Fixed, since only the holder of the lock creates it: what a killed process
 * left is removed by the next one.  Without .md it is no note.
 */
#define TEMPORARY ".ctx-tmp"

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

	if (store->root < 0)
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

/* ---- storing ----------------------------------------------------------- */

/* The name of the note in its own directory. */
static const char *
base_name(const struct store *store)
{
	return path_last(str_of(store->at->path)).s;
}

/* The note's own directory below the home; made when `make`. */
static int
open_directory(const struct store *store, bool make,
	       struct beneath_fault *fault)
{
	const char *path = store->at->path, *name = base_name(store);
	char *directory;
	int fd, error;

	*fault = (struct beneath_fault){ BENEATH_FINE, 0, 0 };
	if (name == path)
		return fcntl(store->home, F_DUPFD_CLOEXEC, 3);
	directory = xmemdup(path, (size_t)(name - path) - 1);
	if (make)
		fd = tree_make(store->home, directory, fault);
	else
		fd = beneath_open_directory(store->home, directory, fault);
	error = errno;
	free(directory);
	errno = error;
	return fd;
}

static void
close_keeping_errno(int fd)
{
	int error = errno;

	close(fd);
	errno = error;
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
		.over = how->exclusive ? TREE_OVER_NOTHING : TREE_OVER_ANY,
	};
	int dir, rc;

	*landed = false;
	dir = open_directory(store, true, fault);
	if (dir < 0)
		return -1;
	rc = tree_replace(dir, &f, landed);
	close_keeping_errno(dir);
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
	struct store_how how = { NULL, NULL, false };
	struct beneath_fault fault;
	bool landed;

	if (stamp != NULL && stamp_record(store->home, *stamp) != 0)
		return address_fail_io(store->at->rendered, errno, fail);
	if (old != NULL)
		how.like = &old->st;
	if (keeps_time(old, stamp))
		how.mtime = &old->st.st_mtim;
	if (store_replace(store, bytes, &how, &landed, &fault) == 0)
		return 0;
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

/* Across file systems: a durable copy, and then the source goes. */
static int
copy_over(const struct store *from, int source, const struct store *to,
	  const struct note *note, struct fail *fail)
{
	struct store_how how = { &note->st, &note->st.st_mtim, true };
	struct beneath_fault fault;
	bool landed;

	if (store_replace(to, buf_str(&note->file), &how, &landed, &fault) !=
	    0) {
		if (errno == ESTALE)
			return 0;
		return landed ? fail_refuse(fail, "io_error",
					    "the note is at %s as well, but "
					    "may not be durable there: %s",
					    to->at->rendered, strerror(errno))
			      : fail_store(to, false, &fault, fail);
	}
	if (unlinkat(source, base_name(from), 0) != 0)
		return fail_refuse(fail, "io_error",
				   "the note has been copied to %s, but is "
				   "still at %s: %s",
				   to->at->rendered, from->at->rendered,
				   strerror(errno));
	return tree_sync(source) == 0 ? 1 : fail_moved(to, fail);
}

int
store_move(const struct store *from, const struct store *to,
	   const struct note *note, struct fail *fail)
{
	struct beneath_fault fault;
	int source, target = -1, rc;

	source = open_directory(from, false, &fault);
	if (source < 0)
		return fail_store(from, false, &fault, fail);
	target = open_directory(to, true, &fault);
	if (target < 0) {
		rc = fail_store(to, false, &fault, fail);
		goto out;
	}
	if (tree_move(source, base_name(from), target, base_name(to)) == 0)
		rc = sync_both(source, target) == 0 ? 1 : fail_moved(to, fail);
	else if (errno == EEXIST)
		rc = 0;
	else if (errno == EXDEV)
		rc = copy_over(from, source, to, note, fail);
	else
		rc = address_fail_io(to->at->rendered, errno, fail);
out:
	if (target >= 0)
		close(target);
	close(source);
	return rc;
}

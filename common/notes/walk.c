#include "notes/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/xalloc.h"
#include "notes/address.h"

struct walk {
	int home;
	walk_visit *visit;
	void *ctx;
	struct walk_tally *tally;
	char **pending; /* directories still to read; "" is the home */
	size_t n, cap;
};

enum entry_kind {
	ENTRY_GONE,
	ENTRY_FILE,
	ENTRY_DIRECTORY,
	ENTRY_LINK,
	ENTRY_OTHER
};

static enum entry_kind
kind_of_mode(mode_t mode)
{
	if (S_ISREG(mode))
		return ENTRY_FILE;
	if (S_ISDIR(mode))
		return ENTRY_DIRECTORY;
	return S_ISLNK(mode) ? ENTRY_LINK : ENTRY_OTHER;
}

/* Not every file system says in the directory what its entries are. */
static enum entry_kind
kind_of_entry(struct walk *w, int dir, const struct dirent *d)
{
	struct stat st;

	switch (d->d_type) {
	case DT_REG:
		return ENTRY_FILE;
	case DT_DIR:
		return ENTRY_DIRECTORY;
	case DT_LNK:
		return ENTRY_LINK;
	case DT_UNKNOWN:
		break;
	default:
		return ENTRY_OTHER;
	}
	if (fstatat(dir, d->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return kind_of_mode(st.st_mode);
	if (errno != ENOENT)
		w->tally->incomplete = true;
	return ENTRY_GONE;
}

static char *
join_path(const char *directory, const char *name)
{
	struct buf path = BUF_INIT;

	buf_adds(&path, directory);
	if (path.len > 0)
		buf_addc(&path, '/');
	buf_adds(&path, name);
	return buf_detach(&path);
}

static void
push(struct walk *w, char *path)
{
	XGROW(w->pending, w->n + 1, w->cap);
	w->pending[w->n++] = path;
}

static void
take_file(struct walk *w, int dir, const char *directory, const char *name)
{
	struct walk_entry entry = { dir, name, NULL };
	char *path = join_path(directory, name);

	entry.path = path;
	if (address_reaches(str_of(path)))
		w->visit(w->ctx, &entry, w->tally);
	else
		w->tally->skipped++;
	free(path);
}

/* What is too deep for any address is not gone into: depth is bounded. */
static void
take_directory(struct walk *w, const char *directory, const char *name)
{
	char *path = join_path(directory, name);

	if (address_reaches_into(str_of(path))) {
		push(w, path);
		return;
	}
	w->tally->skipped++;
	free(path);
}

static void
take_entry(struct walk *w, int dir, const char *directory,
	   const struct dirent *d)
{
	struct str name = str_of(d->d_name);
	bool note = str_ends(name, STR(".md"));
	enum entry_kind kind;

	if (str_is(name, ".") || str_is(name, ".."))
		return;
	kind = kind_of_entry(w, dir, d);
	if (kind == ENTRY_GONE || (kind == ENTRY_FILE && !note))
		return;
	if (kind == ENTRY_OTHER && !note)
		return;
	if (kind == ENTRY_LINK || kind == ENTRY_OTHER || !address_is_name(name))
		w->tally->skipped++;
	else if (kind == ENTRY_DIRECTORY)
		take_directory(w, directory, d->d_name);
	else
		take_file(w, dir, directory, d->d_name);
}

/*
 * A directory below the home, or the home itself.  NULL with errno 0 when it
 * is no longer there.
 */
static DIR *
open_directory(struct walk *w, const char *path)
{
	DIR *stream;
	int fd;

	if (path[0] == '\0')
		fd = openat(w->home, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	else
		fd = beneath_open_directory(w->home, path, NULL);
	if (fd < 0) {
		if (errno == ENOENT)
			errno = 0;
		return NULL;
	}
	stream = fdopendir(fd);
	if (stream == NULL)
		close(fd);
	return stream;
}

static void
walk_directory(struct walk *w, const char *path)
{
	struct dirent *d;
	DIR *stream = open_directory(w, path);

	if (stream == NULL) {
		if (errno != 0)
			w->tally->incomplete = true;
		return;
	}
	for (;;) {
		errno = 0;
		d = readdir(stream);
		if (d == NULL)
			break;
		take_entry(w, dirfd(stream), path, d);
	}
	if (errno != 0)
		w->tally->incomplete = true;
	closedir(stream);
}

void
walk_home(int home, walk_visit *visit, void *ctx, struct walk_tally *tally)
{
	struct walk w = {
		.home = home, .visit = visit, .ctx = ctx, .tally = tally
	};
	char *path;

	push(&w, xstrdup(""));
	while (w.n > 0) {
		path = w.pending[--w.n];
		walk_directory(&w, path);
		free(path);
	}
	free(w.pending);
}

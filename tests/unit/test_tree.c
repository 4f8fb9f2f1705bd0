#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/tree.h"

static char folder[] = "/tmp/test_tree.XXXXXX";
static int dir;

static void
holds(const char *name, const char *want)
{
	struct buf b = BUF_INIT;
	int fd = openat(dir, name, O_RDONLY);

	if (fd >= 0)
		io_read_all(fd, 1000, &b);
	close(fd);
	is_bytes(b.data, b.len, want, strlen(want), name);
	buf_release(&b);
}

static void
make(const char *name, const char *text)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || io_write_all(fd, text, strlen(text)) != 0)
		abort();
	close(fd);
}

static void
plant(const char *name)
{
	if (symlinkat("target", dir, name) != 0)
		abort();
}

static mode_t
mode_of(const char *name)
{
	struct stat st;

	return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0
		       ? st.st_mode & 07777
		       : 0;
}

static bool
exists(const char *name)
{
	return faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static struct tree_file
file(const char *name, const char *bytes, enum tree_over over)
{
	return (struct tree_file){ .name = name,
				   .temporary = ".tmp",
				   .bytes = str_of(bytes),
				   .over = over };
}

/* ---- replacing --------------------------------------------------------- */

static void
test_replacing(void)
{
	struct tree_file f = file("note", "one", TREE_OVER_ANY);
	struct timespec then = { 1000000000, 123000000 };
	struct stat st, like;
	bool landed = false;

	make(".tmp", "what a killed process left");
	ok(tree_replace(dir, &f, &landed) == 0 && landed, "a new file");
	holds("note", "one");
	ok(!exists(".tmp"), "no temporary file is left");

	f.bytes = STR("two");
	if (fchmodat(dir, "note", 0644, 0) != 0 ||
	    fstatat(dir, "note", &like, 0) != 0)
		abort();
	f.like = &like;
	f.mtime = &then;
	umask(077);
	ok(tree_replace(dir, &f, NULL) == 0, "an old file");
	holds("note", "two");
	ok(mode_of("note") == 0644, "its mode, whatever the umask");
	ok(fstatat(dir, "note", &st, 0) == 0 &&
		   st.st_mtim.tv_sec == then.tv_sec &&
		   st.st_mtim.tv_nsec == then.tv_nsec,
	   "its time");

	plant("planted");
	f = file("planted", "x", TREE_OVER_ANY);
	ok(tree_replace(dir, &f, NULL) == 0 && !exists("target"),
	   "a link is replaced, not followed");
	plant(".tmp");
	ok(tree_replace(dir, &f, NULL) == 0 && !exists("target"),
	   "nor is one with the temporary name");
}

/* Directories that somebody made where the temporary file should be. */
static void
test_temporary_names(void)
{
	struct tree_file f = file("crowded", "x", TREE_OVER_ANY);
	char name[16] = ".tmp";
	int i;

	for (i = 0; i < 9; i++) {
		if (i > 0)
			snprintf(name, sizeof(name), ".tmp%d", i);
		if (mkdirat(dir, name, 0700) != 0)
			abort();
	}
	make(".tmp9", "what a killed process left");
	ok(tree_replace(dir, &f, NULL) == 0 && !exists(".tmp9"),
	   "the tenth name is free");
	holds("crowded", "x");
	if (mkdirat(dir, ".tmp9", 0700) != 0)
		abort();
	ok(tree_replace(dir, &f, NULL) == -1 && errno == EISDIR,
	   "no name is free");
	holds("crowded", "x");
	for (i = 0; i < 10; i++) {
		snprintf(name, sizeof(name), i == 0 ? ".tmp" : ".tmp%d", i);
		unlinkat(dir, name, AT_REMOVEDIR);
	}
}

/* What stands there is not what was read: another program's save. */
static void
test_saves_between(void)
{
	struct tree_file f = file("saved", "ours", TREE_OVER_NOTHING);
	struct stat seen;
	bool landed = true;

	ok(tree_unchanged(dir, "saved", NULL) == 1, "there still is none");
	make("saved", "theirs");
	ok(tree_unchanged(dir, "saved", NULL) == 0, "now there is one");
	ok(tree_replace(dir, &f, &landed) == -1 && errno == ESTALE && !landed,
	   "a file that appeared is not replaced");
	holds("saved", "theirs");
	ok(!exists(".tmp"), "and no temporary file is left");

	f.over = TREE_OVER_SEEN;
	f.like = &seen;
	fstatat(dir, "saved", &seen, 0);
	ok(tree_unchanged(dir, "saved", &seen) == 1, "it is the same");
	ok(tree_replace(dir, &f, &landed) == 0 && landed, "and is replaced");
	holds("saved", "ours");

	ok(tree_unchanged(dir, "saved", &seen) == 0, "another inode");
	ok(tree_replace(dir, &f, &landed) == -1 && errno == ESTALE && !landed,
	   "is not replaced");
	ok(!exists(".tmp"), "no temporary file");

	fstatat(dir, "saved", &seen, 0);
	make("saved", "longer than it was");
	ok(tree_unchanged(dir, "saved", &seen) == 0, "another size");
	fstatat(dir, "saved", &seen, 0);
	utimensat(dir, "saved", (struct timespec[2]){ { 1, 0 }, { 1, 0 } }, 0);
	ok(tree_unchanged(dir, "saved", &seen) == 0, "another mtime");
	fstatat(dir, "saved", &seen, 0);
	seen.st_ctim.tv_nsec ^= 1;
	ok(tree_unchanged(dir, "saved", &seen) == 0, "another ctime");

	unlinkat(dir, "saved", 0);
	ok(tree_unchanged(dir, "saved", &seen) == 0, "a deleted file");
	ok(tree_replace(dir, &f, &landed) == -1 && errno == ESTALE &&
		   !exists("saved"),
	   "does not come back");
}

/* Only root can give a file away; the others see what is dropped. */
static void
test_owners(void)
{
	struct tree_file f = file("owned", "x", TREE_OVER_ANY);
	struct stat like, st;

	make("owned", "");
	fstatat(dir, "owned", &like, 0);
	like.st_mode = S_IFREG | 06775;
	like.st_uid = 4242;
	like.st_gid = 4243;
	f.like = &like;
	ok(tree_replace(dir, &f, NULL) == 0 &&
		   fstatat(dir, "owned", &st, 0) == 0,
	   "another's file");
	if (geteuid() == 0)
		ok(st.st_uid == 4242 && st.st_gid == 4243 &&
			   mode_of("owned") == 06775,
		   "root keeps owner, group and mode");
	else
		ok(st.st_uid == geteuid() && st.st_gid != 4243 &&
			   mode_of("owned") == 0705,
		   "without its group the file has no bits for one");
	unlinkat(dir, "owned", 0);
}

/* The same as somebody who is not root, in a process of its own. */
static void
test_owners_unprivileged(void)
{
	pid_t pid;
	int status = -1;

	if (geteuid() != 0) {
		ok(true, "not root: seen above");
		return;
	}
	if (fchmod(dir, 0777) != 0)
		abort();
	pid = fork();
	if (pid == 0) {
		struct tree_file f = file("foreign", "x", TREE_OVER_ANY);
		struct stat like = { .st_mode = S_IFREG | 06775,
				     .st_uid = 4242,
				     .st_gid = 4243 };

		f.like = &like;
		if (setgid(4244) != 0 || setuid(4244) != 0)
			_exit(2);
		_exit(tree_replace(dir, &f, NULL) == 0 &&
				      mode_of("foreign") == 0705
			      ? 0
			      : 1);
	}
	ok(waitpid(pid, &status, 0) == pid && status == 0,
	   "without its group the file has no bits for one");
	if (fchmod(dir, 0700) != 0)
		abort();
}

static void
test_full(void)
{
	static char big[8192];
	struct tree_file f = { .name = "note",
			       .temporary = ".tmp",
			       .bytes = { big, sizeof(big) },
			       .over = TREE_OVER_ANY };
	struct rlimit limit = { 4096, RLIM_INFINITY }, old;
	bool landed = true;

	make("note", "old");
	getrlimit(RLIMIT_FSIZE, &old);
	setrlimit(RLIMIT_FSIZE, &limit);
	ok(tree_replace(dir, &f, &landed) == -1 && errno == EFBIG && !landed,
	   "what does not fit is an error");
	setrlimit(RLIMIT_FSIZE, &old);
	holds("note", "old");
	ok(!exists(".tmp"), "and no temporary file is left");
}

static void
test_moving(void)
{
	make("a", "a");
	make("b", "b");
	ok(tree_move(dir, "a", dir, "b") == -1 && errno == EEXIST,
	   "nothing is moved over a file");
	holds("a", "a");
	holds("b", "b");
	ok(tree_move(dir, "a", dir, "c") == 0 && !exists("a"), "moved");
	holds("c", "a");
	ok(tree_move_linked(dir, "b", dir, "c") == -1 && errno == EEXIST,
	   "nor where it takes two calls");
	holds("c", "a");
	ok(tree_move_linked(dir, "b", dir, "d") == 0 && !exists("b"),
	   "moved in two calls");
	holds("d", "b");
}

/* ---- making ------------------------------------------------------------ */

static void
makes(int top, const char *path, const char *what)
{
	struct beneath_fault fault;
	struct stat st;
	int fd = tree_make(top, path, &fault);

	ok(fd >= 0 && fault.kind == BENEATH_FINE && fstat(fd, &st) == 0 &&
		   S_ISDIR(st.st_mode),
	   "%s", what);
	close(fd);
}

static void
refuses(int top, const char *path, int error, enum beneath_kind kind,
	const char *component)
{
	struct beneath_fault fault;
	int fd = tree_make(top, path, &fault);

	ok(fd < 0 && errno == error && fault.kind == kind, "%s: errno %d", path,
	   errno);
	is_bytes(path + fault.start, fault.end - fault.start, component,
		 strlen(component), "the component");
}

static void
test_making(void)
{
	int top;

	if (mkdirat(dir, "in", 0700) != 0 || mkdirat(dir, "in/a", 0700) != 0 ||
	    mkdirat(dir, "out", 0700) != 0 ||
	    symlinkat("../out", dir, "in/link") != 0 ||
	    symlinkat("nowhere", dir, "in/dangling") != 0)
		abort();
	make("in/a/f", "");
	top = openat(dir, "in", O_PATH | O_DIRECTORY);
	makes(top, "new/er/est", "directories are made");
	ok(mode_of("in/new") == 0700 && mode_of("in/new/er/est") == 0700,
	   "0700");
	makes(top, "new/er", "one that is there is opened");
	makes(top, "new/er/est", "an empty one, too");
	makes(top, "a/more", "below an old one");
	refuses(top, "link/new", ELOOP, BENEATH_LINK, "link");
	ok(!exists("out/new"), "nothing is made outside");
	refuses(top, "dangling/new", ELOOP, BENEATH_LINK, "dangling");
	ok(!exists("in/nowhere"), "nor where a link leads");
	refuses(top, "a/f/x", ENOTDIR, BENEATH_NOT_DIRECTORY, "f");
	refuses(top, "a/f", ENOTDIR, BENEATH_NOT_DIRECTORY, "f");
	close(top);
}

static void
test_making_roots(void)
{
	char path[64], link[64];
	int fd;

	snprintf(path, sizeof(path), "%s/roots//of/trees/", folder);
	fd = tree_make_root(path);
	ok(fd >= 0 && mode_of("roots/of/trees") == 0700, "a root is made");
	close(fd);
	fd = tree_make_root(path);
	ok(fd >= 0, "and made durable again while it is empty");
	close(fd);
	snprintf(link, sizeof(link), "%s/roots/link", folder);
	if (symlink("of/trees", link) != 0)
		abort();
	fd = tree_make_root(link);
	ok(fd >= 0, "it may be reached through a link");
	close(fd);
	make("roots/file", "");
	snprintf(path, sizeof(path), "%s/roots/file/x", folder);
	ok(tree_make_root(path) < 0 && errno == ENOTDIR, "not below a file");
	if (fchdir(dir) != 0)
		abort();
	fd = tree_make_root("relative/root");
	ok(fd >= 0 && mode_of("relative/root") == 0700, "a relative one");
	close(fd);
}

static void
test_umask(void)
{
	struct tree_file f = file("masked", "x", TREE_OVER_NOTHING);
	char path[64];
	int fd;

	umask(0777);
	ok(tree_replace(dir, &f, NULL) == 0 && mode_of("masked") == 0600,
	   "a new file is 0600, whatever the umask");
	umask(0177);
	fd = tree_make(dir, "deep/er", NULL);
	ok(fd >= 0 && mode_of("deep") == 0700 && mode_of("deep/er") == 0700,
	   "a new directory 0700");
	close(fd);
	snprintf(path, sizeof(path), "%s/rooted/tree", folder);
	fd = tree_make_root(path);
	ok(fd >= 0 && mode_of("rooted") == 0700 &&
		   mode_of("rooted/tree") == 0700,
	   "a root, too");
	close(fd);
	umask(077);
}

/* ---- reading ----------------------------------------------------------- */

static int
by_line(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
note_entry(void *ctx, const char *name, enum tree_kind kind)
{
	buf_addf(ctx, "%c %s\n", "fdlo"[kind], name);
}

static bool
note_node(void *ctx, const struct tree_node *node)
{
	bool there = faccessat(node->dir, node->name, F_OK,
			       AT_SYMLINK_NOFOLLOW) == 0;

	buf_addf(ctx, "%c %s%s\n", "fdlo"[node->kind], node -> path,
		 there ? "" : " (not there)");
	return strcmp(node->name, "shut") != 0;
}

/* What was noted, its lines in order; b is empty afterwards. */
static void
noted(struct buf *b, const char *want, const char *what)
{
	char *text = buf_detach(b), *lines[32], *line, *p = text;
	size_t n = 0, i;

	while ((line = strsep(&p, "\n")) != NULL && n < 32)
		lines[n++] = line;
	qsort(lines, n, sizeof(*lines), by_line);
	for (i = 0; i < n; i++)
		if (lines[i][0] != '\0')
			buf_addf(b, "%s\n", lines[i]);
	is_bytes(b->data, b->len, want, strlen(want), what);
	buf_release(b);
	free(text);
}

static void
test_reading(void)
{
	struct buf b = BUF_INIT;
	int fd;

	if (mkdirat(dir, "w", 0700) != 0 || mkdirat(dir, "w/d", 0700) != 0 ||
	    mkdirat(dir, "w/d/e", 0700) != 0 ||
	    mkdirat(dir, "w/shut", 0700) != 0 ||
	    mkfifoat(dir, "w/fifo", 0600) != 0 ||
	    symlinkat("d", dir, "w/link") != 0)
		abort();
	make("w/f", "");
	make("w/.hidden", "");
	make("w/d/e/g", "");
	make("w/shut/x", "");
	fd = openat(dir, "w", O_RDONLY | O_DIRECTORY);
	ok(tree_read(fd, note_entry, &b) == 0, "a directory is read");
	ok(fcntl(fd, F_GETFD) == -1, "its descriptor is closed");
	noted(&b, "d d\nd shut\nf .hidden\nf f\nl link\no fifo\n", "entries");

	fd = openat(dir, "w", O_PATH | O_DIRECTORY);
	ok(tree_walk(fd, note_node, &b) == 0, "a tree is walked");
	noted(&b,
	      "d d\nd d/e\nd shut\nf .hidden\nf d/e/g\nf f\nl link\no fifo\n",
	      "not through a link, nor where it is not wanted");
	close(fd);
	ok(tree_read(openat(dir, "w/f", O_RDONLY), note_entry, &b) == -1 &&
		   errno == ENOTDIR && b.len == 0,
	   "a file has no entries");
}

int
main(void)
{
	char command[64];

	signal(SIGXFSZ, SIG_IGN);
	if (mkdtemp(folder) == NULL)
		abort();
	dir = open(folder, O_RDONLY | O_DIRECTORY);
	test_replacing();
	test_temporary_names();
	test_saves_between();
	test_owners();
	test_owners_unprivileged();
	test_full();
	test_moving();
	test_making();
	test_making_roots();
	test_umask();
	test_reading();
	close(dir);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	ok(system(command) == 0, "the folder is removed");
	return done();
}

#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/replace.h"

static char folder[] = "/tmp/test_replace.XXXXXX";
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

static bool
exists(const char *name)
{
	return faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static void
test_replacing(void)
{
	struct replacement r = {
		"note", ".tmp", STR("one"), 0600, NULL, false
	};
	struct timespec then = { 1000000000, 123000000 };
	struct stat st;
	bool landed = false;

	make(".tmp", "what a killed process left");
	ok(replace_file(dir, &r, &landed) == 0 && landed, "a new file");
	holds("note", "one");
	ok(!exists(".tmp"), "no temporary file is left");

	r.bytes = STR("two");
	r.mode = 0644;
	r.mtime = &then;
	umask(077);
	ok(replace_file(dir, &r, NULL) == 0, "an old file");
	holds("note", "two");
	ok(fstatat(dir, "note", &st, 0) == 0 && (st.st_mode & 07777) == 0644,
	   "its mode, whatever the umask");
	ok(st.st_mtim.tv_sec == then.tv_sec &&
		   st.st_mtim.tv_nsec == then.tv_nsec,
	   "its time");

	r.exclusive = true;
	ok(replace_file(dir, &r, &landed) == -1 && errno == EEXIST && !landed,
	   "not over a file, when asked so");
	ok(!exists(".tmp"), "and no temporary file is left");

	plant("planted");
	r = (struct replacement){
		"planted", ".tmp", STR("x"), 0600, NULL, false
	};
	ok(replace_file(dir, &r, NULL) == 0 && !exists("target"),
	   "a link is replaced, not followed");
	plant(".tmp");
	ok(replace_file(dir, &r, NULL) == 0 && !exists("target"),
	   "nor is one with the temporary name");
}

static void
test_full(void)
{
	static char big[8192];
	struct replacement r = { "note", ".tmp", { big, sizeof(big) },
				 0600,	 NULL,	 false };
	struct rlimit limit = { 4096, RLIM_INFINITY }, old;
	bool landed = true;

	make("note", "old");
	getrlimit(RLIMIT_FSIZE, &old);
	setrlimit(RLIMIT_FSIZE, &limit);
	ok(replace_file(dir, &r, &landed) == -1 && errno == EFBIG && !landed,
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
	ok(replace_move(dir, "a", dir, "b") == -1 && errno == EEXIST,
	   "nothing is moved over a file");
	holds("a", "a");
	holds("b", "b");
	ok(replace_move(dir, "a", dir, "c") == 0 && !exists("a"), "moved");
	holds("c", "a");
	ok(replace_move_linked(dir, "b", dir, "c") == -1 && errno == EEXIST,
	   "nor where it takes two calls");
	holds("c", "a");
	ok(replace_move_linked(dir, "b", dir, "d") == 0 && !exists("b"),
	   "moved in two calls");
	holds("d", "b");
}

static void
test_umask(void)
{
	struct replacement r = {
		"masked", ".tmp", STR("x"), 0600, NULL, false
	};
	struct stat st;

	umask(0777);
	ok(replace_file(dir, &r, NULL) == 0 &&
		   fstatat(dir, "masked", &st, 0) == 0 &&
		   (st.st_mode & 07777) == 0600,
	   "a new file is 0600, whatever the umask");
	umask(077);
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
	test_full();
	test_moving();
	test_umask();
	close(dir);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	ok(system(command) == 0, "the folder is removed");
	return done();
}

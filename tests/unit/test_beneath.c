#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"

static char folder[] = "/tmp/test_beneath.XXXXXX";
static int top = -1;

static const char *const ways[] = { "auto", "kernel", "steps" };

static void
make_file(const char *path)
{
	int fd = openat(top, path, O_WRONLY | O_CREAT, 0600);

	if (fd < 0 || write(fd, "x", 1) != 1)
		abort();
	close(fd);
}

static void
setup(void)
{
	if (mkdtemp(folder) == NULL)
		abort();
	top = open(folder, O_RDONLY | O_DIRECTORY);
	if (top < 0 || mkdirat(top, "in", 0700) != 0 ||
	    mkdirat(top, "in/a", 0700) != 0 ||
	    mkdirat(top, "in/a/b", 0700) != 0 ||
	    mkdirat(top, "out", 0700) != 0 ||
	    symlinkat("../out", top, "in/link") != 0 ||
	    symlinkat("b", top, "in/a/inner") != 0 ||
	    symlinkat("f", top, "in/a/file-link") != 0 ||
	    symlinkat("nowhere", top, "in/dangling") != 0 ||
	    symlinkat("/proc/self/cwd", top, "in/magic") != 0 ||
	    mkfifoat(top, "in/fifo", 0600) != 0)
		abort();
	make_file("in/a/f");
	make_file("in/a/b/g");
	make_file("out/secret");
}

/* The fault by both ways, and its component. */
static void
refused(const char *path, int flags, int error, enum beneath_kind kind,
	const char *component)
{
	int dir = openat(top, "in", O_PATH | O_DIRECTORY), fd;
	struct beneath_fault fault;
	size_t i;

	for (i = 0; i < 3; i++) {
		if (i == BENEATH_KERNEL)
			continue; /* it does not look for the component */
		errno = 0;
		fd = beneath_open_by((enum beneath_way)i, dir, path, flags, 0,
				     &fault);
		ok(fd < 0 && errno == error, "%s, %s: errno %d", path, ways[i],
		   errno);
		ok(fault.kind == kind, "%s, %s: the kind", path, ways[i]);
		if (component != NULL)
			is_bytes(path + fault.start, fault.end - fault.start,
				 component, strlen(component), "component");
	}
	fd = beneath_open_by(BENEATH_KERNEL, dir, path, flags, 0, NULL);
	ok(fd < 0, "%s: the kernel refuses as well", path);
	close(dir);
}

static void
opens(const char *path)
{
	int dir = openat(top, "in", O_PATH | O_DIRECTORY), fd;
	struct beneath_fault fault;
	struct stat st;
	size_t i;

	for (i = 0; i < 3; i++) {
		fd = beneath_open_by((enum beneath_way)i, dir, path, O_RDONLY,
				     0, &fault);
		/* Where a sandbox refuses the call there is nothing to see. */
		if (i == BENEATH_KERNEL && fd < 0 &&
		    (errno == ENOSYS || errno == EPERM))
			continue;
		ok(fd >= 0 && fstat(fd, &st) == 0 && fault.kind == BENEATH_FINE,
		   "%s opens, %s", path, ways[i]);
		ok((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0, "close on exec");
		close(fd);
	}
	close(dir);
}

static void
test_open(void)
{
	opens("a");
	opens("a/f");
	opens("a/b/g");
	refused("link", O_RDONLY, ELOOP, BENEATH_LINK, "link");
	refused("link/secret", O_RDONLY, ELOOP, BENEATH_LINK, "link");
	refused("link/new", O_RDONLY, ELOOP, BENEATH_LINK, "link");
	refused("a/inner/g", O_RDONLY, ELOOP, BENEATH_LINK, "inner");
	refused("a/inner", O_RDONLY | O_DIRECTORY, ELOOP, BENEATH_LINK,
		"inner");
	refused("a/file-link", O_RDONLY, ELOOP, BENEATH_LINK, "file-link");
	refused("dangling", O_RDONLY, ELOOP, BENEATH_LINK, "dangling");
	refused("dangling/x", O_RDONLY, ELOOP, BENEATH_LINK, "dangling");
	refused("magic", O_RDONLY, ELOOP, BENEATH_LINK, "magic");
	refused("a/f/x", O_RDONLY, ENOTDIR, BENEATH_NOT_DIRECTORY, "f");
	refused("a/f", O_RDONLY | O_DIRECTORY, ENOTDIR, BENEATH_NOT_DIRECTORY,
		"f");
	refused("missing", O_RDONLY, ENOENT, BENEATH_FINE, NULL);
	refused("a/missing/x", O_RDONLY, ENOENT, BENEATH_FINE, NULL);
	refused("..", O_RDONLY, EINVAL, BENEATH_FINE, NULL);
	refused("a/../../out/secret", O_RDONLY, EINVAL, BENEATH_FINE, NULL);
	refused("/etc/passwd", O_RDONLY, EINVAL, BENEATH_FINE, NULL);
	refused("", O_RDONLY, EINVAL, BENEATH_FINE, NULL);
	refused("a//f", O_RDONLY, EINVAL, BENEATH_FINE, NULL);
	refused("a/", O_RDONLY, EINVAL, BENEATH_FINE, NULL);
	refused("./a", O_RDONLY, EINVAL, BENEATH_FINE, NULL);
	refused("link", O_PATH, EINVAL, BENEATH_FINE, NULL);
}

static void
no_file(const char *path, int flags, int error, const char *component)
{
	int dir = openat(top, "in", O_RDONLY | O_DIRECTORY), fd;
	struct beneath_fault fault;

	fd = beneath_open_file(dir, path, flags, &fault);
	ok(fd < 0 && errno == error && fault.kind == BENEATH_NOT_FILE,
	   "%s is not a regular file: errno %d, kind %d", path, errno,
	   fault.kind);
	is_bytes(path + fault.start, fault.end - fault.start, component,
		 strlen(component), "component");
	close(dir);
}

static void
test_files(void)
{
	int dir = openat(top, "in", O_RDONLY | O_DIRECTORY), fd;
	char c = 0;

	fd = beneath_open_file(dir, "a/f", O_RDONLY, NULL);
	ok(fd >= 0 && read(fd, &c, 1) == 1 && c == 'x', "a file is read");
	close(fd);
	close(dir);
	no_file("fifo", O_RDONLY, EINVAL, "fifo");
	no_file("fifo", O_RDWR, EINVAL, "fifo");
	no_file("fifo", O_WRONLY, ENXIO, "fifo");
	no_file("a/b", O_RDONLY, EISDIR, "b");
	no_file("a/b", O_RDWR, EISDIR, "b");
}

int
main(void)
{
	char command[64];

	setup();
	test_open();
	test_files();
	close(top);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	ok(system(command) == 0, "the folder is removed");
	return done();
}

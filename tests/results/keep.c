/*
 * keep - runs the program of the same name in BIN, and appends the JSON line
 * that it prints to KEPT/<name>.<exit status>.
 *
 * A stdout that is no file, no pipe and not /dev/null is the program's own
 * affair, and so is what it says about itself.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

static char line[1 << 20];
static size_t n_line;
static int whole; /* its line feed has come */

static int
stands_between(int argc, char *argv[])
{
	struct stat st;
	int i;

	for (i = 1; i < argc; i++)
		if (strcmp(argv[i], "--schema") == 0 ||
		    strncmp(argv[i], "--completion", 12) == 0)
			return 0;
	return fstat(1, &st) == 0 &&
	       (S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode) ||
		st.st_rdev == makedev(1, 3));
}

static void
take(const char *p, size_t n)
{
	const char *end = memchr(p, '\n', n);

	if (whole)
		return;
	if (end != NULL) {
		n = (size_t)(end - p) + 1;
		whole = 1;
	}
	if (n > sizeof(line) - n_line)
		abort();
	memcpy(line + n_line, p, n);
	n_line += n;
}

/* Passes on all that comes. */
static void
copy(int from)
{
	char block[65536];
	ssize_t n, done, w;

	while ((n = read(from, block, sizeof(block))) != 0) {
		if (n < 0 && errno != EINTR)
			break;
		if (n > 0)
			take(block, (size_t)n);
		for (done = 0; done < n; done += w)
			if ((w = write(1, block + done, (size_t)(n - done))) <
			    0)
				return;
	}
}

static void
append(const char *name, int status)
{
	char path[4096];
	int fd;

	if (n_line == 0 || line[0] != '{')
		return;
	snprintf(path, sizeof(path), KEPT "/%s.%d", name, status);
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
	/* Where the test may write nothing, nothing is kept. */
	if (fd >= 0 && write(fd, line, n_line) != (ssize_t)n_line)
		abort();
}

int
main(int argc, char *argv[])
{
	const char *slash = strrchr(argv[0], '/');
	const char *name = slash == NULL ? argv[0] : slash + 1;
	char path[4096];
	int fds[2], status;
	pid_t child;

	snprintf(path, sizeof(path), BIN "/%s", name);
	if (!stands_between(argc, argv)) {
		execv(path, argv);
		return 127;
	}
	if (pipe(fds) != 0 || (child = fork()) < 0)
		return 127;
	if (child == 0) {
		dup2(fds[1], 1);
		close(fds[0]);
		close(fds[1]);
		execv(path, argv);
		_exit(127);
	}
	close(fds[1]);
	copy(fds[0]);
	close(fds[0]);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return 127;
	if (WIFSIGNALED(status)) {
		raise(WTERMSIG(status));
		return 128 + WTERMSIG(status);
	}
	append(name, WEXITSTATUS(status));
	return WEXITSTATUS(status);
}

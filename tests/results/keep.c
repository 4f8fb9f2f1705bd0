/*
 * keep - runs the program of the same name in BIN, and appends the JSON line
 * that it prints to KEPT/<name>.<exit status>.
 *
 * A stdout that is not a file, a pipe or /dev/null is the program's own
 * affair, and so are a stream, what it says about itself, and a text alone,
 * which may begin with a brace as well.  A signal that is sent here is meant
 * for the program, and what kills this kills the program.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

static char line[1 << 20];
static size_t n_line;
static int whole; /* its line feed has come */

static pid_t program;

/* What a terminal sends comes to the program by itself. */
static void
pass_on(int number, siginfo_t *info, void *context)
{
	int error = errno;

	(void)context;
	if (info->si_code <= 0 || number == SIGCONT)
		(void)kill(program, number);
	if (number == SIGTSTP)
		(void)raise(SIGSTOP);
	errno = error;
}

/* Also what was ignored: the program, which has forked off, may not. */
static void
take_signals(void)
{
	static const int taken[] = { SIGINT,  SIGTERM, SIGHUP,
				     SIGTSTP, SIGCONT, SIGWINCH };
	struct sigaction action = { .sa_sigaction = pass_on,
				    .sa_flags = SA_SIGINFO | SA_RESTART };
	size_t i;

	for (i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		(void)sigaction(taken[i], &action, NULL);
}

/* An option that says where the program stands, which is not an argument. */
static int
is_fact(const char *name, const char *option, size_t n)
{
	char path[4096], fact[256];
	FILE *facts;
	int found = 0;

	snprintf(path, sizeof(path), KEPT "/%s.facts", name);
	if ((facts = fopen(path, "re")) == NULL)
		return 0;
	while (!found && fgets(fact, sizeof(fact), facts) != NULL)
		found = strcspn(fact, "\n") == n &&
			strncmp(fact, option, n) == 0;
	fclose(facts);
	return found;
}

/* -j asks for the line; -t, --hook and any argument are for the text alone. */
static int
prints_line(const char *name, int argc, char *argv[])
{
	int i, plain = !isatty(0);

	for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		size_t n = strcspn(argv[i], "=");

		if (strcmp(argv[i], "-j") == 0 ||
		    strcmp(argv[i], "--json") == 0)
			return 1;
		if (!is_fact(name, argv[i], n))
			plain = 0;
		else if (argv[i][n] == '\0')
			i++;
	}
	return plain && i >= argc;
}

static int
stands_between(int argc, char *argv[])
{
	struct stat st;
	int i;

	for (i = 1; i < argc; i++)
		if (strcmp(argv[i], "--schema") == 0 ||
		    strcmp(argv[i], "--stream") == 0 ||
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
	struct rlimit most;
	int fd;

	if (n_line == 0 || line[0] != '{')
		return;
	/*
	 * A test that bounds what its programs write does not mean this file.
	 */
	if (getrlimit(RLIMIT_FSIZE, &most) != 0 ||
	    most.rlim_cur != RLIM_INFINITY)
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
	pid_t parent = getpid();
	int fds[2], status;

	snprintf(path, sizeof(path), BIN "/%s", name);
	if (!stands_between(argc, argv)) {
		execv(path, argv);
		return 127;
	}
	if (pipe(fds) != 0 || (program = fork()) < 0)
		return 127;
	if (program == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(127);
		dup2(fds[1], 1);
		close(fds[0]);
		close(fds[1]);
		execv(path, argv);
		_exit(127);
	}
	take_signals();
	close(fds[1]);
	copy(fds[0]);
	close(fds[0]);
	while (waitpid(program, &status, 0) < 0)
		if (errno != EINTR)
			return 127;
	if (WIFSIGNALED(status)) {
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
		return 128 + WTERMSIG(status);
	}
	if (prints_line(name, argc, argv))
		append(name, WEXITSTATUS(status));
	return WEXITSTATUS(status);
}

/*
 * measure ROUNDS COMMAND... [, COMMAND...]...
 *
 * Runs the commands in turn, ROUNDS times each, so that all see the same
 * machine, with stdin and stdout on /dev/null.  Prints one line a command:
 * median microseconds from before the fork to the end, and peak KiB.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define COMMANDS_MAX 16

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Gives microseconds and raises *peak. */
static double
run(char *const argv[], long *peak)
{
	struct rusage usage;
	int status;
	double start = now(), end;
	pid_t child = vfork();

	if (child < 0)
		err(1, "vfork");
	if (child == 0) {
		execvp(argv[0], argv);
		_exit(127);
	}
	if (wait4(child, &status, 0, &usage) != child)
		err(1, "wait4");
	end = now();
	if (!WIFEXITED(status) || WEXITSTATUS(status) > 1)
		errx(1, "%s: status %x", argv[0], (unsigned)status);
	if (usage.ru_maxrss > *peak)
		*peak = usage.ru_maxrss;
	return end - start;
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Cuts argv at the commas. */
static size_t
split(int argc, char *argv[], char **commands[])
{
	size_t n = 0;

	commands[n++] = argv;
	for (int i = 0; i < argc; i++) {
		if (strcmp(argv[i], ",") != 0)
			continue;
		argv[i] = NULL;
		if (n == COMMANDS_MAX)
			errx(2, "too many commands");
		commands[n++] = argv + i + 1;
	}
	return n;
}

int
main(int argc, char *argv[])
{
	char **commands[COMMANDS_MAX];
	double *times[COMMANDS_MAX];
	long peak[COMMANDS_MAX] = { 0 };
	size_t n, rounds;
	int null = open("/dev/null", O_RDWR);
	int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);

	if (argc < 3 || (rounds = strtoul(argv[1], NULL, 10)) == 0)
		errx(2, "usage: measure ROUNDS COMMAND... [, COMMAND...]...");
	if (null < 0 || out < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0)
		err(1, "/dev/null");
	n = split(argc - 2, argv + 2, commands);
	for (size_t i = 0; i < n; i++) {
		times[i] = calloc(rounds, sizeof(*times[i]));
		if (times[i] == NULL)
			err(1, "memory");
		run(commands[i], &peak[i]); /* warms the caches */
	}
	for (size_t r = 0; r < rounds; r++)
		for (size_t i = 0; i < n; i++)
			times[i][r] = run(commands[i], &peak[i]);
	for (size_t i = 0; i < n; i++) {
		qsort(times[i], rounds, sizeof(*times[i]), by_value);
		dprintf(out, "%.0f %ld\n", times[i][rounds / 2], peak[i]);
		free(times[i]);
	}
	return 0;
}

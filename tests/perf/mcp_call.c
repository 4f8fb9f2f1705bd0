/*
 * mcp_call N MCP-SERVE PROGRAM TOOL ARGUMENTS - the time of a call through a
 * server that runs, and of the program executed with the same arguments, in
 * turn.  Prints the two medians, in microseconds.
 */
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct child {
	pid_t pid;
	int in, out;
};

static void
die(const char *what)
{
	perror(what);
	exit(1);
}

static struct child
start(const char *path)
{
	char *argv[] = { strdup(path), NULL };
	posix_spawn_file_actions_t actions;
	struct child c;
	int in[2], out[2];

	if (pipe(in) != 0 || pipe(out) != 0)
		die("pipe");
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in[0], 0);
	posix_spawn_file_actions_adddup2(&actions, out[1], 1);
	posix_spawn_file_actions_addclose(&actions, in[1]);
	posix_spawn_file_actions_addclose(&actions, out[0]);
	posix_spawn_file_actions_addclose(&actions, in[0]);
	posix_spawn_file_actions_addclose(&actions, out[1]);
	if (posix_spawn(&c.pid, path, &actions, NULL, argv, environ) != 0)
		die(path);
	posix_spawn_file_actions_destroy(&actions);
	close(in[0]);
	close(out[1]);
	c.in = in[1];
	c.out = out[0];
	free(argv[0]);
	return c;
}

static void
put(int fd, const char *text)
{
	size_t n = strlen(text);

	if (write(fd, text, n) != (ssize_t)n)
		die("write");
}

/* Reads up to a line's end, or to the end of the file. */
static void
get(int fd, int line, char *text, size_t size)
{
	size_t len = 0;
	ssize_t n;

	while ((n = read(fd, text + len, size - len - 1)) > 0) {
		len += (size_t)n;
		if (line && text[len - 1] == '\n')
			break;
	}
	text[len] = '\0';
	if (len == 0)
		die("no answer");
}

static int64_t
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static int
compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int
main(int argc, char *argv[])
{
	static char text[1 << 20];
	char request[4096];
	int64_t *through, *own, begin;
	struct child server, program;
	int i, n;

	if (argc != 6)
		return 2;
	n = (int)strtol(argv[1], NULL, 10);
	through = calloc((size_t)n + 1, sizeof(*through));
	own = calloc((size_t)n + 1, sizeof(*own));
	if (n < 1 || through == NULL || own == NULL)
		return 2;
	signal(SIGPIPE, SIG_IGN);
	server = start(argv[2]);
	put(server.in, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":"
		       "\"initialize\",\"params\":{\"protocolVersion\":"
		       "\"2025-06-18\"}}\n");
	get(server.out, 1, text, sizeof(text));
	snprintf(request, sizeof(request),
		 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
		 "\"params\":{\"name\":\"%s\",\"arguments\":%s}}\n",
		 argv[4], argv[5]);
	for (i = 0; i < n; i++) {
		begin = now_us();
		put(server.in, request);
		get(server.out, 1, text, sizeof(text));
		through[i] = now_us() - begin;
		if (strstr(text, "\"isError\":false") == NULL)
			die(text);
		begin = now_us();
		program = start(argv[3]);
		put(program.in, argv[5]);
		close(program.in);
		get(program.out, 0, text, sizeof(text));
		waitpid(program.pid, NULL, 0);
		own[i] = now_us() - begin;
		close(program.out);
	}
	qsort(through, (size_t)n, sizeof(*through), compare);
	qsort(own, (size_t)n, sizeof(*own), compare);
	printf("%lld\n%lld\n", (long long)through[n / 2],
	       (long long)own[n / 2]);
	close(server.in);
	waitpid(server.pid, NULL, 0);
	free(through);
	free(own);
	return 0;
}

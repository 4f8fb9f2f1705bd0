#include "mcp/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/io.h"

#define DRAIN_TURNS 16 /* of 16 KiB: more than a pipe holds */

enum { CHILD_END, OUR_END };

/* The ends of three pipes; -1 where there is none. */
struct pipes {
	int in[2], out[2], err[2];
};

void
spawn_close_one(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1;
}

void
spawn_close(struct spawn *s)
{
	spawn_close_one(&s->in);
	spawn_close_one(&s->out);
	spawn_close_one(&s->err);
}

static int
open_pipe(int *reader, int *writer, int *ours)
{
	int fd[2];

	if (pipe2(fd, O_CLOEXEC) != 0)
		return -1;
	*reader = fd[0];
	*writer = fd[1];
	return fcntl(*ours, F_SETFL, O_NONBLOCK);
}

static void
close_pair(int fd[2])
{
	spawn_close_one(&fd[CHILD_END]);
	spawn_close_one(&fd[OUR_END]);
}

static int
open_pipes(struct pipes *p)
{
	*p = (struct pipes){ { -1, -1 }, { -1, -1 }, { -1, -1 } };
	if (open_pipe(&p->in[CHILD_END], &p->in[OUR_END], &p->in[OUR_END]) ==
		    0 &&
	    open_pipe(&p->out[OUR_END], &p->out[CHILD_END], &p->out[OUR_END]) ==
		    0 &&
	    open_pipe(&p->err[OUR_END], &p->err[CHILD_END], &p->err[OUR_END]) ==
		    0)
		return 0;
	close_pair(p->in);
	close_pair(p->out);
	close_pair(p->err);
	return -1;
}

/* Handlers fall back by themselves, what is ignored does not. */
static void
default_signals(void)
{
	struct sigaction plain = { .sa_handler = SIG_DFL };
	sigset_t none;
	int i;

	for (i = 1; i < NSIG; i++)
		(void)sigaction(i, &plain, NULL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

_Noreturn static void
become(const struct pipes *p, const char *path, const char *option,
       char *const environment[], pid_t parent)
{
	const char *words[] = { strrchr(path, '/') + 1, option, NULL };
	const char *reason;

	(void)setpgid(0, 0);
	default_signals();
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(SPAWN_NOT_EXECUTED); /* it died before we asked */
	/* 0, 1 and 2 are open in us: no end of a pipe is among them. */
	if (dup2(p->in[CHILD_END], STDIN_FILENO) >= 0 &&
	    dup2(p->out[CHILD_END], STDOUT_FILENO) >= 0 &&
	    dup2(p->err[CHILD_END], STDERR_FILENO) >= 0 &&
	    close_range(STDERR_FILENO + 1, ~0U, 0) == 0)
		(void)execve(path, (char *const *)(const void *)words,
			     environment);
	reason = strerror(errno);
	(void)io_write_all(STDERR_FILENO, "cannot be executed: ", 20);
	(void)io_write_all(STDERR_FILENO, reason, strlen(reason));
	_exit(SPAWN_NOT_EXECUTED);
}

int
spawn_start(struct spawn *s, const char *path, const char *option,
	    char *const environment[])
{
	pid_t parent = getpid();
	struct pipes p;
	int error;

	if (open_pipes(&p) != 0)
		return -1;
	s->pid = fork();
	if (s->pid == 0)
		become(&p, path, option, environment, parent);
	error = errno;
	spawn_close_one(&p.in[CHILD_END]);
	spawn_close_one(&p.out[CHILD_END]);
	spawn_close_one(&p.err[CHILD_END]);
	s->in = p.in[OUR_END];
	s->out = p.out[OUR_END];
	s->err = p.err[OUR_END];
	if (s->pid < 0) {
		s->pid = 0;
		spawn_close(s);
		errno = error;
		return -1;
	}
	/* Both sides, so that whoever is first finds the group. */
	(void)setpgid(s->pid, s->pid);
	return 0;
}

int
spawn_drain(int fd, struct buf *out)
{
	char chunk[16384];
	ssize_t n;
	size_t room;
	int turns;

	/* One that never stops printing must not keep us from all else. */
	for (turns = 0; turns < DRAIN_TURNS; turns++) {
		n = read(fd, chunk, sizeof(chunk));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return 0;
		if (n <= 0)
			return 1;
		/* A full buf takes nothing more, so what fits goes first. */
		room = out->max - out->len;
		buf_add(out, chunk, (size_t)n < room ? (size_t)n : room);
		if ((size_t)n > room)
			out->full = true;
	}
	return 0;
}

#include "base/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"

#define DRAIN_TURNS 16 /* of 16 KiB: more than a pipe holds */

enum { CHILD_END, OUR_END };

/* The ends of the pipes; -1 where there is none. */
struct pipes {
	int in[2], out[2], err[2];
	int told[2]; /* the errno of an exec that failed, or end of file */
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

/* The end that is ours does not block. */
static int
open_pipe(int *reader, int *writer, const int *ours)
{
	int fd[2];

	if (pipe2(fd, O_CLOEXEC) != 0)
		return -1;
	*reader = fd[0];
	*writer = fd[1];
	return ours == NULL ? 0 : fcntl(*ours, F_SETFL, O_NONBLOCK);
}

static void
close_pair(int fd[2])
{
	spawn_close_one(&fd[CHILD_END]);
	spawn_close_one(&fd[OUR_END]);
}

static void
close_pipes(struct pipes *p)
{
	close_pair(p->in);
	close_pair(p->out);
	close_pair(p->err);
	close_pair(p->told);
}

static int
open_pipes(struct pipes *p, const struct spawn_command *command)
{
	*p = (struct pipes){ { -1, -1 }, { -1, -1 }, { -1, -1 }, { -1, -1 } };
	if ((command->in == SPAWN_PIPE &&
	     open_pipe(&p->in[CHILD_END], &p->in[OUR_END], &p->in[OUR_END]) !=
		     0) ||
	    open_pipe(&p->out[OUR_END], &p->out[CHILD_END], &p->out[OUR_END]) !=
		    0 ||
	    (!command->one_pipe &&
	     open_pipe(&p->err[OUR_END], &p->err[CHILD_END],
		       &p->err[OUR_END]) != 0) ||
	    (command->confirm &&
	     open_pipe(&p->told[OUR_END], &p->told[CHILD_END], NULL) != 0)) {
		close_pipes(p);
		return -1;
	}
	return 0;
}

/* ---- in the child ------------------------------------------------------ */

/* Handlers fall back by themselves, what is ignored does not. */
static void
default_signals(void)
{
	struct sigaction plain = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		(void)sigaction(i, &plain, NULL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/*
 * Puts the ends of pipes on 0, 1 and 2, and closes all others but the one
 * that tells of a failure, which goes with the exec.  0, 1 and 2 are open in
 * us, so no end of a pipe is among them.
 */
static int
take_descriptors(const struct pipes *p, const struct spawn_command *command)
{
	int in = command->in == SPAWN_PIPE ? p->in[CHILD_END] : command->in;
	int err = command->one_pipe ? p->out[CHILD_END] : p->err[CHILD_END];
	unsigned told = STDERR_FILENO + 1;

	if (dup2(in, STDIN_FILENO) < 0 ||
	    dup2(p->out[CHILD_END], STDOUT_FILENO) < 0 ||
	    dup2(err, STDERR_FILENO) < 0)
		return -1;
	if (p->told[CHILD_END] < 0)
		return close_range(told, ~0U, 0);
	told = (unsigned)p->told[CHILD_END];
	if (told > STDERR_FILENO + 1 &&
	    close_range(STDERR_FILENO + 1, told - 1, 0) != 0)
		return -1;
	return close_range(told + 1, ~0U, 0);
}

static int
go_there(const struct spawn_command *command)
{
	return command->cwd == NULL ? 0 : chdir(command->cwd);
}

_Noreturn static void
become(const struct pipes *p, const struct spawn_command *command, pid_t parent)
{
	const char *reason;
	int error;

	if (command->session)
		(void)setsid();
	else
		(void)setpgid(0, 0);
	if (command->foreground)
		(void)tcsetpgrp(command->in, getpid());
	default_signals();
	if (!command->outlives) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(SPAWN_NOT_EXECUTED); /* it died before we asked */
	}
	if (take_descriptors(p, command) == 0 && go_there(command) == 0)
		(void)execvpe(command->path,
			      (char *const *)(const void *)command->argv,
			      command->environment);
	error = errno;
	if (command->confirm) {
		(void)io_write_all(p->told[CHILD_END], (const char *)&error,
				   sizeof(error));
	} else {
		reason = strerror(error);
		(void)io_write_all(STDERR_FILENO, "cannot be executed: ", 20);
		(void)io_write_all(STDERR_FILENO, reason, strlen(reason));
	}
	_exit(SPAWN_NOT_EXECUTED);
}

/* ---- in the parent ----------------------------------------------------- */

/* 0 when the program runs, else why it does not. */
static int
executed(const struct pipes *p)
{
	int error = 0;
	ssize_t n;

	if (p->told[OUR_END] < 0)
		return 0;
	do
		n = read(p->told[OUR_END], &error, sizeof(error));
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(error) ? error : 0;
}

int
spawn_start(struct spawn *s, const struct spawn_command *command)
{
	pid_t parent = getpid();
	struct pipes p;
	int error;

	if (open_pipes(&p, command) != 0)
		return -1;
	s->pid = fork();
	if (s->pid == 0)
		become(&p, command, parent);
	error = s->pid < 0 ? errno : 0;
	spawn_close_one(&p.told[CHILD_END]);
	if (s->pid > 0) {
		/* Both sides, so that whoever is first finds the group. */
		if (!command->session)
			(void)setpgid(s->pid, s->pid);
		error = executed(&p);
		if (error != 0)
			while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
				;
	}
	if (error != 0) {
		close_pipes(&p);
		*s = (struct spawn)SPAWN_INIT;
		errno = error;
		return -1;
	}
	s->in = p.in[OUR_END];
	s->out = p.out[OUR_END];
	s->err = p.err[OUR_END];
	spawn_close_one(&p.in[CHILD_END]);
	spawn_close_one(&p.out[CHILD_END]);
	spawn_close_one(&p.err[CHILD_END]);
	spawn_close_one(&p.told[OUR_END]);
	return 0;
}

int
spawn_drain(int fd, struct buf *out)
{
	char chunk[16384];
	ssize_t n;
	size_t room;

	/* One that never stops printing must not keep us from all else. */
	for (int turns = 0; turns < DRAIN_TURNS; turns++) {
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

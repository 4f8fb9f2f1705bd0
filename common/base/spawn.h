#ifndef SPAWN_H
#define SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"

/*
 * A program run beside us, with pipes for its stdin, stdout and stderr.  Our
 * ends do not block and are not inherited; -1 where there is none.
 */
struct spawn {
	pid_t pid; /* also its process group; 0: none */
	int in, out, err;
};
#define SPAWN_INIT            \
	{                     \
		0, -1, -1, -1 \
	}

/* What is run, and how. */
struct spawn_command {
	const char *path;	  /* of the program; searched in PATH if it has
				     no slash */
	const char *const *argv;  /* NULL-terminated; argv[0] is its name */
	char *const *environment; /* NULL-terminated */
	const char *cwd;	  /* where; NULL: where we are */
	int in;			  /* its stdin, or SPAWN_PIPE */
	bool one_pipe;		  /* its stderr goes where its stdout goes */
	bool session;	 /* a session of its own, not only a process group */
	bool foreground; /* its group gets the terminal that is its stdin; the
			    caller holds SIGTTOU back */
	bool outlives;	 /* it does not die when we do */
	/*
	 * Wait until the program is executed, and fail when it cannot be.
	 * Else the child says so on its stderr, and exits with
	 * SPAWN_NOT_EXECUTED.
	 */
	bool confirm;
};

#define SPAWN_PIPE (-1)
#define SPAWN_NOT_EXECUTED 127

/*
 * Starts it with default signals and no descriptor but the three.  0, or -1
 * with errno: nothing runs then.
 */
int spawn_start(struct spawn *s, const struct spawn_command *command);

/* Closes what is open. */
void spawn_close(struct spawn *s);
void spawn_close_one(int *fd);

/*
 * Adds what can be read now to out, up to its max; more is read and dropped.
 * It reads what a full pipe holds, and not on and on from one that is being
 * filled.  1 at the end of file (or an error), else 0.
 */
int spawn_drain(int fd, struct buf *out);

#endif /* SPAWN_H */

#ifndef SPAWN_H
#define SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"

/*
 * A program run beside us, with pipes for its stdin, stdout and stderr.  Our
 * ends do not block and are not inherited; -1 where closed.
 */
struct spawn {
	pid_t pid; /* also its process group; 0: none */
	int in, out, err;
};
#define SPAWN_INIT            \
	{                     \
		0, -1, -1, -1 \
	}

/*
 * What the child exits with when the program cannot be executed; the reason
 * is then on its stderr.
 */
#define SPAWN_NOT_EXECUTED 127

/*
 * Executes path with its name as the only argument, and `option` as a second
 * one unless that is NULL, as section 5.1 of spec/hosts.md wants it: a process
 * group of its own, default signals, no descriptor but the three, and dead
 * when we die.  0, or -1 with errno.
 */
int spawn_start(struct spawn *s, const char *path, const char *option,
		char *const environment[]);

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

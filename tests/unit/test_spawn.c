#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/spawn.h"
#include "test.h"

extern char **environ;

/* Runs it to its end: its wait status; -1 with errno when it did not start. */
static int
run(struct spawn_command *command, struct buf *out)
{
	struct spawn s = SPAWN_INIT;
	int status = -1;

	command->environment = environ;
	if (spawn_start(&s, command) != 0)
		return -1;
	spawn_close_one(&s.in);
	(void)fcntl(s.out, F_SETFL, 0);
	while (spawn_drain(s.out, out) == 0)
		;
	while (waitpid(s.pid, &status, 0) < 0 && errno == EINTR)
		;
	spawn_close(&s);
	return status;
}

static void
shell(struct spawn_command *command, const char *const *argv)
{
	*command = (struct spawn_command){ .path = "/bin/sh",
					   .argv = argv,
					   .in = SPAWN_PIPE };
}

int
main(void)
{
	const char *both[] = { "sh", "-c", "echo out; echo err >&2", NULL };
	const char *where[] = { "sh", "-c", "pwd; echo \"$0\"", "a  b", NULL };
	const char *fds[] = { "sh", "-c", "ls /proc/self/fd | wc -l", NULL };
	const char *sid[] = { "sh", "-c",
			      "test $(ps -o sid= -p $$) = $$ && echo own",
			      NULL };
	const char *none[] = { "no-such-program", NULL };
	const char *trap[] = { "sh", "-c", "kill -PIPE $$", NULL };
	const char *read_in[] = { "sh", "-c", "cat", NULL };
	struct spawn_command command;
	struct buf out = BUF_INIT;
	int status;

	(void)signal(SIGPIPE, SIG_IGN);

	shell(&command, both);
	ok(run(&command, &out) == 0 && strcmp(out.data, "out\n") == 0,
	   "stdout alone");
	buf_reset(&out);
	command.one_pipe = true;
	ok(run(&command, &out) == 0 && strcmp(out.data, "out\nerr\n") == 0,
	   "one pipe has both, in order");

	buf_reset(&out);
	shell(&command, where);
	command.cwd = "/";
	ok(run(&command, &out) == 0 && strcmp(out.data, "/\na  b\n") == 0,
	   "a folder, and arguments as they are");

	buf_reset(&out);
	shell(&command, fds);
	command.confirm = true;
	ok(run(&command, &out) == 0 && strcmp(out.data, "4\n") == 0,
	   "no descriptor but the three (and the one of ls)");

	buf_reset(&out);
	shell(&command, sid);
	command.session = command.confirm = true;
	ok(run(&command, &out) == 0 && strcmp(out.data, "own\n") == 0,
	   "a session of its own");

	buf_reset(&out);
	shell(&command, trap);
	status = run(&command, &out);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE,
	   "signals are the default ones");

	buf_reset(&out);
	shell(&command, read_in);
	command.in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	ok(run(&command, &out) == 0 && out.len == 0, "a stdin that is given");
	(void)close(command.in);

	command = (struct spawn_command){
		.path = none[0], .argv = none, .in = SPAWN_PIPE, .confirm = true
	};
	ok(run(&command, &out) == -1 && errno == ENOENT, "no such program");
	command.path = "/etc/passwd";
	ok(run(&command, &out) == -1 && errno == EACCES, "not executable");
	shell(&command, both);
	command.cwd = "/no/such/folder";
	command.confirm = true;
	ok(run(&command, &out) == -1 && errno == ENOENT, "no such folder");

	buf_reset(&out);
	command.confirm = false;
	command.one_pipe = true;
	status = run(&command, &out);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == SPAWN_NOT_EXECUTED &&
		   strcmp(out.data, "cannot be executed: "
				    "No such file or directory") == 0,
	   "unconfirmed, the child says it");
	buf_release(&out);
	return done();
}

/*
 * LD_PRELOAD shim that makes system calls fail.
 *
 *	FAULT=<call>:<n>:<what>[,<call>:<n>:<what>]...
 *
 * <call> is fsync, write, pwrite, rename, open, openat2, mkdir, unlink, flock,
 * truncate, chmod or any (all but openat2, and unlink only for `kill`: whoever
 * cannot remove a file has one left); <n> the one that fails, counted
 * from 1, or 0 for every one; <what> an errno by name, `kill` (the process
 * dies before the call), `short` (a write of half the bytes), or `run` (the
 * shell runs FAULT_RUN before the call: what others do meanwhile).  FAULT_HIT
 * names a file that is created when it happened, so that a loop over n knows
 * when it went past the last call.
 *
 * With FAULT_HURRY set nobody sleeps: the monotonic clock is moved on by what
 * would have been slept, so that a wait of ten seconds is over at once.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define REAL(name, ...) ((__typeof__(&name))real(#name))(__VA_ARGS__)

static const struct {
	const char *name;
	int value;
} errnos[] = {
	{ "EIO", EIO },	      { "ENOSPC", ENOSPC }, { "ENOSYS", ENOSYS },
	{ "EPERM", EPERM },   { "EACCES", EACCES }, { "EROFS", EROFS },
	{ "EDQUOT", EDQUOT }, { "EMFILE", EMFILE }, { "EXDEV", EXDEV },
	{ "EINTR", EINTR },
};

typedef void function(void);

/* dlsym gives an object pointer, and ISO C has no cast from it to a function. */
static function *
real(const char *name)
{
	function *f;

	*(void **)&f = dlsym(RTLD_NEXT, name);
	if (f == NULL)
		abort();
	return f;
}

static void
report(void)
{
	const char *path = getenv("FAULT_HIT");

	if (path != NULL)
		close((int)syscall(SYS_openat, AT_FDCWD, path,
				   O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

/* Runs the command without this shim in it, and waits. */
static void
run_meanwhile(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		unsetenv("LD_PRELOAD");
		unsetenv("FAULT");
		execl("/bin/sh", "sh", "-c", getenv("FAULT_RUN"), (char *)NULL);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		abort();
}

static bool
kills(const char *entry)
{
	const char *what = strrchr(entry, ':');

	return what != NULL && strcmp(what, ":kill") == 0;
}

/*
 * What one entry of FAULT has in store for this call, which is the count'th of
 * those it is for; NULL: nothing.
 */
static const char *
entry_strikes(const char *entry, const char *call, long *count)
{
	size_t n = strlen(call);
	char *end;
	long at;

	if (strncmp(entry, "any:", 4) == 0 && strcmp(call, "openat2") != 0 &&
	    (strcmp(call, "unlink") != 0 || kills(entry)))
		n = 3;
	else if (strncmp(entry, call, n) != 0 || entry[n] != ':')
		return NULL;
	at = strtol(entry + n + 1, &end, 10);
	return at == 0 || ++*count == at ? end + 1 : NULL;
}

static bool
is_what(const char *what, const char *word)
{
	size_t n = strlen(word);

	return strncmp(what, word, n) == 0 &&
	       (what[n] == '\0' || what[n] == ',');
}

/* What is left of FAULT when this call is the one, else NULL. */
static const char *
struck(const char *call)
{
	static long counts[8];
	const char *entry = getenv("FAULT"), *what;

	for (int i = 0; entry != NULL && i < 8; i++) {
		what = entry_strikes(entry, call, &counts[i]);
		if (what != NULL) {
			report();
			if (is_what(what, "kill"))
				raise(SIGKILL);
			if (!is_what(what, "run"))
				return what;
			run_meanwhile();
		}
		entry = strchr(entry, ',');
		entry = entry == NULL ? NULL : entry + 1;
	}
	return NULL;
}

/* True with errno set when the call is to fail. */
static bool
fails(const char *call)
{
	const char *what = struck(call);

	if (what == NULL || is_what(what, "short"))
		return false;
	for (size_t i = 0; i < sizeof(errnos) / sizeof(errnos[0]); i++)
		if (is_what(what, errnos[i].name)) {
			errno = errnos[i].value;
			return true;
		}
	abort();
}

int
fsync(int fd)
{
	return fails("fsync") ? -1 : REAL(fsync, fd);
}

int
fdatasync(int fd)
{
	return fails("fsync") ? -1 : REAL(fdatasync, fd);
}

/* A short write is no failure: the caller goes on with the rest. */
static bool
shortened(const char *call, size_t *n)
{
	const char *fault = getenv("FAULT");
	const char *what;

	if (fault == NULL || strstr(fault, ":short") == NULL)
		return false;
	what = struck(call);
	if (what != NULL)
		*n = *n / 2 + *n % 2;
	return true;
}

ssize_t
write(int fd, const void *p, size_t n)
{
	if (!shortened("write", &n) && fails("write"))
		return -1;
	return REAL(write, fd, p, n);
}

ssize_t
pwrite(int fd, const void *p, size_t n, off_t at)
{
	if (!shortened("pwrite", &n) && fails("pwrite"))
		return -1;
	return REAL(pwrite, fd, p, n, at);
}

int
rename(const char *from, const char *to)
{
	return fails("rename") ? -1 : REAL(rename, from, to);
}

int
renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	return fails("rename") ? -1
			       : REAL(renameat, from_dir, from, to_dir, to);
}

int
renameat2(int from_dir, const char *from, int to_dir, const char *to,
	  unsigned int flags)
{
	return fails("rename")
		       ? -1
		       : REAL(renameat2, from_dir, from, to_dir, to, flags);
}

int
open(const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	return fails("open") ? -1 : REAL(open, path, flags, mode);
}

int
openat(int dir, const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	return fails("open") ? -1 : REAL(openat, dir, path, flags, mode);
}

int
mkdirat(int dir, const char *path, mode_t mode)
{
	return fails("mkdir") ? -1 : REAL(mkdirat, dir, path, mode);
}

int
unlink(const char *path)
{
	return fails("unlink") ? -1 : REAL(unlink, path);
}

int
unlinkat(int dir, const char *path, int flags)
{
	return fails("unlink") ? -1 : REAL(unlinkat, dir, path, flags);
}

int
flock(int fd, int how)
{
	return fails("flock") ? -1 : REAL(flock, fd, how);
}

int
ftruncate(int fd, off_t n)
{
	return fails("truncate") ? -1 : REAL(ftruncate, fd, n);
}

int
fchmod(int fd, mode_t mode)
{
	return fails("chmod") ? -1 : REAL(fchmod, fd, mode);
}

/* Nanoseconds that were not slept. */
static int64_t hurried;

int
nanosleep(const struct timespec *want, struct timespec *left)
{
	if (getenv("FAULT_HURRY") == NULL)
		return REAL(nanosleep, want, left);
	hurried += (int64_t)want->tv_sec * 1000000000 + want->tv_nsec;
	return 0;
}

int
clock_gettime(clockid_t id, struct timespec *now)
{
	int rc = REAL(clock_gettime, id, now);
	int64_t n;

	if (rc == 0 && id == CLOCK_MONOTONIC && hurried > 0) {
		n = now->tv_nsec + hurried;
		now->tv_sec += (time_t)(n / 1000000000);
		now->tv_nsec = (long)(n % 1000000000);
	}
	return rc;
}

/* openat2 has no function of its own in this libc. */
long
syscall(long number, ...)
{
	va_list ap;
	long a[6];

	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_openat2 && fails("openat2"))
		return -1;
	return REAL(syscall, number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

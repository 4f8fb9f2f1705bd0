#include "base/xalloc.h"

#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* The one message of common/: the process cannot go on to return an error. */
static _Noreturn void
out_of_memory(void)
{
	static const char message[] = ": out of memory\n";
	const char *name = program_invocation_short_name;
	struct iovec line[2] = {
		{ .iov_base = (void *)(uintptr_t)name,
		  .iov_len = strlen(name) },
		{ .iov_base = (void *)(uintptr_t)message,
		  .iov_len = sizeof(message) - 1 },
	};
	ssize_t ignored = writev(STDERR_FILENO, line, 2);

	(void)ignored;
	abort();
}

void *
xmalloc(size_t size)
{
	void *p = malloc(size == 0 ? 1 : size);

	if (p == NULL)
		out_of_memory();
	return p;
}

void *
xcalloc(size_t n, size_t size)
{
	void *p = calloc(n == 0 ? 1 : n, size == 0 ? 1 : size);

	if (p == NULL)
		out_of_memory();
	return p;
}

void *
xreallocarray(void *p, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		out_of_memory();
	p = realloc(p, bytes == 0 ? 1 : bytes);
	if (p == NULL)
		out_of_memory();
	return p;
}

char *
xmemdup(const void *p, size_t n)
{
	char *copy;

	if (n == SIZE_MAX)
		out_of_memory();
	copy = xmalloc(n + 1);
	if (n > 0)
		memcpy(copy, p, n);
	copy[n] = '\0';
	return copy;
}

char *
xstrdup(const char *s)
{
	return xmemdup(s, strlen(s));
}

void *
xgrow(void *array, size_t want, size_t *cap, size_t size)
{
	size_t next = *cap < 16 ? 16 : *cap;

	if (want <= *cap)
		return array;
	while (next < want)
		if (__builtin_mul_overflow(next, 2, &next))
			out_of_memory();
	array = xreallocarray(array, next, size);
	*cap = next;
	return array;
}

void
xkeep_freed(size_t most)
{
	/* Both are needed: else the one is set by what is freed. */
	(void)mallopt(M_MMAP_THRESHOLD, (int)(most / 2));
	(void)mallopt(M_TRIM_THRESHOLD, (int)most);
}

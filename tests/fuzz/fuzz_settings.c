/*
 * The settings: whatever the file is, the limits that come of it are legal,
 * strictly read or leniently; and a file that the strict reading takes means
 * the same to both.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lessons/settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void
check_limits(const struct limits *l)
{
	size_t i;

	for (i = 0; i < LIMITS_COUNT; i++)
		if (limits_value(l, i) < 1 ||
		    limits_value(l, i) > INT64_C(9007199254740991))
			abort();
	if (l->recall_bytes < 64)
		abort();
}

/* A file that lives in memory, under a name that can be opened. */
static int
place(const uint8_t *p, size_t n, char name[32])
{
	int fd = memfd_create("settings", MFD_CLOEXEC);

	if (fd < 0 || (n > 0 && write(fd, p, n) != (ssize_t)n))
		abort();
	snprintf(name, 32, "/proc/self/fd/%d", fd);
	return fd;
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct settings strict, lenient;
	struct buf remarks = BUF_INIT;
	struct fail fail = FAIL_INIT, forgiven = FAIL_INIT;
	struct facts facts;
	char name[32];
	int fd = place(p, n, name);

	setenv("CTX_CONFIG", name, 1);
	facts_from_environment(&facts);
	if (settings_read(&strict, &facts, NULL, &fail) == 0) {
		if (settings_read(&lenient, &facts, &remarks, &forgiven) != 0 ||
		    remarks.len != 0 ||
		    memcmp(&strict.limits, &lenient.limits,
			   sizeof(strict.limits)) != 0 ||
		    !str_eq(buf_str(&strict.database),
			    buf_str(&lenient.database)))
			abort();
		check_limits(&strict.limits);
	} else {
		if (fail.message.len == 0)
			abort();
		/* Another line for each slip, or the same error. */
		if (settings_read(&lenient, &facts, &remarks, &forgiven) == 0) {
			if (remarks.len == 0)
				abort();
			check_limits(&lenient.limits);
		}
	}
	settings_release(&lenient);
	settings_release(&strict);
	buf_release(&remarks);
	fail_release(&fail);
	fail_release(&forgiven);
	(void)close(fd);
	return 0;
}

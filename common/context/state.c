#include "context/state.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/io.h"
#include "base/timestamp.h"
#include "base/tree.h"
#include "context/virtual_path.h"

#define SWEEP_AGE_MS 3600000

void
state_temporary(char out[STATE_TEMPORARY_SIZE])
{
	uint64_t random = 0;

	/* Without, the process id alone has to do. */
	if (getrandom(&random, sizeof(random), 0) < 0)
		random = 0;
	snprintf(out, STATE_TEMPORARY_SIZE,
		 VIRTUAL_PATH_TEMPORARY "%ld-%016" PRIx64, (long)getpid(),
		 random);
}

bool
state_is_temporary(const char *name)
{
	return str_starts(str_of(name), STR(VIRTUAL_PATH_TEMPORARY));
}

int
state_replace(int dir, const char *name, struct str bytes, struct fail *fail)
{
	char temporary[STATE_TEMPORARY_SIZE];
	struct stat st;
	struct tree_file file = { .name = name,
				  .temporary = temporary,
				  .bytes = bytes,
				  .over = TREE_OVER_ANY };

	state_temporary(temporary);
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISREG(st.st_mode))
		file.like = &st;
	if (tree_replace(dir, &file, NULL) != 0)
		return fail_environment(fail, "cannot store %s: %s", name,
					strerror(errno));
	return 0;
}

int
state_read(int dir, const char *name, size_t max, struct buf *out)
{
	int fd = beneath_open_file(dir, name, O_RDONLY, NULL), rc;

	if (fd < 0)
		return errno == ENOENT ? 0 : -1;
	rc = io_read_all(fd, max, out);
	if (rc > 0)
		errno = EFBIG;
	close(fd);
	return rc == 0 ? 1 : -1;
}

static bool
sweep(void *ctx, const struct tree_node *node)
{
	const int64_t *now_ms = ctx;
	struct stat st;

	if (node->kind == TREE_FILE && state_is_temporary(node->name) &&
	    fstatat(node->dir, node->name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    instant_to_ms(instant_of_file(&st.st_mtim)) <
		    *now_ms - SWEEP_AGE_MS)
		(void)unlinkat(node->dir, node->name, 0);
	return true;
}

void
state_sweep(int dir, int64_t now_ms)
{
	(void)tree_walk(dir, sweep, &now_ms);
}

#include "output/place.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"

int
place_resolve(struct buf *out, const struct facts *facts, const char *path,
	      struct fail *fail)
{
	struct buf here = BUF_INIT, base = BUF_INIT;
	const char *cwd = fact(facts, FACT_CWD);
	int rc = 0;

	if (path[0] != '/') {
		rc = cwd != NULL && cwd[0] == '/'
			     ? 0
			     : path_working_directory(&here);
		if (rc != 0)
			rc = fail_environment(fail, "working directory: %s",
					      strerror(errno));
	}
	path_resolve(&base, buf_str(&here), str_of(cwd == NULL ? "" : cwd));
	if (rc == 0)
		path_resolve(out, buf_str(&base), str_of(path));
	buf_release(&here);
	buf_release(&base);
	return rc;
}

int
place_open(const struct facts *facts, const char *path, struct fail *fail)
{
	struct buf full = BUF_INIT, quoted = BUF_INIT;
	struct stat st;
	int fd = -1;

	if (place_resolve(&full, facts, path, fail) != 0)
		goto out;
	fail_quote(&quoted, buf_str(&full));
	/* A FIFO without a writer would be waited for. */
	fd = open(full.data, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) {
		(void)fail_refuse(fail, "not_found", "there is no file %s",
				  quoted.data);
	} else if (fd < 0) {
		(void)fail_environment(fail, "%s: %s", quoted.data,
				       strerror(errno));
	} else if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		fd = -1;
		(void)fail_refuse(fail, "not_file", "%s is not a regular file",
				  quoted.data);
	}
out:
	buf_release(&full);
	buf_release(&quoted);
	return fd;
}

int
place_spill(struct buf *out, const struct facts *facts,
	    const struct arg_string *given, struct fail *fail)
{
	const char *dir = fact(facts, FACT_STATE_DIR);
	const char *xdg = facts_variable("XDG_STATE_HOME");
	const char *home = facts_home_directory();

	if (given->given)
		return place_resolve(out, facts, given->s, fail);
	if (dir != NULL)
		return place_resolve(out, facts, dir, fail) != 0
			       ? -1
			       : (buf_adds(out, "/.output"), 0);
	if (xdg != NULL && xdg[0] == '/')
		buf_adds(out, xdg);
	else if (home != NULL)
		buf_addf(out, "%s/.local/state", home);
	else
		return fail_environment(fail,
					"CTX_STATE_DIR: not set, and there is "
					"no home directory");
	buf_adds(out, "/ctxtools/.output");
	return 0;
}

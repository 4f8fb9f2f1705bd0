#include "base/path.h"

#include <errno.h>
#include <unistd.h>

/* Adds the components of path to out, which holds an absolute path or "". */
static void
add_components(struct buf *out, size_t start, struct str path)
{
	struct str c;

	while (path.n > 0) {
		c = str_cut(&path, '/');
		if (str_is(c, "..")) {
			while (out->len > start &&
			       out->data[out->len - 1] != '/')
				buf_truncate(out, out->len - 1);
			if (out->len > start)
				buf_truncate(out, out->len - 1);
		} else if (c.n != 0 && !str_is(c, ".")) {
			buf_addc(out, '/');
			buf_add_str(out, c);
		}
	}
}

void
path_resolve(struct buf *out, struct str base, struct str path)
{
	size_t start = out->len;

	if (path.n == 0 || path.s[0] != '/')
		add_components(out, start, base);
	add_components(out, start, path);
	if (out->len == start)
		buf_addc(out, '/');
}

int
path_working_directory(struct buf *out)
{
	char *cwd = getcwd(NULL, 0);

	if (cwd == NULL)
		return -1;
	/* The kernel says "(unreachable)/x" of what lies outside our root. */
	if (cwd[0] != '/') {
		free(cwd);
		errno = ENOENT;
		return -1;
	}
	buf_adds(out, cwd);
	free(cwd);
	return 0;
}

struct str
path_last(struct str path)
{
	const char *slash = path.n == 0 ? NULL : memrchr(path.s, '/', path.n);

	return slash == NULL ? path
			     : str_from(path, (size_t)(slash + 1 - path.s));
}

struct str
path_parent(struct str path)
{
	const char *slash = path.n == 0 ? NULL : memrchr(path.s, '/', path.n);

	if (slash == NULL || slash == path.s)
		return STR("/");
	return (struct str){ path.s, (size_t)(slash - path.s) };
}

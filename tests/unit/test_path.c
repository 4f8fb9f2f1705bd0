#include "test.h"

#include "base/path.h"

static void
resolves(const char *base, const char *path, const char *want)
{
	struct buf b = BUF_INIT;

	path_resolve(&b, str_of(base), str_of(path));
	is_string(b.data, want, path);
	buf_release(&b);
}

static void
splits(const char *path, const char *parent, const char *last)
{
	struct str p = path_parent(str_of(path)), l = path_last(str_of(path));

	is_bytes(p.s, p.n, parent, strlen(parent), path);
	is_bytes(l.s, l.n, last, strlen(last), path);
}

int
main(void)
{
	struct buf b = BUF_INIT;

	resolves("/a", "b", "/a/b");
	resolves("/a", "/b", "/b");
	resolves("/a", "", "/a");
	resolves("/a/b", "..", "/a");
	resolves("/a/b", "../..", "/");
	resolves("/a/b", "../../../..", "/");
	resolves("/", "../x", "/x");
	resolves("/a", "./b/.//c/", "/a/b/c");
	resolves("/a", "b/../../c", "/c");
	resolves("/", "", "/");
	resolves("", "/", "/");
	resolves("//a//b/", ".", "/a/b");
	resolves("/a", "..b/...", "/a/..b/...");
	resolves("/a", "b/..", "/a");
	splits("/a/b", "/a", "b");
	splits("/a", "/", "a");
	splits("/", "/", "");

	buf_adds(&b, "kept:");
	path_resolve(&b, str_of("/x"), str_of("../../y"));
	is_string(b.data, "kept:/y", "what is in the buf already stays");
	buf_reset(&b);
	ok(path_working_directory(&b) == 0 && b.data[0] == '/',
	   "the working directory is absolute");
	buf_release(&b);
	return done();
}

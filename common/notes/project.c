#include "notes/project.h"

#include <fcntl.h>
#include <sha1.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/io.h"
#include "base/path.h"
#include "base/utf8.h"

#define GIT_FILE_MAX 4096
#define KEY_NAME_MAX 200
#define KEY_HASH_DIGITS 8

/* The path that the first `gitdir:` line of a .git file names; empty if none. */
static struct str
git_file_path(struct str text)
{
	struct str line;

	while (text.n > 0) {
		line = str_cut(&text, '\n');
		if (str_starts(line, STR("gitdir:")))
			return str_trim(str_from(line, strlen("gitdir:")),
					" \t\r");
	}
	return (struct str){ NULL, 0 };
}

/* The bytes of a regular file of at most GIT_FILE_MAX bytes. */
static bool
read_git_file(const char *path, struct buf *out)
{
	struct stat st;
	bool read = false;
	int fd;

	fd = open(path,
		  O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		read = io_read_all(fd, GIT_FILE_MAX, out) == 0;
	close(fd);
	return read;
}

/*
 * Whether the .git file `file` in directory belongs to a linked worktree:
 * adds the main checkout's directory to out if so.
 */
static bool
main_checkout(struct buf *out, struct str directory, const char *file)
{
	struct buf text = BUF_INIT, path = BUF_INIT;
	struct str named, git;
	bool linked = false;

	if (!read_git_file(file, &text))
		goto out;
	named = git_file_path(buf_str(&text));
	if (named.n == 0 || str_has(named, '\0'))
		goto out;
	path_resolve(&path, directory, named);
	git = path_parent(buf_str(&path)); /* <X>/worktrees */
	if (!str_is(path_last(git), "worktrees"))
		goto out;
	git = path_parent(git);
	if (!str_is(path_last(git), ".git"))
		goto out;
	buf_add_str(out, path_parent(git));
	linked = true;
out:
	buf_release(&text);
	buf_release(&path);
	return linked;
}

void
project_root(struct buf *out, struct str directory)
{
	struct buf file = BUF_INIT;
	struct stat st;
	struct str at = directory;

	for (;;) {
		buf_reset(&file);
		buf_add_str(&file, at);
		buf_adds(&file, at.n == 1 ? ".git" : "/.git");
		if (lstat(file.data, &st) == 0)
			break;
		if (at.n == 1) {
			buf_add_str(out, directory);
			goto out;
		}
		at = path_parent(at);
	}
	if (!S_ISREG(st.st_mode) || !main_checkout(out, at, file.data))
		buf_add_str(out, at);
out:
	buf_release(&file);
}

/* Adds one code point, or one bad byte, as it may stand in a directory name. */
static unsigned
add_key_char(struct buf *out, struct str s)
{
	uint32_t cp = 0;
	unsigned n = utf8_decode(s.s, s.n, &cp);

	if (n == 0 || cp < 0x20 || (cp >= 0x7f && cp <= 0x9f) || cp == '\\')
		buf_addc(out, '_');
	else
		buf_add(out, s.s, n);
	return n == 0 ? 1 : n;
}

void
project_key(struct buf *out, struct str root)
{
	struct str name = path_last(root);
	char hex[SHA1_DIGEST_STRING_LENGTH];
	size_t start = out->len, whole;

	while (name.n > 0) {
		whole = out->len;
		name = str_from(name, add_key_char(out, name));
		if (out->len - start > KEY_NAME_MAX) {
			buf_truncate(out, whole);
			break;
		}
	}
	SHA1Data((const uint8_t *)root.s, root.n, hex);
	buf_addc(out, '-');
	buf_add(out, hex, KEY_HASH_DIGITS);
}

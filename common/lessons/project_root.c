#include "lessons/project_root.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/path.h"
#include "base/utf8.h"

#define BLANKS " \t\r\n"
#define GIT_FILE_MAX 65536
#define GIT_CONFIG_MAX (1 << 20)

/* What is followed from a .git entry. */
struct follow {
	struct buf entry;    /* the .git path, for messages */
	struct buf checkout; /* the directory that holds it */
	struct buf git;	     /* the git directory, G of the specification */
	struct buf common;   /* C: the one it shares, of a linked worktree */
	struct fail *fail;
};

static int
bad(struct follow *f, const char *why, const char *what)
{
	return fail_refuse(f->fail, "bad_project", "%s: %s%s%s", f->entry.data,
			   why, what == NULL ? "" : ": ",
			   what == NULL ? "" : what);
}

/* The bytes of a regular file: 0, 1 when it is not there, else -1. */
static int
read_file(const char *path, size_t max, struct buf *out)
{
	struct stat st;
	int fd, rc = -1;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? 1 : -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    io_read_all(fd, max, out) == 0 &&
	    memchr(out->data, '\0', out->len) == NULL)
		rc = 0;
	(void)close(fd);
	return rc;
}

/* The real path of `path`, relative to base; -1 with errno. */
static int
resolve(struct str base, struct str path, struct buf *out)
{
	struct buf joined = BUF_INIT;
	char *real;

	if (path.n == 0 || path.s[0] != '/') {
		buf_add_str(&joined, base);
		buf_addc(&joined, '/');
	}
	buf_add_str(&joined, path);
	real = realpath(joined.data, NULL);
	buf_release(&joined);
	if (real == NULL)
		return -1;
	buf_reset(out);
	buf_adds(out, real);
	free(real);
	return 0;
}

static bool
exists_in(const struct buf *directory, const char *name)
{
	struct buf path = BUF_INIT;
	struct stat st;
	bool found;

	buf_addf(&path, "%s/%s", directory->data, name);
	found = stat(path.data, &st) == 0;
	buf_release(&path);
	return found;
}

/* ---- git's configuration ----------------------------------------------- */

struct core {
	struct buf worktree;
	bool has_worktree, bare;
};

/* A value up to its comment, quotes and escapes taken away. */
static void
config_value(struct str raw, struct buf *out)
{
	bool quoted = false;
	size_t i, kept = 0;

	buf_reset(out);
	for (i = 0; i < raw.n; i++) {
		char c = raw.s[i];

		if (!quoted && (c == '#' || c == ';'))
			break;
		if (c == '"') {
			quoted = !quoted;
			kept = out->len;
			continue;
		}
		if (c == '\\' && i + 1 < raw.n) {
			c = raw.s[++i];
			c = (char)(c == 'n' ? '\n' : c == 't' ? '\t' : c);
		}
		buf_addc(out, c);
		if (quoted || strchr(BLANKS, c) == NULL)
			kept = out->len;
	}
	buf_truncate(out, kept);
}

static bool
is_true(const char *value)
{
	return strcasecmp(value, "true") == 0 ||
	       strcasecmp(value, "yes") == 0 || strcasecmp(value, "on") == 0 ||
	       strcmp(value, "1") == 0;
}

static void
config_line(struct core *core, struct str line)
{
	struct str name = str_until(line, '=');
	/* A bare name is true. */
	struct str value = name.n == line.n ? STR("true")
					    : str_from(line, name.n + 1);
	struct buf text = BUF_INIT;

	value = str_trim(value, BLANKS);
	name = str_trim(name, BLANKS);
	config_value(value, &text);
	if (name.n == 8 && strncasecmp(name.s, "worktree", 8) == 0) {
		buf_reset(&core->worktree);
		buf_add_str(&core->worktree, buf_str(&text));
		core->has_worktree = true;
	} else if (name.n == 4 && strncasecmp(name.s, "bare", 4) == 0) {
		core->bare = is_true(text.data);
	}
	buf_release(&text);
}

/* core.worktree and core.bare of a git directory's config. */
static int
read_core(struct follow *f, const struct buf *directory, struct core *core)
{
	struct buf path = BUF_INIT, text = BUF_INIT;
	struct str rest, line;
	bool in_core = false;
	int rc;

	buf_addf(&path, "%s/config", directory->data);
	rc = read_file(path.data, GIT_CONFIG_MAX, &text);
	for (rest = buf_str(&text); rc == 0 && rest.n > 0;) {
		line = str_trim(str_cut(&rest, '\n'), BLANKS);
		if (line.n > 0 && line.s[0] == '[') {
			in_core = line.n >= 6 &&
				  strncasecmp(line.s, "[core]", 6) == 0;
			/* A setting may follow on the line of its section. */
			line = in_core ? str_trim(str_from(line, 6), BLANKS)
				       : STR("");
		}
		if (in_core && line.n > 0 && line.s[0] != '#' &&
		    line.s[0] != ';')
			config_line(core, line);
	}
	if (rc < 0)
		(void)bad(f, "cannot be followed", path.data);
	buf_release(&path);
	buf_release(&text);
	return rc < 0 ? -1 : 0;
}

/* ---- the rules --------------------------------------------------------- */

/* G of a `.git` file: its gitdir line. */
static int
git_of_file(struct follow *f)
{
	struct buf text = BUF_INIT;
	struct str line;
	int rc;

	if (read_file(f->entry.data, GIT_FILE_MAX, &text) != 0) {
		buf_release(&text);
		return bad(f, "cannot be read", NULL);
	}
	line = str_until(buf_str(&text), '\n');
	if (!str_starts(line, STR("gitdir:")))
		rc = bad(f, "has no line `gitdir: PATH`", NULL);
	else if (resolve(buf_str(&f->checkout),
			 str_trim(str_from(line, 7), BLANKS), &f->git) != 0)
		rc = bad(f, "its gitdir cannot be resolved", strerror(errno));
	else
		rc = 0;
	buf_release(&text);
	return rc;
}

/* Rule 5: a git directory of its own. */
static int
root_of_checkout(struct follow *f, struct buf *out)
{
	struct core core = { .worktree = BUF_INIT };
	struct buf real = BUF_INIT;
	int rc = read_core(f, &f->git, &core);

	if (rc == 0 && core.has_worktree &&
	    (resolve(buf_str(&f->git), buf_str(&core.worktree), &real) != 0 ||
	     !str_eq(buf_str(&real), buf_str(&f->checkout))))
		rc = bad(f, "its core.worktree is another directory",
			 core.worktree.data);
	if (rc == 0)
		buf_add_str(out, buf_str(&f->checkout));
	buf_release(&core.worktree);
	buf_release(&real);
	return rc;
}

/* Rule 6: a linked worktree. */
static int
root_of_linked(struct follow *f, struct buf *out)
{
	struct core core = { .worktree = BUF_INIT };
	struct buf path = BUF_INIT, text = BUF_INIT, real = BUF_INIT;
	struct str common;
	int rc = -1;

	buf_addf(&path, "%s/commondir", f->git.data);
	if (read_file(path.data, GIT_FILE_MAX, &text) != 0 ||
	    (common = str_trim(buf_str(&text), BLANKS)).n == 0 ||
	    resolve(buf_str(&f->git), common, &f->common) != 0 ||
	    !exists_in(&f->common, "HEAD")) {
		rc = bad(f, "its commondir cannot be followed", path.data);
		goto out;
	}
	if (read_core(f, &f->common, &core) != 0)
		goto out;
	if (core.has_worktree) {
		if (resolve(buf_str(&f->common), buf_str(&core.worktree),
			    &real) != 0) {
			rc = bad(f, "its core.worktree cannot be resolved",
				 core.worktree.data);
			goto out;
		}
		buf_add_str(out, buf_str(&real));
	} else if (!core.bare &&
		   str_is(path_last(buf_str(&f->common)), ".git")) {
		buf_add_str(out, path_parent(buf_str(&f->common)));
	} else {
		buf_add_str(out, buf_str(&f->common));
	}
	rc = 0;
out:
	buf_release(&core.worktree);
	buf_release(&path);
	buf_release(&text);
	buf_release(&real);
	return rc;
}

/* Rules 3 to 6, for the entry `.git` in f->checkout. */
static int
follow_entry(struct follow *f, struct buf *out)
{
	struct stat st;

	if (stat(f->entry.data, &st) != 0)
		return bad(f, "cannot be followed", strerror(errno));
	if (S_ISDIR(st.st_mode)) {
		if (resolve(buf_str(&f->checkout), STR(".git"), &f->git) != 0)
			return bad(f, "cannot be followed", strerror(errno));
	} else if (S_ISREG(st.st_mode)) {
		if (git_of_file(f) != 0)
			return -1;
	} else {
		return bad(f, "neither a directory nor a file", NULL);
	}
	if (!exists_in(&f->git, "HEAD"))
		return bad(f, "no git directory, it has no HEAD", f->git.data);
	return exists_in(&f->git, "commondir") ? root_of_linked(f, out)
					       : root_of_checkout(f, out);
}

/* Rule 2: the nearest directory with an entry `.git`, in f->checkout. */
static bool
find_entry(struct follow *f, struct str real)
{
	struct stat st;

	for (;;) {
		buf_reset(&f->entry);
		buf_add_str(&f->entry, real);
		buf_adds(&f->entry, real.n == 1 ? ".git" : "/.git");
		if (lstat(f->entry.data, &st) == 0)
			break;
		if (real.n == 1)
			return false;
		real = path_parent(real);
	}
	buf_add_str(&f->checkout, real);
	return true;
}

int
project_root(const char *cwd, struct buf *out, struct fail *fail)
{
	struct follow f = { .entry = BUF_INIT,
			    .checkout = BUF_INIT,
			    .git = BUF_INIT,
			    .common = BUF_INIT,
			    .fail = fail };
	char *real = realpath(cwd, NULL);
	struct stat st;
	int rc = 0;

	if (real == NULL || stat(real, &st) != 0 || !S_ISDIR(st.st_mode) ||
	    !utf8_valid(str_of(real)))
		rc = fail_refuse(fail, "invalid_cwd",
				 "%s is not a directory: %s", cwd,
				 real == NULL ? strerror(errno)
					      : "not one that has a name in "
						"UTF-8");
	else if (find_entry(&f, str_of(real)))
		rc = follow_entry(&f, out);
	else
		buf_adds(out, real);
	if (rc == 0 && !utf8_valid(buf_str(out)))
		rc = bad(&f, "its root has no name in UTF-8", NULL);
	free(real);
	buf_release(&f.entry);
	buf_release(&f.checkout);
	buf_release(&f.git);
	buf_release(&f.common);
	return rc;
}

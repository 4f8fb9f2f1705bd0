#include "notes/home.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/replace.h"
#include "base/xalloc.h"

static char *
join(const char *a, const char *b)
{
	struct buf out = BUF_INIT;

	buf_adds(&out, a);
	buf_adds(&out, b);
	return buf_detach(&out);
}

/* A named agent's or model's home, which may turn out to be the own one. */
static enum home_kind
settle_kind(enum home_kind kind, struct str slug, const struct identity *who)
{
	if (kind == HOME_OTHER_AGENT && str_is(slug, who->agent))
		return HOME_SELF;
	if (kind == HOME_OTHER_MODEL && str_is(slug, who->model))
		return HOME_MODEL;
	return kind;
}

static void
init_named(struct home *home, const char *directory, const char *label,
	   struct str slug)
{
	struct buf b = BUF_INIT;

	buf_adds(&b, directory);
	buf_add_str(&b, slug);
	home->directory = buf_detach(&b);
	buf_adds(&b, label);
	buf_add_str(&b, slug);
	home->label = buf_detach(&b);
}

void
home_init(struct home *home, enum home_kind kind, struct str slug,
	  const struct identity *who)
{
	const char *label = NULL;

	home->kind = settle_kind(kind, slug, who);
	switch (home->kind) {
	case HOME_SESSION:
		home->directory = join("pi/session/", who->session);
		home->label = xstrdup("session");
		home->prefix = xstrdup("");
		return;
	case HOME_PROJECT:
		home->directory = join("project/", who->project);
		label = "@project";
		break;
	case HOME_HUMAN:
		home->directory = xstrdup("human");
		label = "@human";
		break;
	case HOME_SELF:
		home->directory = join("agents/", who->agent);
		label = "@self";
		break;
	case HOME_MODEL:
		home->directory = join("models/", who->model);
		label = "@model";
		break;
	case HOME_OTHER_AGENT:
		init_named(home, "agents/", "@agents/", slug);
		break;
	case HOME_OTHER_MODEL:
		init_named(home, "models/", "@models/", slug);
		break;
	}
	if (label != NULL)
		home->label = xstrdup(label);
	home->prefix = join(home->label, "/");
}

void
home_release(struct home *home)
{
	free(home->directory);
	free(home->label);
	free(home->prefix);
	*home = (struct home)HOME_INIT;
}

int
home_open_root(const struct identity *who)
{
	return open(who->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static int
sync_directory(const char *path)
{
	int fd, rc, error;

	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	rc = replace_sync_directory(fd);
	error = errno;
	close(fd);
	errno = error;
	return rc;
}

/*
 * The directory path, whose last slash is at `slash` (0: none before it, or
 * only the root's), and the sync of its parent.
 */
static int
make_one(const struct buf *path, size_t slash)
{
	char *parent;
	int rc;

	if (mkdir(path->data, 0700) != 0)
		return errno == EEXIST ? 0 : -1;
	if (slash == 0)
		parent = xstrdup(path->data[0] == '/' ? "/" : ".");
	else
		parent = xmemdup(path->data, slash);
	rc = sync_directory(parent);
	free(parent);
	return rc;
}

int
home_make_root(const struct identity *who)
{
	struct buf path = BUF_INIT;
	size_t i, slash = 0, n = strlen(who->root);
	int fd;

	fd = home_open_root(who);
	if (fd >= 0 || errno != ENOENT)
		return fd;
	for (i = 1; i <= n; i++) {
		if (i < n && who->root[i] != '/')
			continue;
		buf_reset(&path);
		buf_add(&path, who->root, i);
		if (make_one(&path, slash) != 0) {
			n = (size_t)errno;
			buf_release(&path);
			errno = (int)n;
			return -1;
		}
		slash = i;
	}
	buf_release(&path);
	return home_open_root(who);
}

int
home_open(int root, const struct home *home, struct beneath_fault *fault)
{
	int fd = beneath_open_directory(root, home->directory, fault);

	/* A slug that no directory can be called: there is no such home. */
	if (fd < 0 && errno == ENAMETOOLONG)
		errno = ENOENT;
	return fd;
}

int
home_make(int root, const struct home *home, struct beneath_fault *fault)
{
	return beneath_make_directory(root, home->directory, fault);
}

#include "notes/home.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/tree.h"
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

int
home_make_root(const struct identity *who)
{
	return tree_make_root(who->root);
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
	return tree_make(root, home->directory, fault);
}

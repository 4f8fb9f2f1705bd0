#include "sessions/claude_files.h"

#include <fcntl.h>

#include "base/buf.h"
#include "sessions/listing.h"

/* A directory being listed: a root, or a project directly below it. */
struct place {
	struct corpus *corpus;
	const char *root;
	int dir;	     /* of the root */
	const char *project; /* NULL: the root */
};

/* What is below the root itself is a project, or nothing of ours. */
static void
add_project(const struct place *root, const char *name, listing_entry *entry)
{
	struct place in = { root->corpus, root->root, -1, name };
	int dir = openat(root->dir, name,
			 O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (dir >= 0)
		listing_read(dir, entry, &in);
}

static void
add_entry(void *ctx, const char *name, enum listing_kind kind)
{
	static const struct str suffix = { ".jsonl", sizeof(".jsonl") - 1 };
	struct place *in = ctx;
	struct str id = str_of(name);
	struct buf path = BUF_INIT;

	if (in->project == NULL) {
		if (kind == LISTING_DIRECTORY)
			add_project(in, name, add_entry);
		return;
	}
	/* Sub-agents have files of their own; they are no sessions. */
	if (kind == LISTING_LINK || !str_ends(id, suffix) ||
	    str_starts(id, STR("agent-")))
		return;
	id.n -= suffix.n;
	buf_addf(&path, "%s/%s", in->project, name);
	corpus_add(in->corpus, HOST_CLAUDE, in->root, path.data, id);
	buf_release(&path);
}

/* The root directory/below. */
static void
add_root(struct corpus *c, const char *directory, const char *below)
{
	struct place at = { .corpus = c };
	struct buf path = BUF_INIT;

	buf_addf(&path, "%s/%s", directory, below);
	at.root = corpus_root(c, buf_str(&path));
	at.dir = open(at.root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (at.dir >= 0)
		listing_read(at.dir, add_entry, &at);
	buf_release(&path);
}

void
claude_files_list(struct corpus *c)
{
	const char *config = fact(c->facts, FACT_CLAUDE_DIR);
	const char *home;

	if (config != NULL) {
		add_root(c, config, "projects");
		return;
	}
	home = facts_home_directory();
	if (home == NULL)
		return;
	add_root(c, home, ".claude/projects");
	add_root(c, home, ".config/claude/projects");
}

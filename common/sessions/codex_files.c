#include "sessions/codex_files.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"
#include "sessions/listing.h"

#define DEPTH 4 /* directories below sessions/ */

/* A directory being listed. */
struct place {
	struct corpus *corpus;
	const char *root;
	int dir;
	const char *path; /* below the root */
	unsigned depth;	  /* how many levels of directories to look in */
};

static bool
find_root(const struct facts *facts, struct buf *path)
{
	const char *codex = fact(facts, FACT_CODEX_HOME);
	const char *home;

	if (codex != NULL) {
		buf_adds(path, codex);
		return true;
	}
	home = facts_home_directory();
	if (home == NULL)
		return false;
	buf_addf(path, "%s/.codex", home);
	return true;
}

/* The name without .jsonl or .jsonl.zst; s is NULL when it has neither. */
static struct str
stem(struct str name)
{
	if (str_ends(name, STR(".zst")))
		name.n -= sizeof(".zst") - 1;
	if (!str_ends(name, STR(".jsonl")))
		return (struct str){ NULL, 0 };
	name.n -= sizeof(".jsonl") - 1;
	return name;
}

/*
 * The id in rollout-YYYY-MM-DDThh-mm-ss-<id>; s is NULL when the stem is of
 * another form.
 */
static struct str
id_in_stem(struct str stem)
{
	static const char form[] = "rollout-0000-00-00T00-00-00-";
	size_t n = sizeof(form) - 1;

	if (stem.n < n)
		return (struct str){ NULL, 0 };
	for (size_t i = 0; i < n; i++)
		if (form[i] == '0' ? stem.s[i] < '0' || stem.s[i] > '9'
				   : stem.s[i] != form[i])
			return (struct str){ NULL, 0 };
	return str_from(stem, n);
}

static void list_folder(const struct place *in, const char *name,
			const char *path, unsigned depth);

static void
add_entry(void *ctx, const char *name, enum listing_kind kind)
{
	const struct place *in = ctx;
	struct str rollout = stem(str_of(name));
	struct buf path = BUF_INIT;

	buf_addf(&path, "%s/%s", in->path, name);
	if (kind == LISTING_DIRECTORY && in->depth > 0)
		list_folder(in, name, path.data, in->depth - 1);
	if (kind != LISTING_LINK && str_starts(rollout, STR("rollout-")))
		corpus_add(in->corpus, HOST_CODEX, in->root, path.data,
			   id_in_stem(rollout));
	buf_release(&path);
}

/* Lists a directory of in->dir, whose path below the root is given, too. */
static void
list_folder(const struct place *in, const char *name, const char *path,
	    unsigned depth)
{
	struct place at = { in->corpus, in->root, -1, path, depth };

	at.dir = openat(in->dir, name,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (at.dir >= 0)
		listing_read(at.dir, add_entry, &at);
}

void
codex_files_list(struct corpus *c)
{
	struct place root = { .corpus = c };
	struct buf path = BUF_INIT;

	if (find_root(c->facts, &path)) {
		root.root = corpus_root(c, buf_str(&path));
		root.dir = open(root.root, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (root.dir >= 0) {
			list_folder(&root, "sessions", "sessions", DEPTH);
			list_folder(&root, "archived_sessions",
				    "archived_sessions", 0);
			close(root.dir);
		}
	}
	buf_release(&path);
}

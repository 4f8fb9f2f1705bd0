#include "sessions/pi_files.h"

#include <fcntl.h>

#include "base/buf.h"
#include "sessions/listing.h"

/* A directory being listed: the root, or one directly below it. */
struct place {
	struct corpus *corpus;
	const char *root;
	int dir;	  /* of the root; -1 below it */
	const char *name; /* of the directory below the root; NULL: the root */
};

static bool
find_root(const struct facts *facts, struct buf *path)
{
	const char *sessions = fact(facts, FACT_PI_SESSION_DIR);
	const char *agent = fact(facts, FACT_PI_AGENT_DIR);
	const char *home;

	if (sessions != NULL) {
		buf_adds(path, sessions);
		return true;
	}
	if (agent != NULL) {
		buf_addf(path, "%s/sessions", agent);
		return true;
	}
	home = facts_home_directory();
	if (home == NULL)
		return false;
	buf_addf(path, "%s/.pi/agent/sessions", home);
	return true;
}

struct str
pi_files_id(struct str name)
{
	static const char form[] = "0000-00-00T00-00-00-000Z_";
	struct str id = { NULL, 0 };
	size_t n = sizeof(form) - 1;

	if (name.n < n + sizeof(".jsonl") - 1)
		return id;
	for (size_t i = 0; i < n; i++)
		if (form[i] == '0' ? name.s[i] < '0' || name.s[i] > '9'
				   : name.s[i] != form[i])
			return id;
	id = str_from(name, n);
	id.n -= sizeof(".jsonl") - 1;
	return id;
}

static void
add_entry(void *ctx, const char *name, enum listing_kind kind)
{
	struct place *in = ctx, below;
	struct buf path = BUF_INIT;
	int dir;

	if (kind == LISTING_DIRECTORY && in->name == NULL) {
		dir = openat(in->dir, name,
			     O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		below = (struct place){ in->corpus, in->root, -1, name };
		if (dir >= 0)
			listing_read(dir, add_entry, &below);
	}
	if (kind == LISTING_LINK || !str_ends(str_of(name), STR(".jsonl")))
		return;
	if (in->name != NULL)
		buf_addf(&path, "%s/", in->name);
	buf_adds(&path, name);
	corpus_add(in->corpus, HOST_PI, in->root, path.data,
		   pi_files_id(str_of(name)));
	buf_release(&path);
}

void
pi_files_list(struct corpus *c)
{
	struct place at = { .corpus = c };
	struct buf path = BUF_INIT;

	if (find_root(c->facts, &path)) {
		at.root = corpus_root(c, buf_str(&path));
		at.dir = open(at.root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (at.dir >= 0)
			listing_read(at.dir, add_entry, &at);
	}
	buf_release(&path);
}

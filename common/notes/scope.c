#include "notes/scope.h"

#include <errno.h>

#include "base/tree.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "text/glob.h"

#define CODE "invalid_glob"
#define LEGAL_HEADS                                                     \
	"legal: @project/, @human/, @self/, @model/, @agents/<slug>/, " \
	"@models/<slug>/"

static int
refuse(struct str glob, const char *what, struct fail *fail)
{
	struct buf quoted = BUF_INIT;
	int rc;

	fail_quote(&quoted, glob);
	rc = fail_refuse(fail, CODE, "glob %s: %s", quoted.data, what);
	buf_release(&quoted);
	return rc;
}

static int
check_characters(struct str glob, struct fail *fail)
{
	uint32_t cp;
	unsigned n;

	for (size_t i = 0; i < glob.n; i += n) {
		n = utf8_decode(glob.s + i, glob.n - i, &cp);
		if (n == 0)
			return refuse(glob, "it is not valid UTF-8", fail);
		if (cp == '\\')
			return refuse(glob,
				      "a backslash cannot be in an address; "
				      "there are no escapes",
				      fail);
		if (cp < 0x20 || (cp >= 0x7f && cp <= 0x9f))
			return refuse(glob,
				      "a control character cannot be in an "
				      "address",
				      fail);
	}
	return 0;
}

static void
add_home(struct scope *scope, enum home_kind kind, struct str slug,
	 const struct identity *who)
{
	/* Without a session there is no session home. */
	if (kind == HOME_SESSION && who->session == NULL)
		return;
	XGROW(scope->homes, scope->n + 1, scope->cap);
	scope->homes[scope->n] = (struct home)HOME_INIT;
	home_init(&scope->homes[scope->n++], kind, slug, who);
}

static char *
make_alias(const char *head, const char *slug)
{
	struct buf alias = BUF_INIT;

	buf_addf(&alias, "%s/%s/", head, slug);
	return buf_detach(&alias);
}

/* ---- from the pattern -------------------------------------------------- */

/* @agents/<name>/... and @models/<name>/..., with or without wildcards. */
static int
parse_named(struct scope *scope, enum home_kind kind, struct str rest,
	    const struct identity *who, struct fail *fail)
{
	struct str name = str_until(rest, '/');

	if (!glob_is_literal(name)) {
		scope->space = kind == HOME_OTHER_AGENT ? "agents" : "models";
		scope->name = name;
		return 0;
	}
	if (name.n == rest.n)
		return refuse(scope->glob,
			      "a slash must follow the name; " LEGAL_HEADS,
			      fail);
	if (!identity_is_slug(name))
		return refuse(scope->glob,
			      "the name is not a slug of a-z, 0-9 and single "
			      "dashes",
			      fail);
	add_home(scope, kind, name, who);
	return 0;
}

static int
parse_head(struct scope *scope, const struct identity *who, struct fail *fail)
{
	static const struct {
		struct str head;
		enum home_kind kind;
	} heads[] = {
		{ { "@project/", 9 }, HOME_PROJECT },
		{ { "@human/", 7 }, HOME_HUMAN },
		{ { "@self/", 6 }, HOME_SELF },
		{ { "@model/", 7 }, HOME_MODEL },
		{ { "@agents/", 8 }, HOME_OTHER_AGENT },
		{ { "@models/", 8 }, HOME_OTHER_MODEL },
	};
	const struct str none = { NULL, 0 };

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		if (!str_starts(scope->glob, heads[i].head))
			continue;
		if (heads[i].kind >= HOME_OTHER_AGENT)
			return parse_named(
				scope, heads[i].kind,
				str_from(scope->glob, heads[i].head.n), who,
				fail);
		add_home(scope, heads[i].kind, none, who);
		return 0;
	}
	return refuse(scope->glob, "there is no such head; " LEGAL_HEADS, fail);
}

int
scope_parse(struct scope *scope, struct str glob, const struct identity *who,
	    struct fail *fail)
{
	static const enum home_kind all[] = { HOME_SESSION, HOME_PROJECT,
					      HOME_HUMAN, HOME_SELF,
					      HOME_MODEL };
	const struct str none = { NULL, 0 };

	scope->glob = glob;
	scope->self_alias = make_alias("@agents", who->agent);
	scope->model_alias = make_alias("@models", who->model);
	if (check_characters(glob, fail) < 0)
		return -1;
	if (glob.n > 0 && glob.s[0] == '@')
		return parse_head(scope, who, fail);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		add_home(scope, all[i], none, who);
	return 0;
}

void
scope_release(struct scope *scope)
{
	for (size_t i = 0; i < scope->n; i++)
		home_release(&scope->homes[i]);
	free(scope->homes);
	free(scope->self_alias);
	free(scope->model_alias);
	*scope = (struct scope)SCOPE_INIT;
}

const char *
scope_space_label(const struct scope *scope)
{
	return str_is(str_of(scope->space), "agents") ? "@agents" : "@models";
}

/* ---- a namespace ------------------------------------------------------- */

static int
by_directory(const void *a, const void *b)
{
	const struct home *x = a, *y = b;

	return strcmp(x->directory, y->directory);
}

struct space {
	struct scope *scope;
	const struct identity *who;
};

/* A directory, or a link that may stand in the place of one. */
static void
add_from_space(void *ctx, const char *entry, enum tree_kind kind)
{
	const struct space *space = ctx;
	struct scope *scope = space->scope;
	struct str name = str_of(entry);
	bool agents = str_is(str_of(scope->space), "agents");

	if ((kind == TREE_DIRECTORY || kind == TREE_LINK) &&
	    identity_is_slug(name) && glob_match(scope->name, name))
		add_home(scope, agents ? HOME_OTHER_AGENT : HOME_OTHER_MODEL,
			 name, space->who);
}

int
scope_expand(struct scope *scope, int root, const struct identity *who)
{
	struct space space = { scope, who };
	int fd, rc;

	if (scope->space == NULL)
		return 0;
	fd = beneath_open_directory(root, scope->space, NULL);
	if (fd < 0)
		return errno == ENOENT ? 0 : -1;
	rc = tree_read(fd, add_from_space, &space);
	if (scope->n > 1)
		qsort(scope->homes, scope->n, sizeof(*scope->homes),
		      by_directory);
	return rc;
}

/* ---- matching ---------------------------------------------------------- */

static bool
matches_spelling(struct str glob, struct str address)
{
	if (glob_match(glob, address))
		return true;
	address.n -= 3; /* as it may be given: without .md */
	return glob_match(glob, address);
}

bool
scope_matches(const struct scope *scope, const struct home *home,
	      const char *path, struct str address)
{
	struct buf other = BUF_INIT;
	bool matches;

	if (scope->glob.n == 0 || matches_spelling(scope->glob, address))
		return true;
	if (home->kind != HOME_SELF && home->kind != HOME_MODEL)
		return false;
	buf_adds(&other, home->kind == HOME_SELF ? scope->self_alias
						 : scope->model_alias);
	buf_adds(&other, path);
	matches = matches_spelling(scope->glob, buf_str(&other));
	buf_release(&other);
	return matches;
}

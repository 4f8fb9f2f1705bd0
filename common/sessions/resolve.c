#include "sessions/resolve.h"

#include <stdlib.h>

#include "base/path.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "sessions/places.h"
#include "sessions/walk.h"
#include "transcript/hosts.h"
#include "transcript/lines.h"

#define CANDIDATES_NAMED 5

/* ---- the variable ------------------------------------------------------ */

/* A session id is one directory name of the notes: spec/notes.md section 1. */
static bool
is_directory_name(struct str s)
{
	if (s.n == 0 || s.n > 255 || !utf8_valid(s) || str_is(s, ".") ||
	    str_is(s, ".."))
		return false;
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.s[i];

		if (c < 0x20 || c == 0x7f || c == '/' || c == '\\' || c == ':')
			return false;
		/* U+0080..U+009F; the encoding is known to be valid. */
		if (c == 0xc2 && (unsigned char)s.s[i + 1] < 0xa0)
			return false;
	}
	return true;
}

static int
check_roots(const struct facts *facts, struct fail *fail)
{
	struct buf names = BUF_INIT;

	if (fact(facts, FACT_SESSION_FILE) != NULL || place_has_roots())
		return 0;
	for (const struct host *h = host_table; h->name != NULL; h++)
		for (const struct host_root *r = h->roots; r->below != NULL;
		     r++)
			if (r->variable != NULL)
				buf_addf(&names, ", %s", r->variable);
	fail_environment(fail,
			 "there is no home directory to look for sessions in: "
			 "set HOME, or one of %s",
			 names.data + 2);
	buf_release(&names);
	return -1;
}

int
resolve_check(const struct facts *facts, struct fail *fail)
{
	struct str value = str_of(fact(facts, FACT_SESSION));
	struct buf quoted = BUF_INIT;

	if (value.s == NULL || is_directory_name(hosts_session_id(value)))
		return check_roots(facts, fail);
	fail_quote(&quoted, value);
	fail_environment(
		fail,
		"CTX_SESSION: %s is not a session id: it needs 1 to 255 "
		"bytes of UTF-8 without \"/\", \"\\\", \":\" and "
		"control characters, and not \".\" or \"..\"",
		quoted.data);
	buf_release(&quoted);
	return -1;
}

/* ---- refusals ---------------------------------------------------------- */

static int
refuse_grammar(const char *variable, struct str value, struct fail *fail)
{
	struct buf quoted = BUF_INIT, forms = BUF_INIT;

	fail_quote(&quoted, value);
	selector_add_forms(&forms);
	fail_refuse(fail, "invalid_session", "%s %s names no session: give %s",
		    variable, quoted.data, forms.data);
	buf_release(&quoted);
	buf_release(&forms);
	return -1;
}

static const char lists_sessions[] =
	"history_list with session \"*\" lists sessions";

/* Hosts create the file late. */
static int
refuse_absent(const char *variable, struct fail *fail)
{
	struct buf of = BUF_INIT;

	if (variable != NULL) {
		buf_adds(&of, " of CTX_SESSION ");
		fail_quote(&of, str_of(variable));
	}
	fail_refuse(fail, "unknown_session",
		    "the transcript%s that CTX_SESSION_FILE names does not "
		    "exist (yet); %s",
		    of.data, lists_sessions);
	buf_release(&of);
	return -1;
}

/* Where the one that is looked for may be. */
static void
add_unavailable(struct buf *out, const struct corpus *c)
{
	for (const struct host *h = host_table; h->name != NULL; h++)
		if ((c->unavailable & HOST_BIT(h)) != 0)
			buf_addf(out,
				 "; %s transcripts could not be listed "
				 "completely",
				 h->name);
}

int
resolve_refuse_unknown(const struct corpus *c, struct str parameter,
		       struct fail *fail)
{
	const char *variable = fact(c->facts, FACT_SESSION);
	struct buf text = BUF_INIT;
	struct selector selector;

	if (parameter.n == 0 && fact(c->facts, FACT_SESSION_FILE) != NULL)
		return refuse_absent(variable, fail);
	buf_adds(&text, "no session matches ");
	if (parameter.n == 0)
		buf_adds(&text, "CTX_SESSION ");
	else
		variable = parameter.s;
	fail_quote(&text, str_of(variable));
	if (selector_parse(str_of(variable), &selector) &&
	    selector.id.n < SELECTOR_PREFIX_CHARS)
		buf_adds(&text, " (a prefix needs 4 characters or more)");
	buf_addf(&text, "; %s", lists_sessions);
	add_unavailable(&text, c);
	fail_refuse(fail, "unknown_session", "%s", text.data);
	buf_release(&text);
	return -1;
}

/* No session lies in the directory that `.` means. */
static int
refuse_here(const struct corpus *c, struct str directory, struct fail *fail)
{
	struct buf text = BUF_INIT;

	buf_adds(&text, "no session was recorded in ");
	fail_quote(&text, directory);
	buf_addf(&text, " or below it; %s", lists_sessions);
	add_unavailable(&text, c);
	fail_refuse(fail, "unknown_session", "%s", text.data);
	buf_release(&text);
	return -1;
}

/* A sub-agent is known by its full id only. */
static enum selector_match
how_matches(const struct selector *selector, const struct corpus_file *file)
{
	enum selector_match how = selector_match(selector, file->host,
						 str_of(file->id));

	if (how != SELECTOR_DIFFERS && how != SELECTOR_EQUAL &&
	    corpus_is_agent(file))
		return SELECTOR_DIFFERS;
	return how;
}

/* The files that match as well as the best does, newest first. */
static int
refuse_ambiguous(const struct corpus *c, const struct selector *selector,
		 enum selector_match best, struct str value, struct fail *fail)
{
	struct recency *found = NULL;
	size_t n = 0, cap = 0;
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < c->n; i++) {
		const struct corpus_file *file = &c->files[i];

		if (how_matches(selector, file) != best)
			continue;
		XGROW(found, n + 1, cap);
		found[n++] = (struct recency){ recency_of(file), file };
	}
	if (n > 1)
		qsort(found, n, sizeof(*found), recency_cmp);
	fail_quote(&text, value);
	buf_addf(&text, " matches %zu sessions: ", n);
	for (size_t i = 0; i < n && i < CANDIDATES_NAMED; i++)
		buf_addf(&text, "%s%s:%s", i == 0 ? "" : ", ",
			 found[i].file->host->name, found[i].file->id);
	if (n > CANDIDATES_NAMED)
		buf_addf(&text, " and %zu more", n - CANDIDATES_NAMED);
	fail_refuse(fail, "ambiguous_session", "%s", text.data);
	buf_release(&text);
	free(found);
	return -1;
}

struct str
resolve_parameter(const struct tool_call *call,
		  const struct arg_string *parameter)
{
	struct str given = { parameter->s, parameter->n };

	if (given.n == 0 && call->typed &&
	    fact(call->facts, FACT_SESSION) == NULL &&
	    fact(call->facts, FACT_SESSION_FILE) == NULL)
		return STR(".");
	return given;
}

int
resolve_parse(struct str parameter, struct selector *selector,
	      struct fail *fail)
{
	if (selector_parse(parameter, selector))
		return 0;
	return refuse_grammar("session", parameter, fail);
}

int
resolve_parse_one(struct str parameter, struct fail *fail)
{
	struct selector selector;
	struct buf quoted = BUF_INIT;

	if (parameter.n == 0)
		return 0;
	if (resolve_parse(parameter, &selector, fail) != 0)
		return -1;
	if (!selector.wildcard)
		return 0;
	fail_quote(&quoted, parameter);
	fail_refuse(fail, "wildcard_read",
		    "session %s means many sessions: one is needed to read "
		    "from",
		    quoted.data);
	buf_release(&quoted);
	return -1;
}

/* ---- matching ---------------------------------------------------------- */

/*
 * The one file that matches best; NULL when none does, or several do equally
 * well.  *best is how well.
 */
static const struct corpus_file *
match(const struct corpus *c, const struct selector *selector,
      enum selector_match *best)
{
	const struct corpus_file *found = NULL;

	*best = SELECTOR_DIFFERS;
	for (size_t i = 0; i < c->n; i++) {
		const struct corpus_file *file = &c->files[i];
		enum selector_match how = how_matches(selector, file);

		if (how == SELECTOR_DIFFERS || how < *best)
			continue;
		found = how == *best ? NULL : file;
		*best = how;
	}
	return found;
}

static int
match_or_refuse(const struct corpus *c, const struct selector *selector,
		struct str value, struct str parameter,
		const struct corpus_file **file, struct fail *fail)
{
	enum selector_match best;

	*file = match(c, selector, &best);
	if (*file != NULL)
		return 0;
	if (best == SELECTOR_DIFFERS)
		return resolve_refuse_unknown(c, parameter, fail);
	return refuse_ambiguous(c, selector, best, value, fail);
}

static unsigned
scope_of(const struct selector *selector)
{
	return selector->host == NULL ? HOSTS_ALL : HOST_BIT(selector->host);
}

/* ---- the file that CTX_SESSION_FILE names ------------------------------ */

struct str
resolve_stem(struct str path)
{
	struct str name = path_last(path);
	size_t n = name.n;

	while (n > 0 && name.s[n - 1] != '.')
		n--;
	return n > 1 ? (struct str){ name.s, n - 1 } : name;
}

struct str
resolve_own_id(const struct host *host, struct str told, const char *path)
{
	struct str stem = resolve_stem(str_of(path)), name = STR("");

	if (selector_is_id(told))
		return told;
	if (told.n == 0)
		name = hosts_file_name(host, str_of(path)).id;
	if (selector_is_id(name))
		return name;
	return selector_is_id(stem) ? stem : STR("");
}

/*
 * Pins the file under the identity that its first record gives it: the host,
 * when *selector has none, and the id, when selector is NULL.  A file that
 * cannot be recognised is pinned only as far as the variable identifies it.
 */
static void
pin_by_content(struct corpus *c, const char *path,
	       const struct selector *selector)
{
	struct corpus_file file = { .path = xstrdup(path) };
	struct source *source = corpus_open(&file);
	struct buf scratch = BUF_INIT;
	const struct host *host = NULL;
	struct str first, id = STR("");
	struct lines lines;

	free(file.path);
	if (source == NULL)
		return;
	if (lines_first(&lines, source, &first))
		host = hosts_recognise(first);
	if (host != NULL) {
		id = selector != NULL
			     ? selector->id
			     : resolve_own_id(host,
					      decoder_session_id(host->decoder,
								 first,
								 &scratch),
					      path);
		if (id.n > 0)
			corpus_pin(c, host, id, path);
	}
	lines_release(&lines);
	source_close(source);
	buf_release(&scratch);
}

/* selector: CTX_SESSION, or NULL when it is not set or invalid. */
static void
pin(struct corpus *c, const struct selector *selector)
{
	const char *path = fact(c->facts, FACT_SESSION_FILE);

	if (path == NULL)
		return;
	if (selector != NULL && selector->host != NULL)
		corpus_pin(c, selector->host, selector->id, path);
	else
		pin_by_content(c, path, selector);
}

/*
 * The file that the variable names may be a segment of a session in several
 * (2.5): then the last one stands for it.  NULL: it is by itself, as far as
 * its name tells.
 */
static const struct corpus_file *
find_thread(struct corpus *c, const struct selector *own, const char *path)
{
	for (const struct host *h = host_table; h->name != NULL; h++) {
		struct file_name name = hosts_file_name(h, str_of(path));
		struct selector thread = { .host = h, .id = name.id };
		size_t before = c->n;

		if (h->decoder->base == NULL || name.id.n == 0 ||
		    !selector_is_id(name.id) ||
		    (own->host != NULL && own->host != h) ||
		    (own->id.n > 0 && !str_eq(own->id, name.id)))
			continue;
		c->wanted[c->n_wanted++] = &thread;
		corpus_list(c, HOST_BIT(h));
		c->n_wanted = 0;
		/* Alone under the roots, its first record tells its id. */
		if (name.segment.n == 0 && c->n - before < 2)
			continue;
		corpus_pin(c, h, name.id, path);
		corpus_settle(c);
		for (size_t i = 0; i < c->n; i++)
			if (c->files[i].host == h &&
			    str_eq(str_of(c->files[i].id), name.id))
				return &c->files[i];
	}
	return NULL;
}

/* ---- resolving --------------------------------------------------------- */

static int
resolve_current(struct corpus *c, const struct corpus_file **file,
		struct fail *fail)
{
	struct str value = str_of(fact(c->facts, FACT_SESSION));
	const char *path = fact(c->facts, FACT_SESSION_FILE);
	struct selector selector = { .host = NULL };

	if (value.s == NULL && path == NULL)
		return fail_refuse(fail, "no_session",
				   "no current session: set CTX_SESSION, or "
				   "name one with the session parameter");
	if (value.s != NULL && !selector_parse_one(value, &selector))
		return refuse_grammar("CTX_SESSION", value, fail);
	if (path != NULL) {
		*file = find_thread(c, &selector, path);
		if (*file != NULL)
			return 0;
		/* Reading it will tell what is not known yet. */
		corpus_pin(c, selector.host, selector.id, path);
		*file = &c->files[c->n - 1];
		return 0;
	}
	c->wanted[c->n_wanted++] = &selector;
	corpus_list(c, scope_of(&selector));
	c->n_wanted = 0;
	corpus_settle(c);
	return match_or_refuse(c, &selector, value, STR(""), file, fail);
}

/* Whether the file found is the host's current session. */
static bool
is_current(const struct corpus *c, const struct corpus_file *file)
{
	struct str value = str_of(fact(c->facts, FACT_SESSION));
	const char *path = fact(c->facts, FACT_SESSION_FILE);
	enum selector_match best;
	struct selector own;

	if (value.s != NULL && !selector_parse_one(value, &own))
		return false;
	if (path == NULL)
		return value.s != NULL && match(c, &own, &best) == file;
	/* It may lie under a root too, with another id in its name. */
	return file->pinned || corpus_is_at(file, path);
}

static int
resolve_named(struct corpus *c, struct str parameter,
	      const struct selector *selector, const struct corpus_file **file,
	      struct fail *fail)
{
	struct str value = str_of(fact(c->facts, FACT_SESSION));
	unsigned scope = scope_of(selector);
	struct selector own;
	bool has_own = value.s != NULL && selector_parse_one(value, &own);

	c->wanted[c->n_wanted++] = selector;
	if (has_own && fact(c->facts, FACT_SESSION_FILE) == NULL) {
		c->wanted[c->n_wanted++] = &own;
		scope |= scope_of(&own);
	}
	corpus_list(c, scope);
	c->n_wanted = 0;
	pin(c, has_own ? &own : NULL);
	corpus_settle(c);
	return match_or_refuse(c, selector, parameter, parameter, file, fail);
}

/* The one recorded to last of those in the working directory or below it. */
static int
resolve_here(struct corpus *c, const struct corpus_file **file,
	     struct fail *fail)
{
	static const struct selector all = { .wildcard = true };
	const struct corpus_file *current;
	struct buf directory = BUF_INIT;
	struct walk_scope scope = { 0 };
	struct walk walk = { 0 };
	int rc = -1;

	if (facts_working_directory(c->facts, &directory, fail) != 0)
		goto out;
	scope.cwd = buf_str(&directory);
	resolve_wildcard(c, &all, &current);
	walk_init(&walk, c, &scope);
	if (walk.n > 0) {
		*file = walk.v[0].file;
		rc = 0;
	} else {
		rc = refuse_here(c, scope.cwd, fail);
	}
out:
	walk_release(&walk);
	buf_release(&directory);
	return rc;
}

/*
 * The session that CTX_SESSION alone names.  An id without a host is looked
 * for with all of them, even where the wildcard is about one only.
 */
static const struct corpus_file *
find_current(const struct corpus *c, const struct selector *own,
	     const struct selector *wildcard)
{
	const struct corpus_file *found = NULL;
	struct fail ignored = FAIL_INIT;
	enum selector_match best;
	struct selector exact;
	struct corpus all;

	if (own->host != NULL || wildcard->host == NULL)
		return match(c, own, &best);
	corpus_init(&all, c->facts);
	if (resolve_current(&all, &found, &ignored) == 0) {
		exact = (struct selector){ .host = found->host,
					   .id = str_of(found->id) };
		found = match(c, &exact, &best);
	}
	corpus_release(&all);
	buf_release(&ignored.message);
	return found;
}

void
resolve_wildcard(struct corpus *c, const struct selector *wildcard,
		 const struct corpus_file **current)
{
	struct str value = str_of(fact(c->facts, FACT_SESSION));
	const char *path = fact(c->facts, FACT_SESSION_FILE);
	bool is_set = value.s != NULL, has_own;
	struct selector own;

	has_own = is_set && selector_parse_one(value, &own);
	corpus_list(c, scope_of(wildcard));
	pin(c, has_own ? &own : NULL);
	corpus_drop_twins(c, scope_of(wildcard));
	corpus_settle(c);
	*current = NULL;
	if (path == NULL) {
		if (has_own)
			*current = find_current(c, &own, wildcard);
		return;
	}
	for (size_t i = 0; i < c->n && (has_own || !is_set); i++)
		if (c->files[i].pinned)
			*current = &c->files[i];
}

int
resolve_session(struct corpus *corpus, struct str parameter,
		const struct corpus_file **file, bool *current,
		struct fail *fail)
{
	struct selector selector;
	int rc;

	*current = parameter.n == 0;
	if (parameter.n == 0)
		return resolve_current(corpus, file, fail);
	selector_parse(parameter, &selector);
	rc = selector.here
		     ? resolve_here(corpus, file, fail)
		     : resolve_named(corpus, parameter, &selector, file, fail);
	*current = rc == 0 && is_current(corpus, *file);
	return rc;
}

int
resolve_check_one(const struct arg_string *cwd, bool agents, struct fail *fail)
{
	if (cwd->n == 0 && !agents)
		return 0;
	return fail_invalid(fail,
			    "%s: legal only with a wildcard for session: \"*\" "
			    "or \"<host>:*\"",
			    cwd->n > 0 ? "cwd" : "agents");
}

int
resolve_directory(const struct facts *facts, struct str cwd, struct buf *out,
		  struct fail *fail)
{
	struct buf base = BUF_INIT;
	int rc = facts_working_directory(facts, &base, fail);

	if (rc == 0)
		path_resolve(out, buf_str(&base), cwd);
	buf_release(&base);
	return rc;
}

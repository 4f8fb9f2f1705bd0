#include "notes/identity.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/path.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "notes/project.h"

#define CWD_MAX 4096
#define SESSION_MAX 255

bool
identity_is_slug(struct str s)
{
	bool dash = true; /* one here is at the start, or the second in a row */

	for (size_t i = 0; i < s.n; i++) {
		if (s.s[i] == '-') {
			if (dash)
				return false;
			dash = true;
		} else if ((s.s[i] >= 'a' && s.s[i] <= 'z') ||
			   (s.s[i] >= '0' && s.s[i] <= '9')) {
			dash = false;
		} else {
			return false;
		}
	}
	return !dash;
}

void
identity_slug(struct buf *out, struct str s)
{
	size_t i, start = out->len;
	bool gap = false;
	char c;

	for (i = 0; i < s.n; i++) {
		c = s.s[i];
		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if ((c < 'a' || c > 'z') && (c < '0' || c > '9')) {
			gap = true;
			continue;
		}
		if (gap && out->len > start)
			buf_addc(out, '-');
		gap = false;
		buf_addc(out, c);
	}
}

/* The slug of a fact's value as a string of its own, or the default. */
static int
resolve_slug(char **slug, struct str value, const char *variable,
	     const char *fallback, struct fail *fail)
{
	struct buf b = BUF_INIT;

	identity_slug(&b, value);
	if (b.len > IDENTITY_SLUG_MAX) {
		fail_environment(
			fail,
			"%s: its slug has %zu bytes, at most %d are legal",
			variable, b.len, IDENTITY_SLUG_MAX);
		buf_release(&b);
		return -1;
	}
	if (b.len == 0)
		buf_adds(&b, fallback);
	*slug = buf_detach(&b);
	return 0;
}

/* What makes id no name of a session's directory; NULL when nothing does. */
static const char *
session_fault(struct str id)
{
	uint32_t cp;
	unsigned n;

	if (id.n == 0)
		return "the session id is empty";
	if (id.n > SESSION_MAX)
		return "the session id is longer than 255 bytes";
	if (str_is(id, ".") || str_is(id, ".."))
		return "the session id is a dot name";
	for (size_t i = 0; i < id.n; i += n) {
		n = utf8_decode(id.s + i, id.n - i, &cp);
		if (n == 0)
			return "the session id is not valid UTF-8";
		if (cp == '/' || cp == '\\' || cp == ':')
			return "the session id holds a slash, a backslash or "
			       "a second colon";
		if (cp < 0x20 || (cp >= 0x7f && cp <= 0x9f))
			return "the session id holds a control character";
	}
	return NULL;
}

static int
resolve_session(struct identity *who, const char *value, struct fail *fail)
{
	struct buf quoted = BUF_INIT;
	const char *colon, *id, *fault;

	if (value == NULL)
		return 0;
	colon = strchr(value, ':');
	id = colon == NULL ? value : colon + 1;
	fault = session_fault(str_of(id));
	if (fault == NULL) {
		who->session = xstrdup(id);
		return 0;
	}
	fail_quote(&quoted, str_of(value));
	fail_environment(fail,
			 "CTX_SESSION: %s (%s); legal is <host>:<id> or <id>",
			 fault, quoted.data);
	buf_release(&quoted);
	return -1;
}

static int
resolve_root(struct identity *who, const struct facts *facts, struct fail *fail)
{
	const char *given = fact(facts, FACT_NOTES_HOME), *user;
	struct buf b = BUF_INIT;

	if (given != NULL) {
		who->root = xstrdup(given);
		return 0;
	}
	user = facts_home_directory();
	if (user == NULL)
		return fail_environment(fail,
					"there is no home directory to keep "
					"notes in; set CTX_NOTES_HOME");
	buf_adds(&b, user);
	buf_adds(&b, "/.agents/notes");
	who->root = buf_detach(&b);
	return 0;
}

static int
fail_cwd(struct fail *fail, struct str given, const char *reason)
{
	struct buf quoted = BUF_INIT;

	fail_quote(&quoted, given);
	fail_refuse(fail, "invalid_cwd", "cwd %s %s", quoted.data, reason);
	buf_release(&quoted);
	return -1;
}

/* The effective directory: cwd, which must exist, else the base directory. */
static int
resolve_directory(struct identity *who, const struct facts *facts,
		  const struct arg_string *cwd, struct fail *fail)
{
	struct buf base = BUF_INIT, path = BUF_INIT;
	struct str given = { cwd->s, cwd->n };
	struct stat st;
	int rc = -1;

	if (facts_working_directory(facts, &base, fail) != 0)
		goto out;
	path_resolve(&path, buf_str(&base), given);
	if (given.n > CWD_MAX)
		fail_cwd(fail, given,
			 "is too long: at most 4096 bytes are legal");
	else if (given.n > 0 && stat(path.data, &st) != 0)
		fail_cwd(fail, given,
			 errno == ENOENT || errno == ENOTDIR ? "does not exist"
							     : strerror(errno));
	else if (given.n > 0 && !S_ISDIR(st.st_mode))
		fail_cwd(fail, given, "is not a directory");
	else
		rc = 0;
	if (rc == 0)
		who->directory = buf_detach(&path);
out:
	buf_release(&base);
	buf_release(&path);
	return rc;
}

static void
resolve_project(struct identity *who)
{
	struct buf root = BUF_INIT, key = BUF_INIT;

	project_root(&root, str_of(who->directory));
	project_key(&key, buf_str(&root));
	who->project = buf_detach(&key);
	buf_release(&root);
}

/* What follows the last slash: "anthropic/claude-x" is the model claude-x. */
static struct str
model_name(const char *value)
{
	return path_last(str_of(value));
}

int
identity_resolve(struct identity *who, const struct facts *facts,
		 const struct arg_string *cwd, struct fail *fail)
{
	*who = (struct identity)IDENTITY_INIT;
	if (facts_now_ms(facts, &who->now, fail) != 0 ||
	    resolve_root(who, facts, fail) != 0 ||
	    resolve_session(who, fact(facts, FACT_SESSION), fail) != 0 ||
	    resolve_slug(&who->agent, str_of(fact(facts, FACT_AGENT)),
			 "CTX_AGENT", "anonymous", fail) != 0 ||
	    resolve_slug(&who->model, model_name(fact(facts, FACT_MODEL)),
			 "CTX_MODEL", "default", fail) != 0 ||
	    resolve_directory(who, facts, cwd, fail) != 0)
		return -1;
	resolve_project(who);
	return 0;
}

void
identity_release(struct identity *who)
{
	free(who->root);
	free(who->session);
	free(who->agent);
	free(who->model);
	free(who->directory);
	free(who->project);
	*who = (struct identity)IDENTITY_INIT;
}

#include "mcp/host_facts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json_check.h"
#include "base/json_span.h"
#include "base/path.h"
#include "base/utf8.h"
#include "base/xalloc.h"

#define PATH_BYTES_MAX 4096 /* of a fact that is a path */
#define DEPTH 16	    /* of x-codex-turn-metadata */

#define CODEX "codex:"

static bool
is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* ---- a call ------------------------------------------------------------ */

static const struct {
	const char *name;
	enum fact fact;
} members[] = {
	{ "session", FACT_SESSION },
	{ "session_file", FACT_SESSION_FILE },
	{ "leaf", FACT_LEAF },
	{ "agent", FACT_AGENT },
	{ "model", FACT_MODEL },
	{ "cwd", FACT_CWD },
	{ "context_root", FACT_CONTEXT_ROOT },
	{ "context_agent", FACT_CONTEXT_AGENT },
};
#define MEMBERS (sizeof(members) / sizeof(members[0]))

/* One member of ctxtools/facts; an empty string counts as unset. */
static int
take_member(struct call_said *c, struct str key, struct str value,
	    struct fail *fail)
{
	struct buf text = BUF_INIT, name = BUF_INIT;
	char **to;
	size_t i;
	int rc = -1;

	/* What a host means and we do not know must not pass unseen. */
	json_decode(key, &name);
	for (i = 0; i < MEMBERS && !str_is(buf_str(&name), members[i].name);)
		i++;
	json_decode(value, &text);
	if (i == MEMBERS) {
		fail_invalid(fail, "ctxtools/facts: %s is not a fact",
			     name.data);
	} else if (json_kind(value) != JSON_STRING ||
		   memchr(text.data, '\0', text.len) != NULL) {
		fail_invalid(fail, "ctxtools/facts: %s is not a string",
			     members[i].name);
	} else {
		rc = 0;
		to = &c->said[members[i].fact];
		free(*to);
		*to = text.len > 0 ? xstrdup(text.data) : NULL;
	}
	buf_release(&text);
	buf_release(&name);
	return rc;
}

static int
read_said(struct call_said *c, struct str facts, struct fail *fail)
{
	struct json_iter it = json_iterate(facts);
	struct str key, value;

	if (facts.n == 0)
		return 0;
	if (json_kind(facts) != JSON_OBJECT)
		return fail_invalid(fail, "ctxtools/facts: not an object");
	while (json_next_member(&it, &key, &value))
		if (take_member(c, key, value, fail) != 0)
			return -1;
	return 0;
}

/* `codex:<id>` of a string that is there, and fits with the host before it. */
static void
take_session(struct call_said *c, struct str id, const char *from,
	     struct talk *talk)
{
	struct buf text = BUF_INIT;

	if (c->session == NULL && json_kind(id) == JSON_STRING) {
		json_decode(id, &text);
		if (client_fact_fits(talk, from, buf_str(&text),
				     CLIENT_FACT_MAX - strlen(CODEX))) {
			struct buf session = BUF_INIT;

			buf_addf(&session, CODEX "%s", text.data);
			c->session = buf_detach(&session);
		}
	}
	buf_release(&text);
}

/* Whether a slug can be made of it: it has a letter or a digit. */
static bool
names_something(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((s.s[i] >= '0' && s.s[i] <= '9') ||
		    (s.s[i] >= 'a' && s.s[i] <= 'z') ||
		    (s.s[i] >= 'A' && s.s[i] <= 'Z'))
			return true;
	return false;
}

/* A model that no slug can be made of would make every call fail. */
static void
take_model(struct call_said *c, struct str model, struct talk *talk)
{
	struct buf text = BUF_INIT;

	if (json_kind(model) == JSON_STRING) {
		json_decode(model, &text);
		if (client_fact_fits(talk, "the model of x-codex-turn-metadata",
				     buf_str(&text), CLIENT_FACT_MAX) &&
		    names_something(buf_str(&text)))
			c->model = xstrdup(text.data);
	}
	buf_release(&text);
}

int
host_facts_read_call(struct call_said *c, struct str meta, struct talk *talk,
		     struct fail *fail)
{
	static const char *const names[] = { "ctxtools/facts",
					     "x-codex-turn-metadata",
					     "threadId",
					     "claudecode/toolUseId" };
	struct buf text = BUF_INIT;
	struct str value[4], turn;

	*c = (struct call_said){ .session = NULL };
	json_get_many(meta, names, value, 4);
	if (read_said(c, value[0], fail) != 0)
		return -1;
	turn = value[1];
	/* It is an object, or the text of one: it goes as a header, too. */
	if (json_kind(turn) == JSON_STRING) {
		json_decode(turn, &text);
		turn = buf_str(&text);
		turn = json_check(turn, DEPTH, 0, NULL) == 0 ? json_value(turn)
							     : STR("null");
	}
	take_session(c, json_get(turn, "thread_id"),
		     "the thread_id of x-codex-turn-metadata", talk);
	take_session(c, json_get(turn, "session_id"),
		     "the session_id of x-codex-turn-metadata", talk);
	take_session(c, value[2], "the threadId of _meta", talk);
	take_model(c, json_get(turn, "model"), talk);
	if (json_kind(value[3]) == JSON_STRING) {
		buf_reset(&text);
		json_decode(value[3], &text);
		if (client_fact_fits(talk, "the claudecode/toolUseId of _meta",
				     buf_str(&text), CLIENT_FACT_MAX))
			c->tool_use = xstrdup(text.data);
	}
	buf_release(&text);
	return 0;
}

void
host_facts_release_call(struct call_said *c)
{
	for (int i = 0; i < FACT_COUNT; i++)
		free(c->said[i]);
	free(c->session);
	free(c->model);
	free(c->tool_use);
	*c = (struct call_said){ .session = NULL };
}

/* ---- the process ------------------------------------------------------- */

static bool
is_variable_of(const char *entry, const char *name)
{
	size_t n = name == NULL ? 0 : strlen(name);

	return n > 0 && strncmp(entry, name, n) == 0 && entry[n] == '=';
}

/* Whether a variable is set for each call; the rest of the environment passes. */
static bool
is_fact(const char *entry)
{
	for (int i = 0; i < FACT_COUNT; i++)
		if (is_variable_of(entry, fact_info((enum fact)i)->variable) ||
		    is_variable_of(entry, fact_info((enum fact)i)->alias))
			return true;
	return false;
}

/*
 * The facts of our own environment are those of whoever started the server.
 * They have their rank among what else is known, and are set for each call by
 * it; inherited, they would win over what a call says.
 */
static void
inherit(struct host_facts *h)
{
	size_t cap = 0;

	for (char **e = environ; *e != NULL; e++) {
		if (is_fact(*e))
			continue;
		XGROW(h->inherited, h->inherited_n + 1, cap);
		h->inherited[h->inherited_n++] = *e;
	}
}

void
host_facts_init(struct host_facts *h, const struct facts *given,
		struct talk *talk)
{
	const char *project = getenv("CLAUDE_PROJECT_DIR");

	*h = (struct host_facts){ .given = given };
	inherit(h);
	clients_init(&h->clients, talk);
	live_session_init(&h->live);
	/* No program could run in a directory that is gone: it counts as unset. */
	if (project != NULL &&
	    client_fact_fits(talk, "CLAUDE_PROJECT_DIR", str_of(project),
			     PATH_BYTES_MAX) &&
	    is_directory(project))
		h->project = xstrdup(project);
}

void
host_facts_release(struct host_facts *h)
{
	live_session_release(&h->live);
	clients_release(&h->clients);
	free(h->project);
	free(h->root);
	free(h->inherited);
	*h = (struct host_facts){ .given = NULL };
}

static const char *
known_session(const struct host_facts *h, const struct call_said *c)
{
	const char *session;

	if (c->session != NULL)
		return c->session;
	(void)clients_speaker(&h->clients, c->client, &session);
	return session;
}

/* What the host is known to say; rank 3 of section 7. */
static const char *
known(const struct host_facts *h, const struct call_said *c, enum fact f)
{
	switch (f) {
	case FACT_SESSION:
		return known_session(h, c);
	case FACT_MODEL:
		return c->model;
	case FACT_CWD:
		return h->project != NULL ? h->project : h->root;
	default:
		return NULL;
	}
}

/*
 * The facts that say which session is meant are one group: another session's
 * file or leaf beside a session that is given would be a mixture of two.
 */
static bool
is_of_session(enum fact f)
{
	return f == FACT_SESSION || f == FACT_SESSION_FILE || f == FACT_LEAF;
}

/* Whether these say f, or one of its group. */
static bool
say(const char *const facts[FACT_COUNT], enum fact f)
{
	if (!is_of_session(f))
		return facts[f] != NULL;
	return facts[FACT_SESSION] != NULL ||
	       facts[FACT_SESSION_FILE] != NULL || facts[FACT_LEAF] != NULL;
}

/* Nothing of lower rank is looked at where a fact, or its group, is said. */
static const char *
value_of(const struct host_facts *h, const struct call_said *c, enum fact f)
{
	if (say((const char *const *)c->said, f))
		return c->said[f];
	if (say(h->given->value, f))
		return h->given->value[f];
	return known(h, c, f);
}

bool
host_facts_want_live(const struct host_facts *h, const struct call_said *c)
{
	const char *session;
	const struct host *host = clients_speaker(&h->clients, c->client,
						  &session);

	return host != NULL && live_session_may_tell(host) &&
	       (!host->client.by_id || c->tool_use != NULL) &&
	       c->session == NULL &&
	       !say((const char *const *)c->said, FACT_SESSION) &&
	       !say(h->given->value, FACT_SESSION);
}

bool
host_facts_find_live(struct host_facts *h, struct call_said *c, struct str tool,
		     struct str arguments, struct talk *talk)
{
	const char *session, *cwd = value_of(h, c, FACT_CWD);
	struct buf directory = BUF_INIT, id = BUF_INIT, canonical = BUF_INIT;
	struct live_search search = { .call = { .id = str_of(c->tool_use),
						.tool = tool } };
	bool found;

	search.host = clients_speaker(&h->clients, c->client, &session);
	search.started = clients_id(session);
	if (cwd != NULL)
		buf_adds(&directory, cwd);
	else
		(void)path_working_directory(&directory);
	search.directory = buf_str(&directory);
	if (!search.host->client.by_id)
		json_canonical(arguments, &canonical);
	search.call.arguments = buf_str(&canonical);
	buf_addf(&id, "%s:", search.host->name);
	found = live_session_find(&h->live, &search, &id);
	if (found && client_fact_fits(talk, "the name of a transcript",
				      buf_str(&id), CLIENT_FACT_MAX))
		c->session = buf_detach(&id);
	buf_release(&directory);
	buf_release(&canonical);
	buf_release(&id);
	return found;
}

bool
host_facts_may_find_later(const struct host_facts *h, const struct call_said *c)
{
	const char *session;

	return live_session_is_late(
		clients_speaker(&h->clients, c->client, &session));
}

bool
host_facts_have_cwd(const struct host_facts *h, const struct call_said *c)
{
	return (c != NULL && c->said[FACT_CWD] != NULL) ||
	       fact(h->given, FACT_CWD) != NULL || h->project != NULL;
}

char **
host_facts_environment(const struct host_facts *h, const struct call_said *c,
		       struct buf *pool)
{
	size_t at[FACT_COUNT], n = 0, i;
	const char **v;
	const char *value;

	for (i = 0; i < FACT_COUNT; i++) {
		value = value_of(h, c, (enum fact)i);
		if (value == NULL)
			continue;
		at[n++] = pool->len;
		buf_addf(pool, "%s=%s", fact_info((enum fact)i)->variable,
			 value);
		buf_addc(pool, '\0');
	}
	v = xcalloc(h->inherited_n + n + 1, sizeof(*v));
	for (i = 0; i < h->inherited_n; i++)
		v[i] = h->inherited[i];
	for (i = 0; i < n; i++)
		v[h->inherited_n + i] = pool->data + at[i];
	return (char **)(void *)v;
}

/* ---- roots ------------------------------------------------------------- */

/* prefix has no capital letters. */
static bool
starts_in_any_case(struct str s, const char *prefix)
{
	char c;

	for (size_t i = 0; prefix[i] != '\0'; i++) {
		if (i == s.n)
			return false;
		c = s.s[i];
		if (c >= 'A' && c <= 'Z')
			c = (char)(c | 0x20);
		if (c != prefix[i])
			return false;
	}
	return true;
}

/*
 * What follows scheme and host.  Of another machine it keeps its host, and is
 * then no absolute path.
 */
static struct str
path_part(struct str uri)
{
	struct str rest = str_from(uri, 5);

	if (!str_starts(rest, STR("//")))
		return rest;
	rest = str_from(rest, 2);
	if (starts_in_any_case(rest, "localhost/"))
		return str_from(rest, 9);
	return rest;
}

/* Percent escapes are bytes: the path has to be UTF-8 in the end. */
bool
host_facts_uri_path(struct str uri, struct buf *path)
{
	struct str rest;
	int c;

	buf_reset(path);
	if (!starts_in_any_case(uri, "file:"))
		return false;
	rest = path_part(uri);
	if (rest.n == 0 || rest.s[0] != '/')
		return false;
	for (size_t i = 0; i < rest.n && rest.s[i] != '?' && rest.s[i] != '#';
	     i++) {
		c = (unsigned char)rest.s[i];
		if (c == '%') {
			if (i + 2 >= rest.n || str_hex(rest.s[i + 1]) < 0 ||
			    str_hex(rest.s[i + 2]) < 0)
				return false;
			c = str_hex(rest.s[i + 1]) * 16 +
			    str_hex(rest.s[i + 2]);
			i += 2;
		}
		if (c < 0x20 || c == 0x7f)
			return false;
		buf_addc(path, (char)c);
	}
	return path->len <= PATH_BYTES_MAX && utf8_valid(buf_str(path));
}

void
host_facts_set_roots(struct host_facts *h, struct str result)
{
	struct str roots = json_get(result, "roots"), root;
	struct json_iter it = json_iterate(roots);
	struct buf uri = BUF_INIT, path = BUF_INIT;

	free(h->root);
	h->root = NULL;
	while (h->root == NULL && json_next_element(&it, &root)) {
		buf_reset(&uri);
		json_decode(json_get(root, "uri"), &uri);
		if (host_facts_uri_path(buf_str(&uri), &path) &&
		    is_directory(path.data))
			h->root = xstrdup(path.data);
	}
	buf_release(&uri);
	buf_release(&path);
}

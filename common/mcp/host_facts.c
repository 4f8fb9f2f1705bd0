#include "mcp/host_facts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "mcp/roots.h"

#define HOST "claude:"

static bool
is_variable_of(const char *entry, const char *name)
{
	size_t n = name == NULL ? 0 : strlen(name);

	return n > 0 && strncmp(entry, name, n) == 0 && entry[n] == '=';
}

static bool
is_fact(const char *entry)
{
	int i;

	for (i = 0; i < FACT_COUNT; i++)
		if (is_variable_of(entry, fact_info((enum fact)i)->variable) ||
		    is_variable_of(entry, fact_info((enum fact)i)->alias))
			return true;
	return false;
}

static void
inherit(struct host_facts *h)
{
	size_t cap = 0;
	char **e;

	for (e = environ; *e != NULL; e++) {
		if (is_fact(*e))
			continue;
		XGROW(h->inherited, h->inherited_n + 1, cap);
		h->inherited[h->inherited_n++] = *e;
	}
}

static bool
is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

void
host_facts_init(struct host_facts *h, const struct facts *given,
		struct talk *talk)
{
	const char *claude = getenv("CLAUDECODE");
	const char *session = getenv("CLAUDE_CODE_SESSION_ID");
	const char *project = getenv("CLAUDE_PROJECT_DIR");
	struct buf text = BUF_INIT;

	*h = (struct host_facts){ .given = given };
	inherit(h);
	if (claude != NULL && strcmp(claude, "1") == 0 && session != NULL &&
	    call_facts_fit(talk, "CLAUDE_CODE_SESSION_ID", str_of(session),
			   CALL_FACTS_MAX - strlen(HOST))) {
		buf_addf(&text, HOST "%s", session);
		h->session = buf_detach(&text);
	}
	if (project != NULL &&
	    call_facts_fit(talk, "CLAUDE_PROJECT_DIR", str_of(project),
			   CALL_FACTS_PATH_MAX) &&
	    is_directory(project))
		h->project = xstrdup(project);
}

void
host_facts_release(struct host_facts *h)
{
	free(h->session);
	free(h->project);
	free(h->root);
	free(h->inherited);
	*h = (struct host_facts){ .given = NULL };
}

/* Nothing of lower rank is looked at where a fact is said. */
static const char *
value_of(const struct host_facts *h, const struct call_facts *c, enum fact f)
{
	if (c->said[f] != NULL)
		return c->said[f];
	if (fact(h->given, f) != NULL)
		return fact(h->given, f);
	if (f == FACT_SESSION)
		return c->session != NULL ? c->session : h->session;
	if (f == FACT_MODEL)
		return c->model;
	if (f == FACT_CWD)
		return h->project != NULL ? h->project : h->root;
	return NULL;
}

bool
host_facts_have_cwd(const struct host_facts *h, const struct call_facts *c)
{
	return (c != NULL && c->said[FACT_CWD] != NULL) ||
	       fact(h->given, FACT_CWD) != NULL || h->project != NULL;
}

char **
host_facts_environment(const struct host_facts *h, const struct call_facts *c,
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

void
host_facts_set_roots(struct host_facts *h, struct str result)
{
	struct buf path = BUF_INIT;

	free(h->root);
	h->root = NULL;
	if (roots_directory(result, &path))
		h->root = xstrdup(path.data);
	buf_release(&path);
}

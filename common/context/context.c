#include "context/context.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/lock.h"
#include "base/path.h"
#include "base/tree.h"
#include "context/life_json.h"
#include "context/state.h"
#include "transcript/hosts.h"

#define LOCK_MS 10000
#define AGENTS_FILE "agents.json"
#define WINDOW_FILE "window.json"
#define STATE_MAX_BYTES ((size_t)8 << 20)

/* ---- names ------------------------------------------------------------- */

/* CTX_STATE_DIR, or where it is by default. */
static int
add_state_folder(struct buf *out, const struct facts *facts, struct fail *fail)
{
	const char *given = fact(facts, FACT_STATE_DIR);
	const char *folder = getenv("XDG_STATE_HOME");
	const char *home = facts_home_directory();
	struct buf here = BUF_INIT;
	int rc = 0;

	if (given != NULL) {
		if (given[0] != '/' && path_working_directory(&here) != 0)
			rc = fail_environment(fail, "CTX_STATE_DIR: %s",
					      strerror(errno));
		path_resolve(out, buf_str(&here), str_of(given));
	} else if (folder != NULL && folder[0] == '/') {
		buf_addf(out, "%s/ctxtools", folder);
	} else if (home != NULL) {
		buf_addf(out, "%s/.local/state/ctxtools", home);
	} else {
		rc = fail_environment(fail, "there is no home directory: set "
					    "CTX_STATE_DIR");
	}
	buf_release(&here);
	return rc;
}

/* An id as the name of a folder. */
static void
add_root_folder(struct buf *out, struct str id)
{
	for (size_t i = 0; i < id.n; i++) {
		char c = id.s[i];

		if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		    (c >= '0' && c <= '9') || c == '_' || c == '-' ||
		    (c == '.' && i > 0))
			buf_addc(out, c);
		else
			buf_addf(out, "%%%02X", (unsigned char)c);
	}
}

static int
find_root(struct context *c, struct fail *fail)
{
	const char *root = fact(c->facts, FACT_CONTEXT_ROOT);

	c->session = str_of(root != NULL ? root : fact(c->facts, FACT_SESSION));
	c->root = hosts_session_id(c->session);
	if (c->root.n == 0)
		return fail_refuse(fail, "no_session",
				   "no root session: set CTX_SESSION, or "
				   "CTX_CONTEXT_ROOT where another session's "
				   "state is meant");
	if (add_state_folder(&c->path, c->facts, fail) != 0)
		return -1;
	buf_addc(&c->path, '/');
	add_root_folder(&c->path, c->root);
	return 0;
}

static int
find_agent(struct context *c, struct fail *fail)
{
	const char *name = fact(c->facts, FACT_CONTEXT_AGENT), *fault;

	c->agent = name == NULL ? STR(AGENTS_ROOT) : str_of(name);
	fault = agents_fault(c->agent);
	return fault == NULL ? 0 : agents_refuse_bad(c->agent, fault, fail);
}

int
context_name_agent(const struct context *c, struct str given, struct buf *out,
		   struct fail *fail)
{
	size_t start = out->len;

	if (given.s == NULL)
		buf_add_str(out, c->agent);
	else if (agents_resolve(out, given, c->agent, "agent_name", fail) != 0)
		return -1;
	return agents_require(&c->agents, str_from(buf_str(out), start), fail);
}

/* ---- files ------------------------------------------------------------- */

static int
fail_folder(const struct context *c, const char *what, struct fail *fail)
{
	return fail_environment(fail, "%s %s: %s", what, c->path.data,
				errno == EWOULDBLOCK
					? "somebody else has it locked"
					: strerror(errno));
}

static int
open_folder(struct context *c, enum context_access access, struct fail *fail)
{
	int64_t deadline;
	int rc;

	if (access == CONTEXT_WRITE)
		c->dir = tree_make_root(c->path.data);
	else
		c->dir = open(c->path.data, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (c->dir < 0 && access == CONTEXT_READ && errno == ENOENT)
		return 0;
	if (c->dir < 0)
		return fail_folder(c, "cannot open", fail);
	if (access == CONTEXT_WRITE)
		c->lock = openat(c->dir, "lock",
				 O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
				 0600);
	else
		c->lock = openat(c->dir, "lock",
				 O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (c->lock < 0)
		return access == CONTEXT_READ && errno == ENOENT
			       ? 0
			       : fail_folder(c, "cannot lock", fail);
	deadline = clock_monotonic_ms() + LOCK_MS;
	rc = access == CONTEXT_WRITE ? lock_exclusive(c->lock, deadline)
				     : lock_shared(c->lock, deadline);
	return rc == 0 ? 0 : fail_folder(c, "cannot lock", fail);
}

/* A registry that cannot be read is never taken for an empty one. */
static int
load_agents(struct context *c, struct fail *fail)
{
	struct buf json = BUF_INIT;
	int rc = 0, found = 0;

	agents_init(&c->agents, c->session);
	if (c->dir >= 0)
		found = state_read(c->dir, AGENTS_FILE, STATE_MAX_BYTES, &json);
	if (found < 0)
		rc = fail_environment(fail, "%s/" AGENTS_FILE ": %s",
				      c->path.data, strerror(errno));
	else if (found > 0 && !agents_parse(&c->agents, buf_str(&json)))
		rc = fail_environment(fail,
				      "%s/" AGENTS_FILE ": no registry of "
				      "agents; it is left as it is",
				      c->path.data);
	buf_release(&json);
	return rc;
}

/* What is not a valid state is none: the branch tells, then (7.3). */
static int
load_life(struct context *c, struct fail *fail)
{
	int found = 0;

	if (notebook_open(&c->own, c->dir, c->agent, fail) != 0)
		return -1;
	if (c->own.dir >= 0)
		found = state_read(c->own.dir, WINDOW_FILE, STATE_MAX_BYTES,
				   &c->held);
	if (found < 0 && (errno == EACCES || errno == EIO))
		return fail_folder(c, "cannot read " WINDOW_FILE " in", fail);
	c->valid = found > 0 && life_json_read(&c->life, c->root, c->agent,
					       buf_str(&c->held));
	return 0;
}

static void
init(struct context *c)
{
	c->dir = c->lock = -1;
	c->own = (struct notebook){ .dir = -1,
				    .notes = -1,
				    .ledger = LEDGER_INIT };
	c->agents = (struct agents){ 0 };
	c->valid = false;
	decide_init(&c->life);
	buf_init(&c->held, BUF_UNLIMITED);
}

static void
unload(struct context *c)
{
	notebook_close(&c->own);
	agents_release(&c->agents);
	decide_release(&c->life);
	buf_release(&c->held);
	/* The lock goes last: it covers all that was read. */
	if (c->dir >= 0)
		close(c->dir);
	if (c->lock >= 0)
		close(c->lock);
}

int
context_begin(struct context *c, const struct facts *facts, struct buf *remarks,
	      struct fail *fail)
{
	*c = (struct context){ .facts = facts,
			       .remarks = remarks,
			       .path = BUF_INIT };
	init(c);
	if (policy_read(&c->policy, facts, remarks, fail) != 0 ||
	    facts_now_ms(facts, &c->now_ms, fail) != 0 ||
	    find_root(c, fail) != 0)
		return -1;
	return find_agent(c, fail);
}

int
context_load(struct context *c, enum context_access access, struct fail *fail)
{
	if (open_folder(c, access, fail) != 0 || load_agents(c, fail) != 0 ||
	    agents_require(&c->agents, c->agent, fail) != 0 ||
	    load_life(c, fail) != 0)
		return -1;
	c->config = policy_for(&c->policy, buf_str(&c->life.model));
	return 0;
}

int
context_open(struct context *c, const struct facts *facts, struct buf *remarks,
	     enum context_access access, struct fail *fail)
{
	if (context_begin(c, facts, remarks, fail) != 0)
		return -1;
	return context_load(c, access, fail);
}

int
context_reopen(struct context *c, struct fail *fail)
{
	unload(c);
	init(c);
	return context_load(c, CONTEXT_WRITE, fail);
}

void
context_close(struct context *c)
{
	unload(c);
	policy_release(&c->policy);
	buf_release(&c->path);
}

struct decision
context_decide(struct context *c, const struct life_event *event,
	       struct evidence *evidence)
{
	evidence->valid = c->valid;
	c->valid = true;
	return decide(&c->life, event, &c->config, evidence);
}

int
context_store(struct context *c, struct fail *fail)
{
	struct buf json = BUF_INIT;
	int rc = 0;

	life_json_write(&c->life, c->root, c->agent, &json);
	if (!str_eq(buf_str(&json), buf_str(&c->held))) {
		rc = notebook_make(&c->own, c->dir, fail);
		if (rc == 0)
			rc = state_replace(c->own.dir, WINDOW_FILE,
					   buf_str(&json), fail);
		if (rc == 0) {
			buf_reset(&c->held);
			buf_add_str(&c->held, buf_str(&json));
		}
	}
	buf_release(&json);
	return rc;
}

int
context_store_agents(struct context *c, struct fail *fail)
{
	struct buf json = BUF_INIT;
	int dir = openat(c->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc;

	if (dir < 0) {
		rc = fail_folder(c, "cannot open", fail);
	} else {
		agents_json(&c->agents, &json);
		buf_addc(&json, '\n');
		rc = state_replace(dir, AGENTS_FILE, buf_str(&json), fail);
		close(dir);
	}
	buf_release(&json);
	return rc;
}

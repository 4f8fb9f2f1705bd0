#ifndef HOST_FACTS_H
#define HOST_FACTS_H

#include "mcp/call_facts.h"
#include "mcp/talk.h"
#include "tool/facts.h"

/*
 * What the host says of the session (spec/hosts.md section 7), and the
 * environment that a tool's program gets for one call.
 */
struct host_facts {
	const struct facts *given; /* variables and options of the server */
	char *session;		   /* known of Claude Code, or NULL */
	char *project;		   /* CLAUDE_PROJECT_DIR, if it is there */
	char *root;		   /* the client's first root, or NULL */
	const char **inherited;	   /* the environment but for facts */
	size_t inherited_n;
};

void host_facts_init(struct host_facts *h, const struct facts *given,
		     struct talk *talk);
void host_facts_release(struct host_facts *h);

/*
 * The environment of a call: its variables are added to pool, and the array,
 * which the caller frees, points there and into h.
 */
char **host_facts_environment(const struct host_facts *h,
			      const struct call_facts *c, struct buf *pool);

/* Whether a working directory is known without asking for roots. */
bool host_facts_have_cwd(const struct host_facts *h,
			 const struct call_facts *c);

/* The client's roots, as it answered; empty: it has none. */
void host_facts_set_roots(struct host_facts *h, struct str result);

#endif /* HOST_FACTS_H */

#ifndef HOST_FACTS_H
#define HOST_FACTS_H

#include "mcp/client.h"
#include "mcp/live_session.h"
#include "mcp/talk.h"
#include "tool/facts.h"

/*
 * Host facts of a call (spec/hosts.md section 7): what the call says of itself,
 * what the server was given, and what the host is known to say; and the
 * environment that the tool's program gets from them.
 */

/* What a call says of itself. */
struct call_said {
	struct client client;
	char *said[FACT_COUNT]; /* ctxtools/facts */
	char *session, *model;	/* known of Codex, or NULL */
	char *tool_use;		/* its id, known of Claude Code, or NULL */
};

/*
 * Reads params._meta (an object, or empty).  0, or -1 with FAIL_INVALID when
 * ctxtools/facts is malformed.  To be released in either case.
 */
int host_facts_read_call(struct call_said *c, struct str meta,
			 struct talk *talk, struct fail *fail);
void host_facts_release_call(struct call_said *c);

/* What holds for all calls of the process. */
struct host_facts {
	const struct facts *given; /* variables and options of the server */
	struct clients clients;
	struct live_session live; /* the one that a host is in by now */
	char *project;		  /* CLAUDE_PROJECT_DIR, if it is there */
	char *root;		  /* the client's first root, or NULL */
	const char **inherited;	  /* the environment but for facts */
	size_t inherited_n;
};

void host_facts_init(struct host_facts *h, const struct facts *given,
		     struct talk *talk);
void host_facts_release(struct host_facts *h);

/*
 * Whether the session of a call has to be looked for: no fact of higher rank
 * says it, and the host's transcripts may tell it.
 */
bool host_facts_want_live(const struct host_facts *h,
			  const struct call_said *c);

/*
 * Looks for it: false when no transcript tells it (yet).  tool is the name of
 * the one that is called, arguments an object.
 */
bool host_facts_find_live(struct host_facts *h, struct call_said *c,
			  struct str tool, struct str arguments,
			  struct talk *talk);

/* Whether it may be told later. */
bool host_facts_may_find_later(const struct host_facts *h,
			       const struct call_said *c);

/*
 * The environment of a call: its variables are added to pool, and the array,
 * which the caller frees, points there and into h.
 */
char **host_facts_environment(const struct host_facts *h,
			      const struct call_said *c, struct buf *pool);

/* Whether a working directory is known without asking for roots. */
bool host_facts_have_cwd(const struct host_facts *h, const struct call_said *c);

/*
 * The client's roots, as it answered: the first one that is a directory here
 * is the working directory.  Empty: it has none.
 */
void host_facts_set_roots(struct host_facts *h, struct str result);

/*
 * The path of a file: URI of this machine, into path.  False for any other URI,
 * and when it holds a control character.
 */
bool host_facts_uri_path(struct str uri, struct buf *path);

#endif /* HOST_FACTS_H */

#ifndef CONTEXT_CONTEXT_H
#define CONTEXT_CONTEXT_H

#include "context/agents.h"
#include "context/decide.h"
#include "context/notebook.h"
#include "context/policy.h"
#include "tool/facts.h"

/*
 * What every program of this family works in: the settings, the root session
 * and its folder, who the current agent is, and the state of its window
 * (spec/context.md sections 1.1 and 8).
 */
enum context_access {
	CONTEXT_READ, /* locked against changes, if there is anything */
	CONTEXT_WRITE /* locked for changes, and made if need be */
};

struct context {
	const struct facts *facts;
	struct buf *remarks;
	int64_t now_ms;
	struct policy policy;
	struct life_config config; /* for the model of `life` */

	struct str session; /* the root session, as it is named */
	struct str root;    /* its id */
	struct str agent;   /* the current one, registered */
	struct buf path;    /* of the folder */
	int dir, lock;	    /* -1: there is none, and nothing to lock */
	struct agents agents;

	struct notebook own; /* the notes of the agent */
	struct life life;
	bool valid;	 /* there was a state; else life is an empty one */
	struct buf held; /* window.json as it was read */
};

/*
 * What is known without looking: settings, root session, agent.  -1 with
 * no_session, bad_agent, or FAIL_ENVIRONMENT.  context_close() in any case.
 */
int context_begin(struct context *c, const struct facts *facts,
		  struct buf *remarks, struct fail *fail);

/*
 * The rest, with the state of the agent.  -1 with unknown_agent, or
 * FAIL_ENVIRONMENT (a lock that is not had within 10 s, or files that cannot
 * be read).
 */
int context_load(struct context *c, enum context_access access,
		 struct fail *fail);

/* Both. */
int context_open(struct context *c, const struct facts *facts,
		 struct buf *remarks, enum context_access access,
		 struct fail *fail);
void context_close(struct context *c);

/*
 * Opens it anew, for changes, when it was open for reading; nothing that was
 * taken from it before holds.
 */
int context_reopen(struct context *c, struct fail *fail);

/* decide() on the state; evidence->valid is filled in here. */
struct decision context_decide(struct context *c,
			       const struct life_event *event,
			       struct evidence *evidence);

/* Stores the state where it differs from what was read. */
int context_store(struct context *c, struct fail *fail);

/* Stores the registry. */
int context_store_agents(struct context *c, struct fail *fail);

/*
 * The canonical name that a parameter means, registered; absent (s is NULL):
 * the current agent.  Adds it to out.  -1 as agents_resolve() and
 * agents_require().
 */
int context_name_agent(const struct context *c, struct str given,
		       struct buf *out, struct fail *fail);

#endif /* CONTEXT_CONTEXT_H */

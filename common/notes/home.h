#ifndef NOTES_HOME_H
#define NOTES_HOME_H

#include "base/beneath.h"
#include "notes/identity.h"

/* The homes of notes under the root (spec/notes.md section 2). */
enum home_kind {
	HOME_SESSION,
	HOME_PROJECT,
	HOME_HUMAN,
	HOME_SELF,  /* this agent's */
	HOME_MODEL, /* this model's */
	HOME_OTHER_AGENT,
	HOME_OTHER_MODEL
};

struct home {
	enum home_kind kind;
	char *directory; /* relative to the root: "agents/ana-bot" */
	char *label;	 /* "session", "@project", "@agents/bob" */
	char *prefix;	 /* of its addresses: "", "@project/" */
};

#define HOME_INIT                  \
	{                          \
		.kind = HOME_HUMAN \
	}

/*
 * The home of that kind.  slug names another agent or model; the own one's
 * slug gives HOME_SELF or HOME_MODEL.  HOME_SESSION needs who->session.
 */
void home_init(struct home *home, enum home_kind kind, struct str slug,
	       const struct identity *who);
void home_release(struct home *home);

/* Whether this identity may write there. */
static inline bool
home_is_own(const struct home *home)
{
	return home->kind <= HOME_MODEL;
}

/*
 * The notes root, which may be reached through links: a descriptor fit as
 * the `dir` of beneath_open(); -1 with errno, ENOENT when there is none yet.
 * home_make_root() creates it, with its parents, as 0700, and syncs.
 */
int home_open_root(const struct identity *who);
int home_make_root(const struct identity *who);

/*
 * The home's directory below an open root; never through a link.  -1 with
 * errno: ENOENT when it does not exist, ELOOP or ENOTDIR with *fault (whose
 * offsets are into home->directory) when something else stands there.
 */
int home_open(int root, const struct home *home, struct beneath_fault *fault);
int home_make(int root, const struct home *home, struct beneath_fault *fault);

#endif /* NOTES_HOME_H */

#ifndef CONTEXT_AGENTS_H
#define CONTEXT_AGENTS_H

#include "base/buf.h"
#include "tool/fail.h"

/*
 * The agents of a root session: their names, and the registry that tells whose
 * transcript is whose (spec/context.md section 2).
 */
#define AGENTS_NAME_BYTES 120
#define AGENTS_MOST 256
#define AGENTS_ROOT "/root"

struct agent {
	char *name; /* canonical */
	char *session;
	char *session_file; /* NULL: none */
};

/* By name, in byte order, so that /root is first; it is always there. */
struct agents {
	struct agent *v;
	size_t n, cap;
};

/* ---- names ------------------------------------------------------------- */

/*
 * What a canonical name must not be, in words; NULL when it is one.  Static.
 */
const char *agents_fault(struct str name);

/* The refusal bad_agent for it. */
int agents_refuse_bad(struct str name, const char *fault, struct fail *fail);

/*
 * Adds the canonical name that `given` stands for below the agent `current`.
 * -1 with bad_agent; or, where nothing but blanks is given, FAIL_INVALID
 * naming the parameter `field`.
 */
int agents_resolve(struct buf *out, struct str given, struct str current,
		   const char *field, struct fail *fail);

/* ---- the registry ------------------------------------------------------ */

/* /root alone, bound to `session`. */
void agents_init(struct agents *a, struct str session);
void agents_release(struct agents *a);

/*
 * Takes what agents.json holds, in place of what there is.  False when it is
 * not a registry: its reader says so and keeps the file.
 */
bool agents_parse(struct agents *a, struct str json);
void agents_json(const struct agents *a, struct buf *out);

/* NULL: not registered. */
const struct agent *agents_find(const struct agents *a, struct str name);

/* 0, or -1 with unknown_agent, which lists who is registered. */
int agents_require(const struct agents *a, struct str name, struct fail *fail);

/*
 * Binds a name; session_file may be NULL.  *created: it is new.  -1 with
 * unknown_agent (of the parent) or limit_reached.
 */
int agents_bind(struct agents *a, struct str name, struct str session,
		const char *session_file, bool *created, struct fail *fail);

/* The agent's folder in the state: /root/a is root.a. */
void agents_folder(struct buf *out, struct str name);

#endif /* CONTEXT_AGENTS_H */

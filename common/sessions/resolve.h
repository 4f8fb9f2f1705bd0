#ifndef SESSIONS_RESOLVE_H
#define SESSIONS_RESOLVE_H

#include "sessions/corpus.h"
#include "tool/declare.h"
#include "tool/fail.h"

/*
 * Which file a selector means, and which one is the host's current session
 * (spec/history.md section 2.1).
 */

/*
 * The check that comes before all others: whether CTX_SESSION is set to what
 * cannot be a session id at all (spec/notes.md section 1), or there is nowhere
 * to look for sessions (2.2).  -1 with FAIL_ENVIRONMENT then.
 */
int resolve_check(const struct facts *facts, struct fail *fail);

/*
 * The parameter `session` of a call: where it is empty, a person typed the
 * call, and there is no current session, it is as if they had given ".".
 */
struct str resolve_parameter(const struct tool_call *call,
			     const struct arg_string *parameter);

/* Parses the parameter `session`.  -1 with invalid_session. */
int resolve_parse(struct str parameter, struct selector *selector,
		  struct fail *fail);

/* `cwd` and `agents` narrow many sessions, and with one they are invalid. */
int resolve_check_one(const struct arg_string *cwd, bool agents,
		      struct fail *fail);

/*
 * The parameter `cwd`, absolute and normalised, added to out.  -1 with
 * FAIL_ENVIRONMENT as facts_working_directory().
 */
int resolve_directory(const struct facts *facts, struct str cwd,
		      struct buf *out, struct fail *fail);

/*
 * The same where one session is needed: -1 with wildcard_read, too.  An empty
 * parameter is fine.
 */
int resolve_parse_one(struct str parameter, struct fail *fail);

/*
 * The file of the session that the parameter names; empty: the current one.
 * Fills the corpus, which *file points into; *current: it is the current
 * one.  The parameter is in the grammar, and no wildcard.  -1 with a refusal.
 */
int resolve_session(struct corpus *corpus, struct str parameter,
		    const struct corpus_file **file, bool *current,
		    struct fail *fail);

/*
 * The id of the file of a host that CTX_SESSION_FILE names, when its first
 * record tells `told`: that; when it tells nothing, what the file's path does;
 * else the file's stem.  Empty when none of them is an id.
 */
struct str resolve_own_id(const struct host *host, struct str told,
			  const char *path);

/* The part of a file's name before its last dot, directories left out. */
struct str resolve_stem(struct str path);

/*
 * Lists the sessions that a wildcard stands for; the file that
 * CTX_SESSION_FILE names is among them.  *current: the current session where
 * it is one of them, else NULL.
 */
void resolve_wildcard(struct corpus *corpus, const struct selector *wildcard,
		      const struct corpus_file **current);

/* The refusal for a file that turns out not to be there. */
int resolve_refuse_unknown(const struct corpus *c, struct str parameter,
			   struct fail *fail);

#endif /* SESSIONS_RESOLVE_H */

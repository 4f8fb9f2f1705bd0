#ifndef CONTEXT_VIRTUAL_PATH_H
#define CONTEXT_VIRTUAL_PATH_H

#include "base/buf.h"
#include "tool/fail.h"

/*
 * Paths of notes (spec/context.md sections 3.1 and 3.2).  They are virtual:
 * `plan.md` is in the current agent's own notes, `/root/a/notes/plan.md` in
 * those of /root/a; no path of the file system is ever one.
 */
#define VIRTUAL_PATH_BYTES 512 /* below notes/ */
#define VIRTUAL_PATH_COMPONENTS 64
#define VIRTUAL_PATH_TEMPORARY ".ctx-tmp-" /* begins no component */

struct virtual_path {
	struct buf agent;    /* canonical name, in the grammar */
	struct buf relative; /* below notes/; of a prefix it may be empty */
};
#define VIRTUAL_PATH_INIT          \
	{                          \
		BUF_INIT, BUF_INIT \
	}
void virtual_path_release(struct virtual_path *p);

/*
 * What a file is called.  p comes empty.  -1 with bad_path, whose message
 * quotes the path and names the broken rule.  Whether the agent is registered
 * is not asked.
 */
int virtual_path_parse(struct virtual_path *p, struct str path,
		       struct str current, struct fail *fail);

/* The same for a prefix, a string prefix of canonical paths. */
int virtual_path_parse_prefix(struct virtual_path *p, struct str prefix,
			      struct str current, struct fail *fail);

/* Adds <agent>/notes/<relative>. */
void virtual_path_canonical(struct buf *out, struct str agent,
			    struct str relative);

/*
 * Whether something below notes/ is called as a note file (or a folder of
 * one) may be.
 */
bool virtual_path_is_legal(struct str relative);

#endif /* CONTEXT_VIRTUAL_PATH_H */

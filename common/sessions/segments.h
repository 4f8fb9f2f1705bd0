#ifndef SESSIONS_SEGMENTS_H
#define SESSIONS_SEGMENTS_H

#include "sessions/corpus.h"
#include "transcript/chain.h"

/*
 * A session's transcript with all the files that it is made of (spec/history.md
 * section 2.5): most are one file, and *chain stays empty.
 *
 * bases: where files of other threads are looked for that the corpus does not
 * hold, since only some ids were wanted; an initialised corpus that is filled
 * when it is needed.  NULL: the corpus holds all.
 *
 * NULL with errno as corpus_open(), when the session's own file cannot be
 * opened.  chain_release() in any case, when the source is closed.
 */
struct source *segments_open(const struct corpus *c, struct corpus *bases,
			     struct corpus_opener *opener,
			     const struct corpus_file *file,
			     struct chain *chain);

#endif /* SESSIONS_SEGMENTS_H */

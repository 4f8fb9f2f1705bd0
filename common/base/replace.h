#ifndef REPLACE_H
#define REPLACE_H

#include <sys/types.h>

#include "base/str.h"

/*
 * Stores bytes as dir/name so that a kill at any instant leaves the old file
 * or the new one: written to dir/temporary (a leftover of that name is
 * removed; the caller holds a lock that makes it the only user), synced,
 * renamed over name, and dir synced.  0 when all that is durable; else -1
 * with errno, the temporary file removed.  *landed (may be NULL) tells
 * whether the rename was done, whatever happened after it.
 */
int replace_file(int dir, const char *name, const char *temporary,
		 struct str bytes, mode_t mode, bool *landed);

#endif /* REPLACE_H */

#ifndef PATH_H
#define PATH_H

#include "base/buf.h"

/*
 * Paths by text: no file system is asked, no link resolved.
 */

/*
 * Adds the absolute form of path to out: joined to base (itself absolute)
 * when relative, with ".", "..", doubled and trailing slashes removed.  "/"
 * stays "/", and nothing climbs above it.
 */
void path_resolve(struct buf *out, struct str base, struct str path);

/* The process's working directory, added to out; -1 with errno without one. */
int path_working_directory(struct buf *out);

/* What follows the last slash of an absolute, normalised path; "" of "/". */
struct str path_last(struct str path);

/* Without its last component: "/" of "/a" and of "/". */
struct str path_parent(struct str path);

#endif /* PATH_H */

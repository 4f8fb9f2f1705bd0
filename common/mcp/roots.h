#ifndef ROOTS_H
#define ROOTS_H

#include <stdbool.h>

#include "base/buf.h"

/*
 * The first root of a result of roots/list that is a directory of this
 * machine (spec/hosts.md section 7): its path is put into path.
 */
bool roots_directory(struct str result, struct buf *path);

/*
 * The absolute path that a file URI names, percent-decoded.  False for any
 * other URI, a host but localhost, a %00, a control character, or a relative
 * path.
 */
bool roots_path(struct str uri, struct buf *path);

#endif /* ROOTS_H */

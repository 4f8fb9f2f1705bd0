#ifndef OUTPUT_PLACE_H
#define OUTPUT_PLACE_H

#include "base/buf.h"
#include "tool/declare.h"

/*
 * Files of this family (spec/output.md section 1): relative paths start in
 * CTX_CWD, else in the working directory.
 */

/* Adds the absolute path.  0, or -1 with FAIL_ENVIRONMENT. */
int place_resolve(struct buf *out, const struct facts *facts, const char *path,
		  struct fail *fail);

/*
 * Opens a regular file to be read, through links; names the path in what it
 * refuses: not_found, not_file.  The descriptor, or -1.
 */
int place_open(const struct facts *facts, const char *path, struct fail *fail);

/*
 * Adds where spilled output is kept: the directory that is given, else
 * $CTX_STATE_DIR/.output.
 */
int place_spill(struct buf *out, const struct facts *facts,
		const struct arg_string *given, struct fail *fail);

#endif /* OUTPUT_PLACE_H */

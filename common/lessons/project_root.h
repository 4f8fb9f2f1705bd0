#ifndef PROJECT_ROOT_H
#define PROJECT_ROOT_H

#include "base/buf.h"
#include "tool/fail.h"

/*
 * Adds the scope of a working directory to out: the real path of the checkout
 * that holds it, the main one for a linked worktree, else of the directory
 * itself (spec/lessons.md section 2.2).  git is not run and its variables are
 * not read.  -1 with FAIL_REFUSED: `invalid_cwd` where cwd is not a directory,
 * `bad_project` naming the .git path where that cannot be followed.
 */
int project_root(const char *cwd, struct buf *out, struct fail *fail);

#endif /* PROJECT_ROOT_H */

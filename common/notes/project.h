#ifndef NOTES_PROJECT_H
#define NOTES_PROJECT_H

#include "base/buf.h"

/*
 * Adds the root of the project that directory (absolute, normalised) lies in
 * to out: the nearest directory up from it that has a `.git`, or the main
 * checkout of a linked worktree; directory itself without any
 * (spec/notes.md section 1.2).
 */
void project_root(struct buf *out, struct str directory);

/* Adds the key of a project root to out, by its bytes alone. */
void project_key(struct buf *out, struct str root);

#endif /* NOTES_PROJECT_H */

#ifndef CONTEXT_STATE_H
#define CONTEXT_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "tool/fail.h"

/*
 * The files in which the state of a root session is kept (spec/context.md
 * section 8): how each of them is stored whole, and what a kill may leave.
 */

/* A name for a temporary file, unlike any other. */
#define STATE_TEMPORARY_SIZE 64
void state_temporary(char out[STATE_TEMPORARY_SIZE]);
bool state_is_temporary(const char *name);

/*
 * Stores the file name in dir, whole and durably.  -1 with FAIL_ENVIRONMENT
 * that names the file.
 */
int state_replace(int dir, const char *name, struct str bytes,
		  struct fail *fail);

/*
 * Reads a file in dir, up to max bytes, into out.  1; 0 when there is none; -1
 * with errno.
 */
int state_read(int dir, const char *name, size_t max, struct buf *out);

/* Removes the temporary files anywhere below dir that are over an hour old. */
void state_sweep(int dir, int64_t now_ms);

#endif /* CONTEXT_STATE_H */

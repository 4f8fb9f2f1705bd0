#ifndef NEW_FILE_H
#define NEW_FILE_H

#include "base/str.h"
#include "tool/fail.h"

/*
 * Writes a document to a file that is not there yet, 0600 and durable; no link
 * is followed.  -1 with FAIL_REFUSED: `exists`, or `unwritable`, and then
 * there is no such file.
 */
int new_file(const char *path, struct str bytes, struct fail *fail);

#endif /* NEW_FILE_H */

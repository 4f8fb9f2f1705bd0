#ifndef HISTORY_RECORD_H
#define HISTORY_RECORD_H

#include <stdbool.h>

#include "base/str.h"

/*
 * Whether a line is a well-formed record (spec/history.md section 3.1); its
 * object then, without white space around it.
 */
bool record_parse(struct str line, struct str *object);

#endif /* HISTORY_RECORD_H */

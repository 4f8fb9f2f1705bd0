#ifndef TRANSCRIPT_RECORD_H
#define TRANSCRIPT_RECORD_H

#include <stdbool.h>

#include "base/str.h"

/*
 * Whether a line is a well-formed record (spec/history.md section 3.1); its
 * object then, without white space around it.
 */
bool record_parse(struct str line, struct str *object);

#endif /* TRANSCRIPT_RECORD_H */

#ifndef TRANSCRIPT_FIRST_H
#define TRANSCRIPT_FIRST_H

#include "transcript/lines.h"

/*
 * The first well-formed record of a source, which says whose transcript it is
 * (spec/history.md section 2.3).  lines is initialised by it and released by
 * the caller, from whom *record borrows.  False when there is none, or on an
 * I/O error.
 */
bool first_record(struct lines *lines, struct source *source,
		  struct str *record);

#endif /* TRANSCRIPT_FIRST_H */

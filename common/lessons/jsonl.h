#ifndef LESSONS_JSONL_H
#define LESSONS_JSONL_H

#include "lessons/sql.h"

/*
 * Reading a copy of all tables (spec/lessons.md section 9.4) into a store
 * that has nothing yet; in a write transaction of the caller's, which it
 * rolls back when this fails.  `bad_import` names the line.
 */
int jsonl_read(struct sql *s, struct str text, int64_t *records,
	       struct fail *fail);

#endif /* LESSONS_JSONL_H */

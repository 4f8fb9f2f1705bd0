#ifndef LESSON_FIELDS_H
#define LESSON_FIELDS_H

#include "base/json_write.h"
#include "lessons/lesson.h"
#include "tool/declare.h"

/*
 * A lesson in results and documents: the members in the order of
 * spec/lessons.md section 9.1.
 */
extern const struct field lesson_fields[];

/* Writes them into an object that is open. */
void lesson_members(struct json_writer *w, const struct lesson *l);

#endif /* LESSON_FIELDS_H */

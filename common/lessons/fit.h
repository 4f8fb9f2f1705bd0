#ifndef LESSONS_FIT_H
#define LESSONS_FIT_H

#include "tool/declare.h"

/*
 * Leaves rows of a list out, from its end, until both surfaces of the result
 * that holds it fit.
 */

/*
 * The list is a page of `total` rows, from `offset` on: *next is where the
 * one after it begins, FIELD_NONE behind the last.
 */
void fit_page(const struct tool *tool, void *result, struct field_list *list,
	      int64_t offset, int64_t total, int64_t *next);

/* *omitted is how many of `total` rows are not shown. */
void fit_rows(const struct tool *tool, void *result, struct field_list *list,
	      int64_t total, int64_t *omitted);

#endif /* LESSONS_FIT_H */

#ifndef LESSONS_MARKDOWN_H
#define LESSONS_MARKDOWN_H

#include "lessons/keep.h"
#include "lessons/settings.h"

/*
 * Reading a list of lessons from Markdown (spec/lessons.md section 9.4).
 */
#define MARKDOWN_ITEMS_MAX 500
#define MARKDOWN_ERRORS 20

struct markdown {
	struct keep keep;
	struct str *items; /* trimmed */
	size_t n, cap;
	struct buf errors; /* `line N: ...`, at most MARKDOWN_ERRORS of them */
	size_t errors_n;
};

void markdown_init(struct markdown *m);
void markdown_release(struct markdown *m);

/* Any bytes.  What is wrong is in m->errors. */
void markdown_read(struct markdown *m, struct str text,
		   const struct limits *limits);

#endif /* LESSONS_MARKDOWN_H */

#ifndef LESSONS_CHECK_H
#define LESSONS_CHECK_H

#include "lessons/desk.h"

/* lessons-check (spec/lessons.md section 9.4). */
#define CHECK_PROBLEMS_MAX 100
extern const char *const check_names[];

struct check_problem {
	int check;
	struct str message;
};

struct lessons_check_result {
	struct keep keep;
	bool ok;
	struct field_list checks;   /* struct str */
	struct field_list problems; /* struct check_problem */
	int64_t lessons, candidates, omitted;
	size_t found; /* problems in all */
};

int lessons_check_run(const struct tool_call *call, void *result,
		      struct fail *fail);
void lessons_check_text(const void *result, struct buf *out);

#endif /* LESSONS_CHECK_H */

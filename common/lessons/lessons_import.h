#ifndef LESSONS_IMPORT_H
#define LESSONS_IMPORT_H

#include "lessons/desk.h"

/* lessons-import (spec/lessons.md section 9.4). */
struct lessons_import_args {
	struct arg_string file, expect_sha256;
	struct arg_enum format;
	struct arg_boolean global, dry_run;
};

struct lessons_import_result {
	struct keep keep;
	int format;
	struct str sha256, scope; /* scope.s NULL: all of them */
	int64_t items, added, skipped;
	bool dry_run;
};

int lessons_import_run(const struct tool_call *call, void *result,
		       struct fail *fail);
void lessons_import_text(const void *result, struct buf *out);

#endif /* LESSONS_IMPORT_H */

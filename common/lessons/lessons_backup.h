#ifndef LESSONS_BACKUP_H
#define LESSONS_BACKUP_H

#include "lessons/desk.h"

/* lessons-backup (spec/lessons.md section 9.4). */
struct lessons_backup_args {
	struct arg_string directory;
};

struct lessons_backup_result {
	struct keep keep;
	struct str file;
	int64_t bytes;
};

int lessons_backup_run(const struct tool_call *call, void *result,
		       struct fail *fail);
void lessons_backup_text(const void *result, struct buf *out);

#endif /* LESSONS_BACKUP_H */

#ifndef LESSONS_RECALL_H
#define LESSONS_RECALL_H

#include "lessons/recall.h"

/* lessons-recall (spec/lessons.md section 9.3). */
enum recall_mode { RECALL_FULL, RECALL_UPDATE, RECALL_UNAVAILABLE };
extern const char *const recall_modes[];

struct lessons_recall_args {
	struct arg_string since;
	struct arg_enum hook;
};

struct lessons_recall_result {
	int mode;
	struct keep keep;
	struct str project;
	struct field_list gone; /* of struct str; v NULL: not an update */
	struct recall_section shown[RECALL_KINDS];
	struct field_list sections; /* of those */
	int64_t bytes;
	struct str reason; /* s NULL: none */
	struct buf text;
	struct buf path, next; /* the `since` file, and what is to be in it */
};

int lessons_recall_run(const struct tool_call *call, void *result,
		       struct fail *fail);
void lessons_recall_text(const void *result, struct buf *out);
int lessons_recall_printed(const struct tool_call *call, void *result,
			   struct fail *fail);
void lessons_recall_release(void *result);

#endif /* LESSONS_RECALL_H */

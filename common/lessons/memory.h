#ifndef MEMORY_H
#define MEMORY_H

#include "lessons/desk.h"
#include "lessons/lesson.h"
#include "lessons/parameters.h"

/* memory: an agent submits, replaces or archives (spec/lessons.md section 4). */
enum memory_action { MEMORY_ADD, MEMORY_SUPERSEDE, MEMORY_ARCHIVE };
extern const char *const memory_actions[];

struct memory_args {
	struct arg_enum action, basis;
	struct arg_integer id;
	struct arg_string text, evidence, reason;
};

/* What an answer is about, and so which fields it has. */
enum memory_shape {
	MEMORY_STAGED,
	MEMORY_SUPERSEDED,
	MEMORY_ARCHIVED,
	MEMORY_SAVED /* of lessons-add */
};
extern const struct field *const memory_shapes[];

struct memory_result {
	int shape;
	struct keep keep;
	struct str status;
	struct str message;
	int64_t id;
	int64_t supersedes;    /* FIELD_NONE: it is not about that */
	int archived, changed; /* -1: it is not about that */
	struct str scope;
};

int memory_run(const struct tool_call *call, void *result, struct fail *fail);
void memory_text(const void *result, struct buf *out);
void memory_release(void *result);

/*
 * What memory and the programs for people share: finding the lesson with an id,
 * archiving it, replacing it.
 */
enum lookup {
	LOOKUP_MODEL, /* another scope's lesson does not exist */
	LOOKUP_NEAR,  /* it is `out_of_scope` */
	LOOKUP_ANY
};
int memory_find(struct desk *d, int64_t id, enum lookup lookup,
		struct lesson *lesson, struct fail *fail);
int memory_archive(struct desk *d, int64_t id, enum lookup lookup,
		   struct str reason, struct memory_result *r,
		   struct fail *fail);
int memory_supersede(struct desk *d, int64_t id, enum lookup lookup,
		     struct new_lesson *n, struct str reason,
		     struct memory_result *r, struct fail *fail);

#endif /* MEMORY_H */

#ifndef LESSON_H
#define LESSON_H

#include "lessons/keep.h"
#include "lessons/origin.h"
#include "lessons/sql.h"

/*
 * Lessons and what happened to them (spec/lessons.md sections 2 and 3.3).  A
 * lesson is never edited: it is archived, superseded by another, or moved to
 * another scope with its whole chain.  Everything that changes one runs in a
 * write transaction of the caller's, and adds its activity there.
 */
enum basis { BASIS_LEARNING, BASIS_FIX, BASIS_REQUEST, BASIS_IMPORT };
extern const char *const lesson_bases[]; /* without import */
const char *lesson_basis(enum basis b);

struct lesson {
	int64_t id;
	struct str scope, text, evidence, basis, harness;
	struct str session; /* s NULL: null */
	int64_t created_at, updated_at, revision;
	bool archived;
	int64_t archived_at, supersedes; /* FIELD_NONE: null */
};

/* In the order that lesson_take() reads, for SELECT. */
#define LESSON_COLUMNS                                                       \
	"id, scope, text, evidence, basis, source_harness, source_session, " \
	"created_at, updated_at, revision, archived, archived_at, "          \
	"supersedes_id "

void lesson_take(const struct query *q, struct keep *keep, struct lesson *l);

/* By id: 1, 0 or -1. */
int lesson_get(struct sql *s, int64_t id, struct keep *keep,
	       struct lesson *lesson, struct fail *fail);

/* The id of the lesson that replaced one: 1, 0 or -1. */
int lesson_successor(struct sql *s, int64_t id, int64_t *successor,
		     struct fail *fail);

/* The active lesson with this key in a scope: 1, 0 or -1. */
int lesson_active(struct sql *s, struct str scope, const char *key, int64_t *id,
		  struct fail *fail);

/*
 * Goes from a scope, "" before all, to the next in the order of bytes, of
 * those that have lessons: 1, 0 or -1.
 */
int lesson_next_scope(struct sql *s, struct buf *scope, struct fail *fail);

/* Who does it, when, and why (s NULL: not said). */
struct deed {
	const struct origin *origin;
	int64_t now;
	struct str reason;
};

/* What is stored of a new lesson. */
struct new_lesson {
	struct str scope, text, evidence;
	enum basis basis;
};

/* Adds one, active at once; *id is its id. */
int lesson_add(struct sql *s, const struct new_lesson *n,
	       const struct deed *deed, int64_t *id, struct fail *fail);

/*
 * Adds a successor of `old`, which must be active, and archives that.
 * `duplicate` where another active lesson of the scope has the wording.
 */
int lesson_supersede(struct sql *s, const struct lesson *old,
		     const struct new_lesson *n, const struct deed *deed,
		     int64_t *id, struct fail *fail);

/* Archives an active one. */
int lesson_archive(struct sql *s, const struct lesson *lesson,
		   const struct deed *deed, struct fail *fail);

/*
 * A scope can be changed between these two, in one transaction: they take the
 * trigger away that keeps lessons as they are, and put it back.
 */
int lesson_unlock_scope(struct sql *s, struct fail *fail);
int lesson_lock_scope(struct sql *s, struct fail *fail);

/*
 * Moves a lesson with its chain to another scope; *records tells how many
 * rows.  `duplicate` where an active one has its wording there.
 */
int lesson_move(struct sql *s, const struct lesson *lesson, struct str to,
		const struct deed *deed, int64_t *records, struct fail *fail);

/* The same of every lesson of a scope. */
int lesson_move_scope(struct sql *s, struct str from, struct str to,
		      const struct deed *deed, int64_t *records,
		      struct fail *fail);

#endif /* LESSON_H */

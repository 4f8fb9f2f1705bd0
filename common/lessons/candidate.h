#ifndef CANDIDATE_H
#define CANDIDATE_H

#include "lessons/lesson.h"

/*
 * Candidates: what agents submitted and nobody has published yet, and who
 * observed them (spec/lessons.md sections 2 and 4).
 */

/*
 * Stores a submission in a transaction of its own.  The same wording in the
 * same project is the same candidate; a repetition by one owner changes
 * nothing.  The caller learns nothing of either.
 */
int candidate_stage(struct sql *s, struct str project,
		    const struct new_lesson *n, const struct origin *origin,
		    struct str lineage, struct str reason, int64_t now,
		    struct fail *fail);

/* One that a session sees: its own first wording. */
struct own_candidate {
	int64_t id;
	struct str wording;
};

/*
 * The pending candidates of a project that a session observed, by id, the n
 * first; *total tells how many there are.  The number stored, or -1.
 */
long candidate_own(struct sql *s, struct str project, struct str session,
		   struct keep *keep, struct own_candidate *own, size_t n,
		   int64_t *total, struct fail *fail);

struct candidate_counts {
	int64_t pending, since_evaluation;
};
int candidate_counts(struct sql *s, struct candidate_counts *counts,
		     struct fail *fail);

#endif /* CANDIDATE_H */

#ifndef REVIEW_H
#define REVIEW_H

#include "lessons/desk.h"
#include "lessons/outcome.h"

/*
 * Reviews: what an agent proposed and a person decides (spec/lessons.md
 * section 6).  An audit changes active lessons; an evaluation publishes
 * candidates.
 */

/* ---- a proposal -------------------------------------------------------- */

struct audit;
struct evaluation;

/* A review that has a proposal, taken apart. */
struct review {
	struct staged staged;
	struct audit *audit;
	struct evaluation *evaluation;
};

/* Takes the stored texts apart. */
int review_load(struct review *r, const struct limits *limits,
		struct fail *fail);
void review_release(struct review *r);

/* How many changes or groups. */
size_t review_items(const struct review *r);

/* ---- deciding ---------------------------------------------------------- */

/*
 * Checks a decision against the review: `bad_decision`, `not_eligible`; the
 * review stays as it is.
 */
int review_check(const struct review *r, const struct decision *decision,
		 struct fail *fail);

/*
 * Carries it out: the review is closed first, then the lessons are changed,
 * then the outcome is stored for those who wait for it.
 */
int review_decide(struct desk *d, struct review *r,
		  const struct decision *decision, struct review_result *result,
		  struct fail *fail);

/*
 * Whether the review still is of this store, these limits and this epoch of
 * its session.  What does not match is `invalidated` and closes it, or
 * `no_matching_review`.  project.s NULL: it need not be the review's.
 */
int review_context(struct desk *d, const struct staged *staged,
		   struct str project, struct fail *fail);

/* Closes it and tells who waits that there is no such review any more. */
int review_drop(struct desk *d, const struct staged *staged, struct fail *fail);

/* `lessons-audit` or `lessons-evaluate`. */
const char *review_command(enum review_kind kind);

/* The message of exit status 3, with the program that decides. */
int review_pending(const struct staged *staged, struct fail *fail);

#endif /* REVIEW_H */

#ifndef SUBMIT_H
#define SUBMIT_H

#include "lessons/channel.h"
#include "lessons/review.h"

/*
 * How a proposal reaches a person (spec/lessons.md section 6): what
 * memory_audit and memory_evaluate share.
 */

/* An id that stands twice among them, which it sorts; 0: none does. */
int64_t submit_repeated(int64_t *ids, size_t n);

/*
 * Finds the open review that a submission is for, checks that it still holds,
 * and takes its snapshot apart.
 */
int submit_match(struct desk *d, enum review_kind kind, struct str id,
		 struct review *r, struct fail *fail);

/*
 * Submits the proposal, which r->audit or r->evaluation holds too, and asks;
 * or waits for another process to decide.
 */
int submit_ask(struct desk *d, struct review *r, struct str proposal,
	       const struct channel_args *args, struct review_result *result,
	       struct fail *fail);

/* Asks about a submitted review, and carries out what was said. */
int submit_ask_now(struct desk *d, struct review *r, struct channel *c,
		   struct review_result *result, struct fail *fail);

#endif /* SUBMIT_H */

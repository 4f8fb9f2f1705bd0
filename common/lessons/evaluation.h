#ifndef EVALUATION_H
#define EVALUATION_H

#include "lessons/outcome.h"
#include "lessons/snapshot.h"

/* Evaluations of candidates (spec/lessons.md section 7.3). */
struct evaluation_group {
	size_t *members; /* places in the snapshot, as submitted */
	size_t n;
	struct str text, evidence, reason;
	bool global, recommend;
	struct qualification qualification;
};

struct evaluation {
	struct keep keep;
	struct snapshot snapshot;
	struct str hash; /* what must not change */
	struct evaluation_group *groups;
	size_t n;
	struct qualifier *qualifier;
};

struct evaluation *evaluation_new(void);
void evaluation_free(struct evaluation *e);

/*
 * Reads the pool and discloses it to a lineage, in a write transaction of the
 * caller's; *exposed counts what is new in that.
 */
int evaluation_disclose(struct evaluation *e, struct sql *s, struct str lineage,
			int64_t now, int64_t *exposed, struct fail *fail);

/* What is stored of it, and back. */
void evaluation_snapshot(const struct evaluation *e, struct buf *out);
int evaluation_parse(struct evaluation *e, struct str text, struct fail *fail);

/* The document for the agent. */
void evaluation_document(const struct evaluation *e, const char *id,
			 const struct limits *limits, struct buf *out);

/*
 * Counts for every group.  The proposal as it is stored, and back.
 */
void evaluation_qualify(struct evaluation *e, const struct limits *limits);
void evaluation_proposal(const struct evaluation *e, struct buf *out);
int evaluation_parse_proposal(struct evaluation *e, struct str json,
			      struct fail *fail);

/* Where a group's lesson would be. */
struct str evaluation_scope(const struct evaluation *e,
			    const struct evaluation_group *g);

/* Whether a person may approve it. */
bool evaluation_may(const struct evaluation_group *g);

/* What the person reads of one group, with its text as it stands now. */
void evaluation_group_body(const struct evaluation *e, size_t group,
			   struct str text, struct buf *out);

/* Judgments and promotions in one transaction; `stale`, `not_eligible`. */
int evaluation_finish(const struct evaluation *e, struct sql *s,
		      const struct decision *decision, const struct deed *deed,
		      struct review_result *result, struct fail *fail);

#endif /* EVALUATION_H */

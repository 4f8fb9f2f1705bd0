#ifndef AUDIT_H
#define AUDIT_H

#include "lessons/outcome.h"

/* Audits of active lessons (spec/lessons.md section 7.1). */

/* An active lesson as the audit saw it. */
struct audited {
	struct lesson lesson;
	int64_t activity; /* its highest activity id */
};

struct audit_change {
	int64_t id;
	enum audit_action action;
	struct str reason;
	const struct audited *target;
};

struct audit {
	struct keep keep;
	struct audited *lessons; /* by scope, time and id */
	size_t n, cap;
	const struct audited **by_id;
	struct audit_change *changes;
	size_t changes_n;
};

struct audit *audit_new(void);
void audit_free(struct audit *a);

/*
 * Reads the active lessons of a project and of global, or of every scope; in
 * a transaction of the caller's.
 */
int audit_read(struct audit *a, struct sql *s, struct str project, bool all,
	       struct fail *fail);

/* The lessons as JSON of one line: scope to array. */
void audit_json(const struct audit *a, struct str project, bool staged,
		struct buf *out);
int audit_parse(struct audit *a, struct str json, struct fail *fail);

/* For how many scopes. */
size_t audit_scopes(const struct audit *a);

/*
 * The document for the agent.  id NULL: a report, with which nothing is
 * staged.
 */
void audit_document(const struct audit *a, const char *id, struct str project,
		    bool all, struct buf *out);

/* The lesson with an id, or NULL. */
const struct audited *audit_find(const struct audit *a, int64_t id);

/* The proposal as it is stored, and back. */
void audit_proposal(const struct audit *a, struct buf *out);
int audit_parse_proposal(struct audit *a, struct str json, struct fail *fail);

/* What the person reads. */
void audit_body(const struct audit *a, struct buf *out);

/* All changes in one transaction; `stale`, `duplicate`. */
int audit_apply(const struct audit *a, struct sql *s, const struct deed *deed,
		struct review_result *result, struct fail *fail);

/*
 * Makes JSON fit for one line of a fenced block: U+007F, U+2028 and U+2029
 * are escaped, too.
 */
void fence_json(struct str json, struct buf *out);

#endif /* AUDIT_H */

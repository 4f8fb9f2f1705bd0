#include "lessons/candidate.h"

#include "lessons/database.h"
#include "lessons/wording.h"

/* Finds the pending candidate with this wording, or adds it. */
static int
find_or_add(struct sql *s, struct str project, const struct new_lesson *n,
	    int64_t now, int64_t *id, struct fail *fail)
{
	char key[WORDING_KEY_SIZE];
	int rc;

	wording_key(n->text, key);
	rc = query_value(s, fail, id,
			 "SELECT id FROM candidates WHERE project = ? AND "
			 "text_key = ? AND status = 'pending'",
			 "tz", project, key);
	if (rc != 0)
		return rc < 0 ? -1 : 0;
	if (database_next_id(s, "SELECT max(id) FROM candidates", id, fail) !=
	    0)
		return -1;
	return query_run(s, fail,
			 "INSERT INTO candidates (id, project, text, text_key, "
			 "evidence, basis, created_at) "
			 "VALUES (?, ?, ?, ?, ?, ?, ?)",
			 "ittztzi", *id, project, n->text, key, n->evidence,
			 lesson_basis(n->basis), now);
}

/* The observation of one owner, unless there is one. */
static int
observe(struct sql *s, int64_t candidate, const struct new_lesson *n,
	const struct origin *origin, struct str lineage, struct str reason,
	int64_t now, struct fail *fail)
{
	struct buf owner = BUF_INIT, who = BUF_INIT;
	int64_t id = 0;
	int rc;

	origin_owner(origin, lineage, &owner);
	origin_json(origin, reason, &who);
	rc = query_value(s, fail, &id,
			 "SELECT id FROM candidate_observations "
			 "WHERE candidate_id = ? AND owner_key = ?",
			 "it", candidate, buf_str(&owner));
	if (rc == 0)
		rc = database_next_id(
			     s, "SELECT max(id) FROM candidate_observations",
			     &id, fail) != 0 ||
				     query_run(s, fail,
					       "INSERT INTO "
					       "candidate_observations (id, "
					       "candidate_id, wording, "
					       "evidence, basis, origin, "
					       "owner_key, created_at, "
					       "independence_key) VALUES "
					       "(?, ?, ?, ?, ?, ?, ?, ?, ?)",
					       "iittzttit", id, candidate,
					       n->text, n->evidence,
					       lesson_basis(n->basis),
					       buf_str(&who), buf_str(&owner),
					       now, lineage) != 0
			     ? -1
			     : 0;
	buf_release(&owner);
	buf_release(&who);
	return rc < 0 ? -1 : 0;
}

int
candidate_stage(struct sql *s, struct str project, const struct new_lesson *n,
		const struct origin *origin, struct str lineage,
		struct str reason, int64_t now, struct fail *fail)
{
	int64_t id = 0;
	int rc;

	if (sql_begin(s, fail) != 0)
		return -1;
	rc = find_or_add(s, project, n, now, &id, fail);
	if (rc == 0)
		rc = observe(s, id, n, origin, lineage, reason, now, fail);
	if (rc == 0)
		rc = sql_commit(s, fail);
	sql_rollback(s);
	return rc;
}

#define PENDING                                                    \
	"FROM candidates c INDEXED BY candidate_pending_identity " \
	"WHERE c.status = 'pending' "

/*
 * The observations are found by the index on their candidate, whose first
 * column it is: the candidates of one project are few.
 */
#define OWN                                                                  \
	PENDING "AND c.project = ?1 AND EXISTS (SELECT 1 "                   \
		"FROM candidate_observations o WHERE o.candidate_id = c.id " \
		"AND json_extract(o.origin, '$.session') = ?2) "

long
candidate_own(struct sql *s, struct str project, struct str session,
	      struct keep *keep, struct own_candidate *own, size_t n,
	      int64_t *total, struct fail *fail)
{
	struct query q;
	size_t got = 0;
	int rc = 0;

	*total = 0;
	if (query_value(s, fail, total, "SELECT count(*) " OWN, "tt", project,
			session) < 0 ||
	    query_open(&q, s, fail,
		       "SELECT c.id, (SELECT o.wording "
		       "FROM candidate_observations o "
		       "WHERE o.candidate_id = c.id AND "
		       "json_extract(o.origin, '$.session') = ?2 "
		       "ORDER BY o.id LIMIT 1) " OWN "ORDER BY c.id LIMIT ?3",
		       "tti", project, session, (int64_t)n) != 0)
		return -1;
	while (got < n && (rc = query_next(&q, fail)) == 1) {
		own[got].id = query_integer(&q, 0);
		own[got++].wording = keep_str(keep, query_text(&q, 1));
	}
	query_close(&q);
	return rc < 0 ? -1 : (long)got;
}

int
candidate_counts(struct sql *s, struct candidate_counts *counts,
		 struct fail *fail)
{
	*counts = (struct candidate_counts){ 0, 0 };
	if (query_value(s, fail, &counts->pending, "SELECT count(*) " PENDING,
			"") < 0)
		return -1;
	return query_value(s, fail, &counts->since_evaluation,
			   "SELECT count(*) " PENDING
			   "AND c.id > (SELECT value FROM candidate_state "
			   "WHERE key = 'evaluation_highwater')",
			   "") < 0
		       ? -1
		       : 0;
}

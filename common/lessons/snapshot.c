#include "lessons/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/json_write.h"
#include "base/xalloc.h"
#include "lessons/stored.h"
#include "lessons/wording.h"

void
snapshot_init(struct snapshot *s)
{
	*s = (struct snapshot){ .evaluations = BUF_INIT };
}

void
snapshot_release(struct snapshot *s)
{
	free(s->candidates);
	free(s->exposures);
	buf_release(&s->evaluations);
	keep_release(&s->keep);
	snapshot_init(s);
}

/* ---- reading ----------------------------------------------------------- */

/* The observations of one candidate, in the order of their ids. */
static int
read_observations(struct snapshot *s, struct sql *sql, struct candidate *c,
		  struct fail *fail)
{
	struct query q;
	int64_t count = 0;
	size_t i;
	int rc = 0;

	if (query_value(sql, fail, &count,
			"SELECT count(*) FROM candidate_observations "
			"WHERE candidate_id = ?",
			"i", c->id) < 0 ||
	    query_open(&q, sql, fail,
		       "SELECT id, wording, evidence, basis, origin, "
		       "created_at, independence_key "
		       "FROM candidate_observations WHERE candidate_id = ? "
		       "ORDER BY id",
		       "i", c->id) != 0)
		return -1;
	c->n = (size_t)count;
	c->observations = keep_bytes(&s->keep, c->n, sizeof(*c->observations));
	for (i = 0; i < c->n && (rc = query_next(&q, fail)) == 1; i++) {
		struct observation *o = &c->observations[i];

		o->id = query_integer(&q, 0);
		o->wording = keep_str(&s->keep, query_text(&q, 1));
		o->evidence = keep_str(&s->keep, query_text(&q, 2));
		o->basis = keep_str(&s->keep, query_text(&q, 3));
		o->origin = keep_str(&s->keep, query_text(&q, 4));
		o->created_at = query_integer(&q, 5);
		o->lineage = keep_str(&s->keep, query_text(&q, 6));
	}
	query_close(&q);
	return rc < 0 ? -1 : 0;
}

int
snapshot_read(struct snapshot *s, struct sql *sql, int64_t most,
	      struct fail *fail)
{
	struct query q;
	size_t i;
	int rc;

	if (query_value(sql, fail, &s->highwater,
			"SELECT coalesce(max(id), 0) FROM candidates",
			"") < 0 ||
	    query_value(sql, fail, &s->last_observation,
			"SELECT coalesce(max(id), 0) "
			"FROM candidate_observations",
			"") < 0 ||
	    query_value(sql, fail, &s->marker,
			"SELECT value FROM candidate_state "
			"WHERE key = 'marker'",
			"") < 0 ||
	    query_open(&q, sql, fail,
		       "SELECT id, project, text, text_key, evidence, basis, "
		       "created_at FROM candidates "
		       "INDEXED BY candidate_pending_identity "
		       "WHERE status = 'pending' AND id <= ? ORDER BY id",
		       "i", most) != 0)
		return -1;
	while ((rc = query_next(&q, fail)) == 1) {
		struct candidate *c;

		XGROW(s->candidates, s->n + 1, s->cap);
		c = &s->candidates[s->n++];
		c->id = query_integer(&q, 0);
		c->project = keep_str(&s->keep, query_text(&q, 1));
		c->text = keep_str(&s->keep, query_text(&q, 2));
		c->key = keep_str(&s->keep, query_text(&q, 3));
		c->evidence = keep_str(&s->keep, query_text(&q, 4));
		c->basis = keep_str(&s->keep, query_text(&q, 5));
		c->created_at = query_integer(&q, 6);
	}
	query_close(&q);
	for (i = 0; rc == 0 && i < s->n; i++)
		rc = read_observations(s, sql, &s->candidates[i], fail);
	return rc;
}

static int
by_candidate(const void *a, const void *b)
{
	const struct exposure *x = a, *y = b;

	if (x->candidate != y->candidate)
		return x->candidate < y->candidate ? -1 : 1;
	return str_cmp(x->lineage, y->lineage);
}

static int
by_name(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

size_t
snapshot_unique(struct str *v, size_t n)
{
	size_t i, kept = 0;

	if (n > 1)
		qsort(v, n, sizeof(*v), by_name);
	for (i = 0; i < n; i++)
		if (kept == 0 || !str_eq(v[i], v[kept - 1]))
			v[kept++] = v[i];
	return kept;
}

/* The keys of all candidates, sorted, each once. */
static struct str *
pending_keys(const struct snapshot *s, size_t *n)
{
	struct str *keys = xcalloc(s->n + 1, sizeof(*keys));
	size_t i;

	for (i = 0; i < s->n; i++)
		keys[i] = s->candidates[i].key;
	*n = snapshot_unique(keys, s->n);
	return keys;
}

static int
read_exposures(struct snapshot *s, struct sql *sql, struct fail *fail)
{
	size_t n, i;
	struct str *keys = pending_keys(s, &n);
	struct query q;
	int rc = 0;

	s->exposures_n = 0;
	for (i = 0; rc == 0 && i < n; i++) {
		if (query_open(&q, sql, fail,
			       "SELECT e.candidate_id, e.independence_key, "
			       "e.observation_highwater, e.created_at "
			       "FROM candidates c JOIN candidate_exposures e "
			       "ON e.candidate_id = c.id WHERE c.text_key = ?",
			       "t", keys[i]) != 0) {
			rc = -1;
			break;
		}
		while ((rc = query_next(&q, fail)) == 1) {
			struct exposure *e;

			XGROW(s->exposures, s->exposures_n + 1,
			      s->exposures_cap);
			e = &s->exposures[s->exposures_n++];
			e->candidate = query_integer(&q, 0);
			e->key = keys[i];
			e->lineage = keep_str(&s->keep, query_text(&q, 1));
			e->highwater = query_integer(&q, 2);
			e->created_at = query_integer(&q, 3);
		}
		query_close(&q);
	}
	free(keys);
	if (s->exposures_n > 1)
		qsort(s->exposures, s->exposures_n, sizeof(*s->exposures),
		      by_candidate);
	return rc;
}

/* ---- past evaluations -------------------------------------------------- */

static int
write_member_ids(struct json_writer *w, struct sql *sql, int64_t evaluation,
		 int64_t group, struct fail *fail)
{
	struct query q;
	int rc;

	if (query_open(&q, sql, fail,
		       "SELECT candidate_id FROM candidate_group_members "
		       "WHERE evaluation_id = ? AND group_index = ? "
		       "ORDER BY candidate_id",
		       "ii", evaluation, group) != 0)
		return -1;
	json_open_array(w);
	while ((rc = query_next(&q, fail)) == 1)
		json_integer(w, query_integer(&q, 0));
	json_close_array(w);
	query_close(&q);
	return rc;
}

static int
write_group(struct json_writer *w, struct sql *sql, int64_t evaluation,
	    int64_t group, struct fail *fail)
{
	struct query q;
	int rc = query_first(&q, sql, fail,
			     "SELECT text, evidence, scope, reason, recommend, "
			     "qualification, approved, lesson_id "
			     "FROM candidate_evaluation_groups "
			     "WHERE evaluation_id = ? AND group_index = ?",
			     "ii", evaluation, group);

	if (rc == 1) {
		json_open_object(w);
		json_key(w, "group");
		json_open_object(w);
		json_key(w, "candidateIds");
		rc = write_member_ids(w, sql, evaluation, group, fail);
		json_member_string(w, "text", query_text(&q, 0));
		json_member_string(w, "evidence", query_text(&q, 1));
		json_member_string(w, "scope", query_text(&q, 2));
		json_member_string(w, "reason", query_text(&q, 3));
		json_member_boolean(w, "recommend", query_integer(&q, 4) != 0);
		json_close_object(w);
		json_key(w, "qualification");
		json_raw(w, query_text(&q, 5));
		json_member_boolean(w, "approved", query_integer(&q, 6) != 0);
		json_key(w, "lessonId");
		if (query_null(&q, 7))
			json_null(w);
		else
			json_integer(w, query_integer(&q, 7));
		json_close_object(w);
	}
	query_close(&q);
	return rc;
}

static int
open_evaluation(struct json_writer *w, struct sql *sql, int64_t id,
		struct fail *fail)
{
	struct query q;
	int rc = query_first(&q, sql, fail,
			     "SELECT recorded_at, highwater, evaluator "
			     "FROM candidate_evaluations WHERE id = ?",
			     "i", id);

	json_open_object(w);
	json_member_integer(w, "id", id);
	if (rc == 1) {
		json_member_integer(w, "recorded_at", query_integer(&q, 0));
		json_member_integer(w, "highwater", query_integer(&q, 1));
		json_key(w, "evaluator");
		json_raw(w, query_text(&q, 2));
	}
	json_key(w, "groups");
	json_open_array(w);
	query_close(&q);
	return rc < 0 ? -1 : 0;
}

/* One pass over all members: no index leads from a candidate to its groups. */
static int
read_evaluations(struct snapshot *s, struct sql *sql, struct fail *fail)
{
	struct json_writer w;
	struct query q;
	int64_t evaluation = 0;
	int rc;

	buf_reset(&s->evaluations);
	json_begin(&w, &s->evaluations);
	json_open_array(&w);
	if (query_open(&q, sql, fail,
		       "SELECT DISTINCT m.evaluation_id, m.group_index "
		       "FROM candidate_group_members m "
		       "JOIN candidates c ON c.id = m.candidate_id "
		       "WHERE EXISTS (SELECT 1 FROM candidates p "
		       "WHERE p.text_key = c.text_key AND "
		       "p.status = 'pending') ORDER BY 1, 2",
		       "") != 0)
		return -1;
	while ((rc = query_next(&q, fail)) == 1) {
		if (query_integer(&q, 0) != evaluation) {
			if (evaluation != 0) {
				json_close_array(&w);
				json_close_object(&w);
			}
			evaluation = query_integer(&q, 0);
			rc = open_evaluation(&w, sql, evaluation, fail);
			if (rc < 0)
				break;
		}
		if (write_group(&w, sql, evaluation, query_integer(&q, 1),
				fail) < 0) {
			rc = -1;
			break;
		}
	}
	query_close(&q);
	if (rc < 0)
		return -1;
	if (evaluation != 0) {
		json_close_array(&w);
		json_close_object(&w);
	}
	json_close_array(&w);
	return 0;
}

/* By key and lineage; the exposure with the lowest mark first. */
static int
by_wording(const void *a, const void *b)
{
	const struct exposure *x = *(const struct exposure *const *)a;
	const struct exposure *y = *(const struct exposure *const *)b;
	int c = str_cmp(x->key, y->key);

	if (c == 0)
		c = str_cmp(x->lineage, y->lineage);
	if (c == 0 && x->highwater != y->highwater)
		c = x->highwater < y->highwater ? -1 : 1;
	return c;
}

static const struct exposure **
exposures_by_wording(const struct snapshot *s)
{
	const struct exposure **sorted = xcalloc(s->exposures_n + 1,
						 sizeof(*sorted));
	size_t i;

	for (i = 0; i < s->exposures_n; i++)
		sorted[i] = &s->exposures[i];
	if (s->exposures_n > 1)
		qsort(sorted, s->exposures_n, sizeof(*sorted), by_wording);
	return sorted;
}

/* The first of the sorted that is not before (key, lineage). */
static size_t
find_exposure(const struct exposure **sorted, size_t n, struct str key,
	      struct str lineage)
{
	struct exposure want = { .highwater = INT64_MIN,
				 .key = key,
				 .lineage = lineage };
	const struct exposure *p = &want;
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (by_wording(&sorted[middle], &p) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int
snapshot_read_history(struct snapshot *s, struct sql *sql, struct fail *fail)
{
	const struct exposure **sorted;
	size_t i, k, at;

	if (read_exposures(s, sql, fail) != 0 ||
	    read_evaluations(s, sql, fail) != 0)
		return -1;
	sorted = exposures_by_wording(s);
	for (i = 0; i < s->n; i++) {
		struct candidate *c = &s->candidates[i];

		for (k = 0; k < c->n; k++) {
			struct observation *o = &c->observations[k];

			at = find_exposure(sorted, s->exposures_n, c->key,
					   o->lineage);
			o->exposed = at < s->exposures_n &&
				     str_eq(sorted[at]->key, c->key) &&
				     str_eq(sorted[at]->lineage, o->lineage) &&
				     o->id > sorted[at]->highwater;
		}
	}
	free(sorted);
	return 0;
}

int
snapshot_expose(struct snapshot *s, struct sql *sql, struct str lineage,
		int64_t now, int64_t *added, struct fail *fail)
{
	size_t i;

	*added = 0;
	for (i = 0; i < s->n; i++) {
		int64_t one = 0;
		int rc = query_value(sql, fail, &one,
				     "SELECT 1 FROM candidate_exposures "
				     "WHERE candidate_id = ? AND "
				     "independence_key = ?",
				     "it", s->candidates[i].id, lineage);

		if (rc < 0)
			return -1;
		if (rc == 1)
			continue;
		if (query_run(sql, fail,
			      "INSERT INTO candidate_exposures "
			      "VALUES (?, ?, ?, ?)",
			      "itii", s->candidates[i].id, lineage,
			      s->last_observation, now) != 0)
			return -1;
		++*added;
	}
	return read_exposures(s, sql, fail);
}

/* ---- writing ----------------------------------------------------------- */

static void
write_observation(struct json_writer *w, const struct observation *o,
		  bool disclosed)
{
	json_open_object(w);
	json_member_integer(w, "id", o->id);
	json_member_string(w, "wording", o->wording);
	json_member_string(w, "evidence", o->evidence);
	json_member_string(w, "basis", o->basis);
	json_key(w, "origin");
	json_raw(w, o->origin);
	json_member_integer(w, "created_at", o->created_at);
	json_member_string(w, "independenceKey", o->lineage);
	if (disclosed)
		json_member_boolean(w, "exposed", o->exposed);
	json_close_object(w);
}

static void
write_candidate(struct json_writer *w, const struct candidate *c,
		bool disclosed)
{
	size_t i;

	json_open_object(w);
	json_member_integer(w, "id", c->id);
	json_member_string(w, "project", c->project);
	json_member_string(w, "text", c->text);
	json_member_string(w, "evidence", c->evidence);
	json_member_string(w, "basis", c->basis);
	json_member_integer(w, "created_at", c->created_at);
	json_key(w, "observations");
	json_open_array(w);
	for (i = 0; i < c->n; i++)
		write_observation(w, &c->observations[i], disclosed);
	json_close_array(w);
	json_close_object(w);
}

void
snapshot_hash(const struct snapshot *s, char *hash)
{
	struct buf text = BUF_INIT;
	struct json_writer w;
	size_t i;

	json_begin(&w, &text);
	json_open_array(&w);
	json_integer(&w, s->marker);
	for (i = 0; i < s->n; i++)
		write_candidate(&w, &s->candidates[i], false);
	json_close_array(&w);
	wording_sha256(buf_str(&text), hash);
	buf_release(&text);
}

void
snapshot_json(const struct snapshot *s, struct buf *out)
{
	struct json_writer w;
	size_t i;

	json_begin(&w, out);
	json_open_object(&w);
	json_key(&w, "candidates");
	json_open_array(&w);
	for (i = 0; i < s->n; i++)
		write_candidate(&w, &s->candidates[i], true);
	json_close_array(&w);
	json_key(&w, "exposures");
	json_open_array(&w);
	for (i = 0; i < s->exposures_n; i++) {
		const struct exposure *e = &s->exposures[i];

		json_open_object(&w);
		json_member_integer(&w, "candidateId", e->candidate);
		json_member_string(&w, "textKey", e->key);
		json_member_string(&w, "independenceKey", e->lineage);
		json_member_integer(&w, "observationHighwater", e->highwater);
		json_member_integer(&w, "created_at", e->created_at);
		json_close_object(&w);
	}
	json_close_array(&w);
	json_key(&w, "evaluations");
	json_raw(&w, s->evaluations.len == 0 ? STR("[]")
					     : buf_str(&s->evaluations));
	json_member_integer(&w, "highwater", s->highwater);
	json_member_integer(&w, "marker", s->marker);
	json_close_object(&w);
}

/* ---- reading back ------------------------------------------------------ */

static void
nullable_member(struct json_writer *w, const cJSON *object, const char *name)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);

	if (item == NULL)
		return;
	json_key(w, name);
	if (cJSON_IsString(item))
		json_string(w, str_of(item->valuestring));
	else
		json_null(w);
}

static struct str
origin_of(struct snapshot *s, const cJSON *observation)
{
	static const char *const names[] = { "harness",	 "session", "actor",
					     "provider", "model",   "reason" };
	const cJSON *origin = cJSON_GetObjectItemCaseSensitive(observation,
							       "origin");
	struct buf text = BUF_INIT;
	struct json_writer w;
	struct str kept;
	size_t i;

	json_begin(&w, &text);
	json_open_object(&w);
	for (i = 0; i < 6; i++)
		nullable_member(&w, origin, names[i]);
	json_close_object(&w);
	kept = keep_str(&s->keep, buf_str(&text));
	buf_release(&text);
	return kept;
}

static void
parse_candidate(struct snapshot *s, struct candidate *c, const cJSON *item)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(item,
							     "observations");
	const cJSON *entry;
	char key[WORDING_KEY_SIZE];

	c->id = stored_integer(item, "id");
	c->project = stored_text(&s->keep, item, "project");
	c->text = stored_text(&s->keep, item, "text");
	c->evidence = stored_text(&s->keep, item, "evidence");
	c->basis = stored_text(&s->keep, item, "basis");
	c->created_at = stored_integer(item, "created_at");
	wording_key(c->text, key);
	c->key = keep_str(&s->keep, str_of(key));
	c->n = 0;
	c->observations = keep_bytes(&s->keep, (size_t)cJSON_GetArraySize(list),
				     sizeof(*c->observations));
	cJSON_ArrayForEach(entry, list)
	{
		struct observation *o = &c->observations[c->n++];

		o->id = stored_integer(entry, "id");
		o->wording = stored_text(&s->keep, entry, "wording");
		o->evidence = stored_text(&s->keep, entry, "evidence");
		o->basis = stored_text(&s->keep, entry, "basis");
		o->origin = origin_of(s, entry);
		o->created_at = stored_integer(entry, "created_at");
		o->lineage = stored_text(&s->keep, entry, "independenceKey");
		o->exposed = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(
				     entry, "exposed")) != 0;
	}
}

int
snapshot_parse(struct snapshot *s, struct str json, struct fail *fail)
{
	cJSON *root = cJSON_ParseWithLength(json.s, json.n);
	const cJSON *item;

	if (!cJSON_IsObject(root)) {
		cJSON_Delete(root);
		return stored_damaged(fail);
	}
	cJSON_ArrayForEach(item,
			   cJSON_GetObjectItemCaseSensitive(root, "candidates"))
	{
		XGROW(s->candidates, s->n + 1, s->cap);
		parse_candidate(s, &s->candidates[s->n++], item);
	}
	cJSON_ArrayForEach(item,
			   cJSON_GetObjectItemCaseSensitive(root, "exposures"))
	{
		struct exposure *e;

		XGROW(s->exposures, s->exposures_n + 1, s->exposures_cap);
		e = &s->exposures[s->exposures_n++];
		e->candidate = stored_integer(item, "candidateId");
		e->key = stored_text(&s->keep, item, "textKey");
		e->lineage = stored_text(&s->keep, item, "independenceKey");
		e->highwater = stored_integer(item, "observationHighwater");
		e->created_at = stored_integer(item, "created_at");
	}
	s->highwater = stored_integer(root, "highwater");
	s->marker = stored_integer(root, "marker");
	cJSON_Delete(root);
	return 0;
}

const struct candidate *
snapshot_find(const struct snapshot *s, int64_t id)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->candidates[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->n && s->candidates[low].id == id ? &s->candidates[low]
							 : NULL;
}

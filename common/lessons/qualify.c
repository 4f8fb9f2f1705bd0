#include "lessons/snapshot.h"

#include <stdlib.h>

#include "base/xalloc.h"

/* Names, each with a small number. */
struct names {
	struct str *v; /* sorted */
	size_t n;
};

struct qualifier {
	const struct snapshot *snapshot;
	const struct limits *limits;
	struct names keys, lineages, projects;

	/* Of each candidate, by its place in the snapshot. */
	size_t *key, *project;
	/* Exposures, sorted by key: those of key k begin at first[k]. */
	struct seen {
		size_t key, lineage;
		int64_t highwater;
	} * seen;
	size_t *first;

	/* The number of the group that last met it, to need no clearing. */
	size_t group;
	size_t *key_met, *lineage_met, *counted, *project_met;
	int64_t *mark; /* of a lineage that is met: the lowest highwater */
	struct vote {
		const struct observation *o;
		size_t lineage, project;
	} * votes;
};

static size_t
names_find(const struct names *names, struct str name)
{
	size_t low = 0, high = names->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (str_cmp(names->v[middle], name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low; /* it is there: all names were collected */
}

static void
collect_names(struct qualifier *q)
{
	const struct snapshot *s = q->snapshot;
	size_t i, k, observations = 0;

	for (i = 0; i < s->n; i++)
		observations += s->candidates[i].n;
	q->keys.v = xcalloc(s->n + s->exposures_n + 1, sizeof(struct str));
	q->projects.v = xcalloc(s->n + 1, sizeof(struct str));
	q->lineages.v = xcalloc(observations + s->exposures_n + 1,
				sizeof(struct str));
	q->votes = xcalloc(observations + 1, sizeof(*q->votes));
	for (i = 0; i < s->n; i++) {
		const struct candidate *c = &s->candidates[i];

		q->keys.v[q->keys.n++] = c->key;
		q->projects.v[q->projects.n++] = c->project;
		for (k = 0; k < c->n; k++)
			q->lineages.v[q->lineages.n++] =
				c->observations[k].lineage;
	}
	for (i = 0; i < s->exposures_n; i++) {
		q->keys.v[q->keys.n++] = s->exposures[i].key;
		q->lineages.v[q->lineages.n++] = s->exposures[i].lineage;
	}
	q->keys.n = snapshot_unique(q->keys.v, q->keys.n);
	q->projects.n = snapshot_unique(q->projects.v, q->projects.n);
	q->lineages.n = snapshot_unique(q->lineages.v, q->lineages.n);
}

static int
by_seen_key(const void *a, const void *b)
{
	size_t x = ((const struct seen *)a)->key;
	size_t y = ((const struct seen *)b)->key;

	return (x > y) - (x < y);
}

struct qualifier *
qualifier_new(const struct snapshot *s, const struct limits *limits)
{
	struct qualifier *q = xcalloc(1, sizeof(*q));
	size_t i, k;

	q->snapshot = s;
	q->limits = limits;
	collect_names(q);
	q->key = xcalloc(s->n + 1, sizeof(size_t));
	q->project = xcalloc(s->n + 1, sizeof(size_t));
	for (i = 0; i < s->n; i++) {
		q->key[i] = names_find(&q->keys, s->candidates[i].key);
		q->project[i] = names_find(&q->projects,
					   s->candidates[i].project);
	}
	q->seen = xcalloc(s->exposures_n + 1, sizeof(*q->seen));
	for (i = 0; i < s->exposures_n; i++)
		q->seen[i] = (struct seen){
			names_find(&q->keys, s->exposures[i].key),
			names_find(&q->lineages, s->exposures[i].lineage),
			s->exposures[i].highwater
		};
	if (s->exposures_n > 1)
		qsort(q->seen, s->exposures_n, sizeof(*q->seen), by_seen_key);
	q->first = xcalloc(q->keys.n + 2, sizeof(size_t));
	for (i = 0, k = 0; k <= q->keys.n; k++) {
		while (i < s->exposures_n && q->seen[i].key < k)
			i++;
		q->first[k] = i;
	}
	q->key_met = xcalloc(q->keys.n + 1, sizeof(size_t));
	q->lineage_met = xcalloc(q->lineages.n + 1, sizeof(size_t));
	q->counted = xcalloc(q->lineages.n + 1, sizeof(size_t));
	q->project_met = xcalloc(q->projects.n + 1, sizeof(size_t));
	q->mark = xcalloc(q->lineages.n + 1, sizeof(int64_t));
	return q;
}

void
qualifier_free(struct qualifier *q)
{
	if (q == NULL)
		return;
	free(q->keys.v);
	free(q->lineages.v);
	free(q->projects.v);
	free(q->key);
	free(q->project);
	free(q->seen);
	free(q->first);
	free(q->key_met);
	free(q->lineage_met);
	free(q->counted);
	free(q->project_met);
	free(q->mark);
	free(q->votes);
	free(q);
}

/* Takes the exposures of a wording into the marks of this group. */
static void
meet_key(struct qualifier *q, size_t key)
{
	size_t i;

	if (q->key_met[key] == q->group)
		return;
	q->key_met[key] = q->group;
	for (i = q->first[key]; i < q->first[key + 1]; i++) {
		const struct seen *e = &q->seen[i];

		if (q->lineage_met[e->lineage] != q->group ||
		    e->highwater < q->mark[e->lineage])
			q->mark[e->lineage] = e->highwater;
		q->lineage_met[e->lineage] = q->group;
	}
}

static bool
is_exposed(const struct qualifier *q, size_t lineage, int64_t observation)
{
	return q->lineage_met[lineage] == q->group &&
	       observation > q->mark[lineage];
}

bool
qualifier_exposed(const struct qualifier *q, const struct observation *o)
{
	return is_exposed(q, names_find(&q->lineages, o->lineage), o->id);
}

static int
by_observation(const void *a, const void *b)
{
	int64_t x = ((const struct vote *)a)->o->id;
	int64_t y = ((const struct vote *)b)->o->id;

	return (x > y) - (x < y);
}

void
qualify(struct qualifier *q, const size_t *members, size_t n, bool global,
	struct qualification *r)
{
	const struct limits *l = q->limits;
	bool several = false;
	size_t i, k, votes = 0;

	q->group++;
	for (i = 0; i < n; i++) {
		const struct candidate *c =
			&q->snapshot->candidates[members[i]];

		meet_key(q, q->key[members[i]]);
		several = several ||
			  q->project[members[i]] != q->project[members[0]];
		for (k = 0; k < c->n; k++)
			q->votes[votes++] = (struct vote){
				&c->observations[k],
				names_find(&q->lineages,
					   c->observations[k].lineage),
				q->project[members[i]]
			};
	}
	if (votes > 1)
		qsort(q->votes, votes, sizeof(*q->votes), by_observation);
	*r = (struct qualification){ 0 };
	for (i = 0; i < votes; i++) {
		const struct vote *v = &q->votes[i];

		if (q->counted[v->lineage] == q->group ||
		    is_exposed(q, v->lineage, v->o->id))
			continue;
		q->counted[v->lineage] = q->group;
		r->occurrences++;
		r->projects += q->project_met[v->project] != q->group;
		q->project_met[v->project] = q->group;
	}
	r->needed = global ? l->global_occurrences : l->project_occurrences;
	r->needed_projects = global ? l->global_projects : 1;
	r->eligible = r->occurrences >= r->needed &&
		      (global ? r->projects >= r->needed_projects : !several);
}

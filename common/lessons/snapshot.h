#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include "lessons/keep.h"
#include "lessons/settings.h"
#include "lessons/sql.h"

/*
 * The pool of pending candidates as an evaluation sees it, and which groups of
 * it qualify for a promotion (spec/lessons.md sections 7.2 and 7.3).
 */
struct observation {
	int64_t id, created_at;
	struct str wording, evidence, basis;
	struct str origin; /* a JSON object */
	struct str lineage;
	bool exposed; /* by its own candidate's wording */
};

struct candidate {
	int64_t id, created_at;
	struct str project, text, key, evidence, basis;
	struct observation *observations; /* by id */
	size_t n;
};

struct exposure {
	int64_t candidate, highwater, created_at;
	struct str key, lineage;
};

struct snapshot {
	struct keep keep;
	struct candidate *candidates; /* by id */
	size_t n, cap;
	struct exposure *exposures; /* by candidate and lineage */
	size_t exposures_n, exposures_cap;
	struct buf evaluations; /* past ones of such wordings, a JSON array */
	int64_t highwater, marker, last_observation;
};

void snapshot_init(struct snapshot *s);
void snapshot_release(struct snapshot *s);

/* Sorts names and leaves each once; how many that are. */
size_t snapshot_unique(struct str *v, size_t n);

/*
 * Reads the pending candidates with ids up to `most` and their observations,
 * within a transaction of the caller's; marker and highwater, too.
 */
int snapshot_read(struct snapshot *s, struct sql *sql, int64_t most,
		  struct fail *fail);

/* And what is known of their wordings: exposures, past evaluations. */
int snapshot_read_history(struct snapshot *s, struct sql *sql,
			  struct fail *fail);

/*
 * Stores that a lineage has seen all of it, and reads the exposures anew;
 * *added counts new rows.  Observations keep their `exposed`.
 */
int snapshot_expose(struct snapshot *s, struct sql *sql, struct str lineage,
		    int64_t now, int64_t *added, struct fail *fail);

/* What must not change until the evaluation is finished, as a hash. */
void snapshot_hash(const struct snapshot *s, char *hash);

/* As JSON of one line, and back. */
void snapshot_json(const struct snapshot *s, struct buf *out);
int snapshot_parse(struct snapshot *s, struct str json, struct fail *fail);

/* The candidate with an id, or NULL. */
const struct candidate *snapshot_find(const struct snapshot *s, int64_t id);

/* ---- qualification ----------------------------------------------------- */

struct qualification {
	int64_t occurrences, projects;
	int64_t needed, needed_projects; /* of its scope */
	bool eligible;
};

/* What is counted with, made once for all groups. */
struct qualifier;
struct qualifier *qualifier_new(const struct snapshot *s,
				const struct limits *limits);
void qualifier_free(struct qualifier *q);

/*
 * Counts for the group of candidates with these positions in the snapshot.
 * Over groups that share no candidate it takes O(observations log n) in all.
 */
void qualify(struct qualifier *q, const size_t *members, size_t n, bool global,
	     struct qualification *result);

/*
 * Whether observation o, of a candidate of the group, was made knowing the
 * group's wordings; of the group that was counted last.
 */
bool qualifier_exposed(const struct qualifier *q, const struct observation *o);

#endif /* SNAPSHOT_H */

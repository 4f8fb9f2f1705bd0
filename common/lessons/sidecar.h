#ifndef SIDECAR_H
#define SIDECAR_H

#include "lessons/keep.h"
#include "lessons/sql.h"
#include "tool/facts.h"

/*
 * What the programs remember of sessions and of reviews under way, beside the
 * lessons and apart from them (spec/lessons.md section 3.2).  A session's key
 * is its id without the host, or "" for a process that has none.
 */
struct sidecar {
	struct sql sql; /* closed: there is none */
	struct buf path;
};

struct session {
	bool known;
	struct str root; /* its own id unless it is a fork */
	bool ephemeral, barrier;
	int64_t epoch;
};

enum review_kind { REVIEW_AUDIT, REVIEW_EVALUATION };
enum review_state { REVIEW_PENDING, REVIEW_SUBMITTED, REVIEW_CLOSED };
extern const char *const review_kinds[];  /* audit, evaluation */
extern const char *const review_states[]; /* pending, submitted, closed */

/* A staged review.  Strings live in the keep they were read into. */
struct staged {
	struct str id;
	enum review_kind kind;
	struct str session, harness, project, config_hash;
	struct str provider, model; /* s NULL: null */
	int64_t epoch, created_at;
	enum review_state state;
	struct str holder; /* of the process that shows it; s NULL: none */
	struct str snapshot, proposal, result; /* s NULL: null */
};

#define REVIEW_ID_SIZE 37

void sidecar_init(struct sidecar *sc);
void sidecar_release(struct sidecar *sc);

/* Where it is, for a store with this real path. */
int sidecar_find(struct sidecar *sc, const struct facts *facts,
		 struct str store, struct fail *fail);

enum sidecar_mode {
	SIDECAR_READ,
	SIDECAR_CHANGE, /* for writing, when it is there */
	SIDECAR_MAKE	/* for writing, made where it is not there */
};

/* Where there is none to be opened it stays closed, and reads as empty. */
int sidecar_open(struct sidecar *sc, enum sidecar_mode mode, struct fail *fail);

/* An unknown session reads as its own root, not ephemeral. */
int sidecar_session(struct sidecar *sc, struct str key, struct keep *keep,
		    struct session *session, struct fail *fail);

/* Stores it; within a transaction of the caller's. */
int sidecar_put_session(struct sidecar *sc, struct str key,
			const struct session *session, struct fail *fail);

/* Registers a session that is not known yet, as its own root. */
int sidecar_register(struct sidecar *sc, struct str key, struct fail *fail);

/* The open review of a session, or the review with an id: 1, 0 or -1. */
int sidecar_open_review(struct sidecar *sc, struct str key, struct keep *keep,
			struct staged *review, struct fail *fail);
int sidecar_review(struct sidecar *sc, struct str id, struct keep *keep,
		   struct staged *review, struct fail *fail);

/*
 * The reviews that are open, or only the submitted ones, by time: the n first.
 * The number of rows read, or -1.
 */
long sidecar_reviews(struct sidecar *sc, bool submitted, struct keep *keep,
		     struct staged *reviews, size_t n, struct fail *fail);

/* A random version 4 UUID. */
void sidecar_new_id(char id[REVIEW_ID_SIZE]);

/* Stores a new review and sets the session's barrier, if it is one. */
int sidecar_stage(struct sidecar *sc, const struct staged *review,
		  struct fail *fail);

/*
 * From pending to submitted, by a model: 1, or 0 when it is not pending any
 * more.  provider and model: s NULL is null.
 */
int sidecar_submit(struct sidecar *sc, struct str id, struct str proposal,
		   struct str holder, struct str provider, struct str model,
		   struct fail *fail);

/*
 * Closes an open review; what it was about is forgotten.  result (s NULL:
 * none yet) is what is told to a process that waits for it.  1, or 0 when it
 * was closed already.
 */
int sidecar_close(struct sidecar *sc, struct str id, struct str holder,
		  struct str result, struct fail *fail);

/* What those who wait look at; s NULL is null.  1, 0 or -1. */
struct watched {
	bool closed;
	struct str holder, result;
};
int sidecar_watch(struct sidecar *sc, struct str id, struct keep *keep,
		  struct watched *watched, struct fail *fail);

/* Stores the outcome of a closed one. */
int sidecar_outcome(struct sidecar *sc, struct str id, struct str result,
		    struct fail *fail);

/* This process, and whether a holder is alive. */
void sidecar_holder(struct buf *out);
bool sidecar_alive(struct str holder);

#endif /* SIDECAR_H */

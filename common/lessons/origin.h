#ifndef ORIGIN_H
#define ORIGIN_H

#include "base/buf.h"
#include "tool/facts.h"

/*
 * Who speaks (spec/lessons.md section 2.1): from the host facts, never from a
 * request.  Empty bufs with `has_` false stand for null.
 */
enum origin_actor { ORIGIN_USER, ORIGIN_MODEL };

struct origin {
	enum origin_actor actor;
	struct buf harness;
	struct buf session, provider, model;
	bool has_session, has_provider, has_model;
};

/* s NULL: null. */
struct str origin_session(const struct origin *o);
struct str origin_provider(const struct origin *o);
struct str origin_model(const struct origin *o);

void origin_init(struct origin *o);
void origin_release(struct origin *o);

/*
 * Takes CTX_SESSION apart, and for the model CTX_MODEL.  -1 where a value
 * breaks its rule: FAIL_INVALID when it was given as an option, else
 * FAIL_ENVIRONMENT naming the variable.
 */
int origin_take(struct origin *o, const struct facts *facts,
		enum origin_actor actor, struct fail *fail);

/* The id of `HOST:ID` or `ID`, checked and trimmed; false: it breaks the rule. */
bool origin_session_id(struct str given, struct str *harness, struct str *id);

/* {"harness","session","actor","provider","model"[,"reason"]}; reason.s NULL: none. */
void origin_json(const struct origin *o, struct str reason, struct buf *out);

/* ["pi","s1"]: of an observation; session or, without one, the lineage. */
void origin_owner(const struct origin *o, struct str lineage, struct buf *out);

/*
 * Says that a host fact is bad: FAIL_INVALID naming the option when it was
 * given as one, else FAIL_ENVIRONMENT naming the variable.  Returns -1.
 */
int origin_bad_fact(const struct facts *facts, enum fact which,
		    struct fail *fail, const char *what);

#endif /* ORIGIN_H */

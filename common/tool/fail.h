#ifndef FAIL_H
#define FAIL_H

#include <stdint.h>

#include "base/buf.h"

/*
 * Why an operation did not do what was asked.  The kinds are the exit
 * statuses of DESIGN section 2.
 */
enum fail_kind {
	FAIL_NONE = 0,
	FAIL_REFUSED = 1,    /* the operation answered no */
	FAIL_INVALID = 2,    /* invalid arguments or usage */
	FAIL_BLOCKED = 3,    /* a fence, or a pending review */
	FAIL_ENVIRONMENT = 4 /* configuration, database, output, host facts */
};

/*
 * Filled in once, where the fault is detected, and handed up.  message is
 * valid UTF-8, one line (control characters are escaped when it is printed),
 * cut to FAIL_MESSAGE_CHARS code points.
 */
struct fail {
	enum fail_kind kind;
	const char *code; /* static; of FAIL_REFUSED and FAIL_BLOCKED */
	struct buf message;
	struct buf members; /* of its JSON besides: see fail_member() */
	struct buf person;  /* in place of message: see fail_for_person() */
};

#define FAIL_INIT                                             \
	{                                                     \
		FAIL_NONE, NULL, BUF_INIT, BUF_INIT, BUF_INIT \
	}
#define FAIL_MESSAGE_CHARS 2000
#define FAIL_QUOTE_CHARS 200

/*
 * Each stores the failure and returns -1, so that a function can end with
 * `return fail_refuse(...)`.  The formatted text may hold any bytes; what is
 * not valid UTF-8 in it becomes U+FFFD.
 */
int fail_refuse(struct fail *f, const char *code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int fail_block(struct fail *f, const char *code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int fail_invalid(struct fail *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
int fail_environment(struct fail *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Adds a member to the JSON of a refusal, after `error` and `code`; value is
 * JSON text.  Failing anew drops them.
 */
void fail_member(struct fail *f, const char *key, struct str value);
void fail_member_integer(struct fail *f, const char *key, int64_t v);

/*
 * What a person at a terminal is told of a refusal instead: the same, with
 * options in place of parameters.  Failing anew drops it.
 */
void fail_for_person(struct fail *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

void fail_release(struct fail *f);

/*
 * Adds input as a JSON string, cut after FAIL_QUOTE_CHARS code points with an
 * ellipsis inside the quotes; control characters and DEL..U+009F are escaped
 * and bytes that are not valid UTF-8 become U+FFFD.  For messages that quote
 * input: fill a buf, then print it with %s.
 */
void fail_quote(struct buf *out, struct str input);

#endif /* FAIL_H */

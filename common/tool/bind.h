#ifndef BIND_H
#define BIND_H

#include <cjson/cJSON.h>

#include "tool/declare.h"

/*
 * Arguments as a program gets them: the JSON object, and the struct that its
 * members were bound to.
 */
struct args {
	cJSON *object; /* owns the strings that the struct points to */
	void *bound;   /* args_size bytes, zeroed */
	void **owned;  /* arrays that the struct points to */
	size_t owned_n, owned_cap;
};

void args_init(struct args *a, size_t args_size);
void args_release(struct args *a);

/*
 * Lets every number that is a member of object keep its text, in valuestring:
 * as a double it may be another one (2^53 + 1 is 2^53).  text is what object
 * was parsed from.
 */
void args_keep_numbers(cJSON *object, struct str text);

/*
 * Binds the members of object by the table: unknown fields, types, ranges,
 * required ones.  0, or -1 with FAIL_INVALID naming the field, what was given
 * and what is legal.  object must live as long as a, and has passed
 * json_check(): no duplicates, no NUL, bounded depth.
 */
int args_bind(struct args *a, const cJSON *object, const struct param *params,
	      struct fail *fail);

/* Fallbacks only, for a table of which nothing need be given. */
void args_defaults(struct args *a, const struct param *params);

/* What a parameter may be, in words: `integer from 1 to 500`. */
void param_legal(struct buf *out, const struct param *p);

/* Whether a flag without a value sets it. */
bool param_is_boolean(const struct param *p);

/* Whether its flag may be repeated. */
bool param_is_list(const struct param *p);

/* The entry called name (underscores), or NULL. */
const struct param *param_find(const struct param *params, struct str name);

#endif /* BIND_H */

#ifndef BIND_H
#define BIND_H

#include "base/json_check.h"
#include "tool/declare.h"
#include "tool/param.h"

/*
 * Arguments as a program gets them: the struct that the members of an object
 * were bound to.
 */
struct args {
	void *bound;  /* args_size bytes, zeroed */
	void **owned; /* what the struct points to */
	size_t owned_n, owned_cap;
};

void args_init(struct args *a, size_t args_size);
void args_release(struct args *a);

/* Memory that lives as long as a: n zeroed things of size bytes. */
void *args_own(struct args *a, size_t n, size_t size);

/* The content of a JSON string, terminated, living as long as a. */
struct str args_text(struct args *a, struct str string);

/* How strictly. */
struct args_rules {
	bool open;   /* unknown members are ignored */
	bool stream; /* what is `streamed` is not to be given */
	const struct param *supplied; /* need not be given, or NULL */
};

/*
 * Binds the members of object by the table: unknown fields, types, ranges,
 * required ones.  0, or -1 with FAIL_INVALID naming the field, what was given
 * and what is legal.  object is the span of an object in text that
 * args_check() has accepted, and must live as long as a.
 */
int args_bind(struct args *a, struct str object, const struct param *params,
	      struct args_rules rules, struct fail *fail);

/* json_check() within the limits of the tool's arguments. */
int args_check(const struct tool *tool, struct str text,
	       struct json_error *error);

#endif /* BIND_H */

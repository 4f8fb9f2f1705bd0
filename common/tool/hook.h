#ifndef HOOK_H
#define HOOK_H

#include "tool/declare.h"

/* A program run as a host's hook: see struct hook_fact. */
struct hook {
	const struct hook_fact *facts; /* NULL: it is not */
	const struct hook_form *form;  /* of what is printed, or NULL */
	struct buf values[HOOK_FACTS_MOST];
};

/* Whether the command line asks for one, and for which. */
void hook_find(struct hook *h, const struct tool *tool, int argc, char *argv[]);
void hook_release(struct hook *h);

/*
 * Takes the host's object.  An option of the command line stands before it:
 * a fact that is not as the environment has it stays.  -1 with FAIL_INVALID
 * when input is not an object.  facts borrows from h.
 */
int hook_take(struct hook *h, struct str input, const struct facts *environment,
	      struct facts *facts, struct fail *fail);

/* Adds the text as the host takes it. */
void hook_print(const struct hook *h, struct str text, struct buf *out);

#endif /* HOOK_H */

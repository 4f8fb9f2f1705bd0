#ifndef TRANSCRIPT_HOOKS_H
#define TRANSCRIPT_HOOKS_H

#include "tool/declare.h"
#include "transcript/hosts.h"

/*
 * The hosts that run a program at the start of a window (spec/history.md 7.4):
 * what a declaration with the option `hook` needs, in the order of its values.
 */
extern const char *const hooks_hosts[]; /* their names; NULL last */
extern const struct hook_fact *const hooks_facts[];
extern const struct hook_form hooks_forms[];

/* The host of a value of that option. */
const struct host *hooks_host(size_t value);

#endif /* TRANSCRIPT_HOOKS_H */

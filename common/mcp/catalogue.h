#ifndef CATALOGUE_H
#define CATALOGUE_H

#include "mcp/definition.h"

/* A tool that was asked for and cannot be had. */
struct catalogue_gap {
	size_t tool;
	bool absent; /* there is no program of that name */
	struct fail fail;
};

/* The tools on offer, in the order of families_tools. */
struct catalogue {
	struct definition *v;
	size_t n;
	struct catalogue_gap *gap;
	size_t gaps;
};

/* Asks every program of the set `tools` in the folder bin. */
void catalogue_load(struct catalogue *c, const char *bin, uint64_t tools);
void catalogue_release(struct catalogue *c);

/* The tool called name, or NULL. */
const struct definition *catalogue_find(const struct catalogue *c,
					struct str name);

/* The set of tools that are on offer. */
uint64_t catalogue_tools(const struct catalogue *c);

/*
 * The folder that the running program is in, added to out: where its
 * siblings are.  -1 with FAIL_ENVIRONMENT when the system does not say.
 */
int catalogue_own_folder(struct buf *out, struct fail *fail);

#endif /* CATALOGUE_H */

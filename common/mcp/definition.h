#ifndef DEFINITION_H
#define DEFINITION_H

#include <stdbool.h>
#include <stddef.h>

#include "mcp/families.h"
#include "tool/fail.h"

/*
 * A tool as its own program defines it with --schema.  The spans are of
 * `text`: JSON values as they were printed.
 */
struct definition {
	size_t tool;	     /* index in families_tools */
	char *path;	     /* of the program, absolute */
	const char *program; /* its name, in path */
	char *text;
	struct str name, title, description, input_schema, output_schema, mode,
		annotations;
	bool sequential;
};

/*
 * Asks the tool's program in the folder bin.  0, or -1 with FAIL_ENVIRONMENT
 * naming it; *absent then says whether there is no such program at all.
 */
int definition_ask(struct definition *d, const char *bin, size_t tool,
		   bool *absent, struct fail *fail);
void definition_release(struct definition *d);

#endif /* DEFINITION_H */

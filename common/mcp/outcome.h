#ifndef OUTCOME_H
#define OUTCOME_H

#include "mcp/calls.h"

/*
 * The answer to a call that is over (spec/hosts.md sections 5.2 and 6.3).
 * timeout_s is for its words.
 */
void outcome_write(const struct call *call, enum tool_surface surface,
		   int64_t timeout_s, struct buf *out);

#endif /* OUTCOME_H */

#ifndef HISTORY_WRAPPER_H
#define HISTORY_WRAPPER_H

#include "tool/facts.h"
#include "tool/fail.h"

/*
 * What the host puts around the text of a successful list or read
 * (spec/history.md section 5.5): measured and printed alike.
 */
struct wrapper {
	struct str prefix, suffix;
};

#define WRAPPER_BYTES 8192

/* -1 with FAIL_ENVIRONMENT when they are too long or no UTF-8. */
int wrapper_get(struct wrapper *w, const struct facts *facts,
		struct fail *fail);

#endif /* HISTORY_WRAPPER_H */

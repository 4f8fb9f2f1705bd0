#ifndef HISTORY_TIMES_H
#define HISTORY_TIMES_H

#include "tool/declare.h"
#include "transcript/moment.h"

/*
 * The parameters since and until (spec/history.md section 1.4).  -1 with
 * FAIL_INVALID naming the parameter, or FAIL_ENVIRONMENT for a bad clock.
 */
int times_parse(const struct tool_call *call, const struct arg_string *since,
		const struct arg_string *until, struct time_range *times,
		struct fail *fail);

#endif /* HISTORY_TIMES_H */

#ifndef HISTORY_SESSIONS_H
#define HISTORY_SESSIONS_H

#include "history/session_facts.h"
#include "tool/declare.h"

/* history_sessions: which sessions there are (spec/people.md section 1). */
struct history_sessions_args {
	struct arg_string session, cwd;
	struct arg_list title;
	struct arg_string since, until;
	struct arg_boolean agents;
	struct arg_integer limit;
};

#define HISTORY_SESSIONS_LIMIT 20
#define HISTORY_SESSIONS_LIMIT_MAX 10000

struct history_sessions_row {
	struct buf session; /* <host>:<id> */
	size_t short_bytes; /* of it, that select it as well */
	struct session_facts facts;
	int64_t updated_at;
	struct buf resume; /* or empty */
};

struct history_sessions_result {
	struct corpus corpus;
	struct history_sessions_row *rows;
	size_t n, cap;
	int64_t matching; /* sessions in all */
	struct field_list sessions;
	int64_t more;
	int64_t sessions_skipped;
	struct str *host_names;
	struct field_list hosts_unavailable;
};

int history_sessions_run(const struct tool_call *call, void *result,
			 struct fail *fail);
void history_sessions_text(const void *result, struct buf *out);
void history_sessions_person(const void *result, const struct terminal *t,
			     struct buf *out);
void history_sessions_release(void *result);

/*
 * For completions, which wait for no look into all files: of those that were
 * modified last, when and about what.
 */
void history_sessions_offer(const struct facts *facts, struct buf *out);

#endif /* HISTORY_SESSIONS_H */

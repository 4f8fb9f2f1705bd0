#ifndef HISTORY_LIST_H
#define HISTORY_LIST_H

#include "history/page.h"
#include "tool/declare.h"

/* history_list: browse or search recorded events (spec/history.md section 5). */
struct history_list_args {
	struct arg_list query;
	struct arg_set roles;
	struct arg_integer before_seq, after_seq;
	struct arg_enum from;
	struct arg_string since, until;
	struct arg_integer limit, max_chars_per_item;
	struct arg_string session, cwd;
	struct arg_boolean match_all, agents;
};

enum history_list_from { HISTORY_LIST_OLDEST, HISTORY_LIST_NEWEST };

#define HISTORY_LIST_LIMIT 20
#define HISTORY_LIST_LIMIT_MAX 500
#define HISTORY_LIST_CHARS 1200
#define HISTORY_LIST_CHARS_MAX 50000
#define HISTORY_LIST_QUERIES 64
#define HISTORY_LIST_QUERY_CHARS 4096

/* The result is a struct page; page_text(), page_release(). */
int history_list_run(const struct tool_call *call, void *result,
		     struct fail *fail);

#endif /* HISTORY_LIST_H */

#include "test.h"

#include <unistd.h>

#include <sqlite3.h>

#include "lessons/lessons_add.h"
#include "lessons/lessons_audit.h"
#include "lessons/lessons_evaluate.h"
#include "lessons/lessons_list.h"
#include "lessons/lessons_recall.h"
#include "lessons/lessons_show.h"
#include "lessons/lessons_status.h"
#include "lessons/memory.h"
#include "lessons/memory_audit.h"
#include "lessons/memory_evaluate.h"

/*
 * How SQLite finds what the programs list, recall, look up, audit and evaluate
 * (spec/lessons.md section 12): every statement that they run on the store is
 * caught and explained.
 */
#define CAUGHT_MOST 200

static char *caught[CAUGHT_MOST];
static size_t caught_n;

static int
catch_statement(unsigned type, void *ctx, void *stmt, void *unused)
{
	const char *text = sqlite3_sql(stmt);
	const char *file = sqlite3_db_filename(sqlite3_db_handle(stmt), "main");
	size_t i;

	(void)type, (void)ctx, (void)unused;
	/* The sidecar has some rows of open reviews, and nothing to search. */
	if (text == NULL || file == NULL || strstr(file, "d-v9.") == NULL ||
	    (strncmp(text, "SELECT", 6) != 0 && strncmp(text, "WITH", 4) != 0 &&
	     strncmp(text, "UPDATE", 6) != 0))
		return 0;
	for (i = 0; i < caught_n; i++)
		if (strcmp(caught[i], text) == 0)
			return 0;
	if (caught_n < CAUGHT_MOST)
		caught[caught_n++] = strdup(text);
	return 0;
}

static int
watch(sqlite3 *db, const char **error, const void *api)
{
	(void)error, (void)api;
	return sqlite3_trace_v2(db, SQLITE_TRACE_STMT, catch_statement, NULL);
}

static const struct field none[] = { FIELD_END };
static const struct tool tool = { .name = "x",
				  .result = none,
				  .text = lessons_list_text };

/* The id of the review that was started last. */
static char review[64];

static void
keep_id(struct str id)
{
	snprintf(review, sizeof(review), "%.*s", (int)id.n,
		 id.s == NULL ? "" : id.s);
}

/* Runs a program's work on arguments; but for an id its result is thrown away. */
static void
run(int (*work)(const struct tool_call *, void *, struct fail *),
    tool_render *text, void (*release)(void *), const void *args, size_t size)
{
	struct tool with = tool;
	struct facts facts;
	struct buf remarks = BUF_INIT;
	struct fail fail = FAIL_INIT;
	struct tool_call call = { .tool = &with,
				  .args = args,
				  .facts = &facts,
				  .remarks = &remarks };
	void *result = calloc(1, size);

	with.text = text;
	facts_from_environment(&facts);
	if (work(&call, result, &fail) != 0)
		printf("# %s\n", fail.message.data);
	if (work == lessons_audit_run)
		keep_id(((struct lessons_audit_result *)result)->id);
	if (work == lessons_evaluate_run)
		keep_id(((struct lessons_evaluate_result *)result)->id);
	release(result);
	free(result);
	buf_release(&remarks);
	fail_release(&fail);
}

#define RUN(name, result, ...)                                       \
	do {                                                         \
		struct name##_args given = { __VA_ARGS__ };          \
		run(name##_run, name##_text, name##_release, &given, \
		    sizeof(struct result));                          \
	} while (0)

static void
add(const char *text)
{
	struct lessons_add_args args = { .text = { text, strlen(text), true } };

	run(lessons_add_run, memory_text, memory_release, &args,
	    sizeof(struct memory_result));
}

static void
learn(const char *text)
{
	struct memory_args args = { .action = { MEMORY_ADD, true },
				    .basis = { 2, true }, /* user_request */
				    .text = { text, strlen(text), true },
				    .evidence = { "Seen.", 5, true } };

	run(memory_run, memory_text, memory_release, &args,
	    sizeof(struct memory_result));
}

/* Descriptors of a dialog whose answers are there before it asks. */
static void
answer(const char *lines, char fds[32])
{
	int in[2], out[2];

	if (pipe(in) != 0 || pipe(out) != 0 ||
	    write(in[1], lines, strlen(lines)) < 0)
		exit(1);
	(void)close(in[1]);
	snprintf(fds, 32, "%d,%d", in[0], out[1]);
}

/* An audit that archives lesson 1 and moves lesson 2, to its end. */
static void
audit(void)
{
	struct memory_audit_change changes[2] = {
		{ .id = { 1, true },
		  .action = { AUDIT_ARCHIVE, true },
		  .reason = { "Old.", 4, true } },
		{ .id = { 2, true },
		  .action = { AUDIT_MOVE, true },
		  .reason = { "All.", 4, true } },
	};
	struct memory_audit_args args = { .changes = { changes, 2, true } };
	char fds[32];

	RUN(lessons_audit, lessons_audit_result, .action = { 0, false },
	    .all_projects = { true, true },
	    .max_bytes = { STAGE_BYTES, false });
	RUN(lessons_status, lessons_status_result, .limit = { 9, true });
	answer("{\"value\":\"apply\"}\n", fds);
	args.audit_id = (struct arg_string){ review, strlen(review), true };
	args.channel.ui_fd = (struct arg_string){ fds, strlen(fds), true };
	run(memory_audit_run, review_result_text, review_result_release, &args,
	    sizeof(struct review_result));
}

/* An evaluation of candidate 1, to its end, and another one after it. */
static void
evaluate(void)
{
	struct arg_integer id = { 1, true };
	struct memory_evaluate_group group = { .candidates = { &id, 1, true },
					       .text = { "Three.", 6, true },
					       .evidence = { "Seen.", 5, true },
					       .reason = { "Good.", 5, true },
					       .scope = { GROUP_PROJECT, true },
					       .recommend = { true, true } };
	struct memory_evaluate_args args = { .groups = { &group, 1, true } };
	char fds[32];

	learn("Three.");
	RUN(lessons_evaluate, lessons_evaluate_result, .action = { 0, false },
	    .max_bytes = { STAGE_BYTES, false });
	answer("{\"value\":\"0\"}\n{\"value\":\"yes\"}\n"
	       "{\"value\":\"finish\"}\n",
	       fds);
	args.evaluation_id = (struct arg_string){ review, strlen(review),
						  true };
	args.channel.ui_fd = (struct arg_string){ fds, strlen(fds), true };
	run(memory_evaluate_run, review_result_text, review_result_release,
	    &args, sizeof(struct review_result));
	setenv("CTX_SESSION", "pi:s2", 1);
	learn("Three.");
	RUN(lessons_evaluate, lessons_evaluate_result, .action = { 0, false },
	    .max_bytes = { STAGE_BYTES, false });
}

/*
 * Walks that are bounded by what is asked for: an evaluation is of all pending
 * candidates, which have an index of their own, and shows what was ever judged
 * of them, which the schema has no index for.  candidate_state has two rows.
 */
static bool
bounded(const char *detail)
{
	static const char *const walks[] = { "candidate_pending_identity",
					     "CONSTANT ROW",
					     "sqlite_",
					     "SCAN chain",
					     "SCAN m",
					     "SCAN candidate_state" };
	size_t i;

	for (i = 0; i < sizeof(walks) / sizeof(*walks); i++)
		if (strstr(detail, walks[i]) != NULL)
			return true;
	return false;
}

/* What SQLite says of one statement. */
static void
explain(sqlite3 *db, const char *text)
{
	struct buf sql = BUF_INIT;
	sqlite3_stmt *stmt = NULL;
	bool good = true;

	buf_addf(&sql, "EXPLAIN QUERY PLAN %s", text);
	if (sqlite3_prepare_v2(db, sql.data, -1, &stmt, NULL) != SQLITE_OK)
		good = false;
	while (good && sqlite3_step(stmt) == SQLITE_ROW) {
		const char *detail = (const char *)sqlite3_column_text(stmt, 3);

		if (strncmp(detail, "SCAN", 4) == 0 && !bounded(detail)) {
			printf("# %s: %s\n", text, detail);
			good = false;
		}
	}
	(void)sqlite3_finalize(stmt);
	ok(good, "no table is walked by: %.60s", text);
	buf_release(&sql);
}

int
main(void)
{
	char folder[] = "/tmp/plans.XXXXXX";
	struct buf path = BUF_INIT;
	sqlite3 *db = NULL;
	size_t i;

	if (mkdtemp(folder) == NULL || chdir(folder) != 0)
		return 1;
	buf_addf(&path, "%s/d.sqlite3", folder);
	setenv("CTX_LESSONS_DB", path.data, 1);
	setenv("CTX_STATE_DIR", folder, 1);
	setenv("CTX_CONFIG", "/nowhere/config.yaml", 1);
	setenv("CTX_SESSION", "pi:s1", 1);
	setenv("CTX_CWD", folder, 1);
	add("One.");
	add("Two.");
	(void)sqlite3_auto_extension((void (*)(void))watch);
	for (i = 0; i < 16; i++)
		RUN(lessons_list, lessons_list_result,
		    .query = { "x", 1, i % 2 == 1 },
		    .state = { (int)(i / 2 % 2), true },
		    .scope = { (int)(i / 4), true }, .limit = { 9, true });
	RUN(lessons_show, lessons_show_result, .id = { 1, true });
	RUN(lessons_history, lessons_history_result, .id = { 1, true },
	    .limit = { 9, true });
	RUN(lessons_recall, lessons_recall_result, .since = { "", 0, false });
	evaluate();
	setenv("CTX_SESSION", "pi:s3", 1);
	audit();
	(void)sqlite3_cancel_auto_extension((void (*)(void))watch);
	buf_reset(&path);
	buf_addf(&path, "%s/d-v9.sqlite3", folder);
	ok(caught_n >= 40, "%zu statements were caught", caught_n);
	if (sqlite3_open(path.data, &db) == SQLITE_OK)
		for (i = 0; i < caught_n; i++)
			explain(db, caught[i]);
	(void)sqlite3_close(db);
	for (i = 0; i < caught_n; i++)
		free(caught[i]);
	(void)unlink(path.data);
	if (chdir("/") == 0)
		(void)rmdir(folder);
	buf_release(&path);
	return done();
}

#include "test.h"

#include <unistd.h>

#include <sqlite3.h>

#include "lessons/lessons_add.h"
#include "lessons/lessons_list.h"
#include "lessons/lessons_recall.h"
#include "lessons/lessons_show.h"

/*
 * How SQLite finds what the programs list, recall and look up
 * (spec/lessons.md section 12): every statement they run is caught and
 * explained.
 */
#define CAUGHT_MOST 200

static char *caught[CAUGHT_MOST];
static size_t caught_n;

static int
catch_statement(unsigned type, void *ctx, void *stmt, void *unused)
{
	const char *text = sqlite3_sql(stmt);
	size_t i;

	(void)type, (void)ctx, (void)unused;
	if (text == NULL || strncmp(text, "SELECT", 6) != 0)
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

/* Runs a program's work on arguments; its result is thrown away. */
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
	release(result);
	free(result);
	buf_release(&remarks);
	fail_release(&fail);
}

#define RUN(name, result, ...)                                      \
	do {                                                        \
		struct name##_args args = { __VA_ARGS__ };          \
		run(name##_run, name##_text, name##_release, &args, \
		    sizeof(struct result));                         \
	} while (0)

static void
add(const char *text)
{
	struct lessons_add_args args = { .text = { text, strlen(text), true } };

	run(lessons_add_run, memory_text, memory_release, &args,
	    sizeof(struct memory_result));
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

		/* Pending candidates have an index of their own to walk. */
		if (strncmp(detail, "SCAN", 4) == 0 &&
		    strstr(detail, "candidate_pending_identity") == NULL &&
		    strstr(detail, "CONSTANT ROW") == NULL &&
		    strstr(detail, "sqlite_") == NULL) {
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
	(void)sqlite3_cancel_auto_extension((void (*)(void))watch);
	buf_reset(&path);
	buf_addf(&path, "%s/d-v9.sqlite3", folder);
	ok(caught_n >= 12, "%zu statements were caught", caught_n);
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

/*
 * The copy of a store: whatever it is, it is read wholly, or refused with
 * a message; and a store that took one has no reference that leads nowhere.
 */
#include <stdint.h>
#include <stdlib.h>

#include "lessons/jsonl.h"
#include "lessons/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static int64_t
value(struct sql *s, const char *text)
{
	struct fail fail = FAIL_INIT;
	int64_t v = -1;

	if (query_value(s, &fail, &v, text, "") < 0)
		abort();
	fail_release(&fail);
	return v;
}

/* One store for all inputs: each is rolled back. */
static struct sql *
store(void)
{
	static struct sql s = SQL_INIT;
	struct fail fail = FAIL_INIT;
	size_t i;

	if (s.db != NULL)
		return &s;
	if (sql_open(&s, ":memory:", SQL_WRITE, &fail) != 0)
		abort();
	for (i = 0; schema_script[i] != NULL; i++)
		if (sql_script(&s, schema_script[i], &fail) != 0)
			abort();
	return &s;
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct sql *s = store();
	struct fail fail = FAIL_INIT;
	int64_t records = 0;
	int rc;

	if (sql_begin(s, &fail) != 0)
		abort();
	rc = jsonl_read(s, (struct str){ (const char *)p, n }, &records, &fail);
	if (rc != 0 && fail.message.len == 0)
		abort();
	if (rc == 0 &&
	    (records < 0 || value(s, "SELECT count(*) FROM "
				     "pragma_foreign_key_check()") != 0))
		abort();
	sql_rollback(s);
	if (value(s, "SELECT (SELECT count(*) FROM lessons) + "
		     "(SELECT count(*) FROM candidates)") != 0)
		abort();
	fail_release(&fail);
	return 0;
}

/*
 * Whatever the check accepts, cJSON, the laxer of the two, parses to the end;
 * whatever it refuses has a place and a reason that can be printed.  Flags and
 * levels only ever allow more.
 */
#include <stdint.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "base/json_check.h"
#include "base/utf8.h"

#include "../unit/json_naive.h"

#define DEPTH 900 /* cJSON stops at 1,000 */
#define ALL (JSON_ALLOW_NUL | JSON_ALLOW_DUPLICATES | JSON_ALLOW_LONE)

static void
require(bool holds)
{
	if (!holds)
		abort();
}

static void
check_error(struct str text, const struct json_error *e)
{
	struct str reason = str_of(e->reason);
	unsigned line = 1, column = 1;
	size_t i;

	require(e->offset <= text.n && reason.n > 0 &&
		reason.n < sizeof(e->reason) && utf8_valid(reason));
	for (i = 0; i < reason.n; i++)
		require((unsigned char)reason.s[i] >= 0x20);
	for (i = 0; i < e->offset; i++) {
		column++;
		if (text.s[i] == '\n') {
			line++;
			column = 1;
		}
	}
	require(line == e->line && column == e->column);
}

static void
check_cjson(struct str text)
{
	const char *end = NULL;
	cJSON *tree = cJSON_ParseWithLengthOpts(text.s, text.n, &end, 0);

	require(tree != NULL);
	for (; end < text.s + text.n; end++)
		require(*end == ' ' || *end == '\t' || *end == '\n' ||
			*end == '\r');
	cJSON_Delete(tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char *copy = malloc(n + (n == 0));
	struct str text = { copy, n };
	struct json_error e;
	unsigned flags;
	int strict, rc;

	if (copy == NULL)
		abort();
	if (n > 0)
		memcpy(copy, p, n);
	strict = json_check(text, DEPTH, 0, &e);
	if (strict == 0)
		check_cjson(text);
	else
		check_error(text, &e);
	for (flags = 1; flags <= ALL; flags++) {
		rc = json_check(text, DEPTH, flags, &e);
		if (rc != 0)
			check_error(text, &e);
		require(rc == 0 || strict != 0);
		if (flags & JSON_ALLOW_DUPLICATES)
			require((rc == 0) == naive_json(text, DEPTH, flags));
	}
	if (json_check(text, 3, ALL, NULL) == 0)
		require(json_check(text, DEPTH, ALL, NULL) == 0);
	free(copy);
	return 0;
}

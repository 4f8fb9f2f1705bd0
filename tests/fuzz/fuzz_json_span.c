/*
 * Walks anything that the check accepts: canonical JSON is accepted and stays
 * as it is, decoded strings are valid UTF-8 and no longer than their source,
 * every member is found again under its own name, and where cJSON can hold
 * the document (no NUL, no lone surrogate) both see the same one.
 */
#include <stdint.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "base/json_check.h"
#include "base/json_span.h"
#include "base/json_write.h"
#include "base/utf8.h"

#define DEPTH 200 /* the walk below recurses */
#define ALL (JSON_ALLOW_NUL | JSON_ALLOW_DUPLICATES | JSON_ALLOW_LONE)

static void
require(bool holds)
{
	if (!holds)
		abort();
}

static void
check_string(struct str raw)
{
	struct buf scratch = BUF_INIT, decoded = BUF_INIT, quoted = BUF_INIT;
	struct buf canonical = BUF_INIT;
	struct str text = json_text(raw, &scratch);

	json_decode(raw, &decoded);
	json_canonical(raw, &canonical);
	json_quote(&quoted, text);
	require(str_eq(text, buf_str(&decoded)) && utf8_valid(text) &&
		text.n <= raw.n - 2);
	/* What was decoded, written by the writer, is the canonical form. */
	require(str_eq(buf_str(&quoted), buf_str(&canonical)));
	if (memchr(decoded.data, '\0', decoded.len) == NULL)
		require(json_string_is(raw, decoded.data));
	buf_addc(&decoded, 'x');
	require(!json_string_is(raw, decoded.data) ||
		memchr(decoded.data, '\0', decoded.len) != NULL);
	buf_release(&scratch);
	buf_release(&decoded);
	buf_release(&quoted);
	buf_release(&canonical);
}

/* A long double holds every integer in question, and this many digits. */
#define EXACT_DIGITS 18
static void
check_number(struct str value)
{
	const long double limit = 9007199254740992;
	struct buf text = BUF_INIT;
	long double exact;
	int64_t v;

	buf_add_str(&text, value);
	exact = strtold(text.data, NULL);
	if (json_to_integer(value, &v))
		require(exact == (long double)v && v <= INT64_C(1) << 53 &&
			v >= -(INT64_C(1) << 53));
	else if (value.n <= EXACT_DIGITS && strpbrk(text.data, "eE") == NULL)
		require(exact > limit || exact < -limit ||
			exact != (long double)(int64_t)exact);
	buf_release(&text);
}

static void walk(struct str value);

static void
check_member(struct str object, struct str key, struct str value)
{
	struct buf name = BUF_INIT;
	struct str found;

	check_string(key);
	json_decode(key, &name);
	if (memchr(name.data, '\0', name.len) == NULL) {
		found = json_get(object, name.data);
		/* This member, or a later one of the same name. */
		require(found.s >= value.s);
	}
	buf_release(&name);
}

static void
walk(struct str value)
{
	struct json_iter it = json_iterate(value);
	struct str key, inner;

	require(value.n > 0 && json_value(value).n == value.n);
	switch (json_kind(value)) {
	case JSON_STRING:
		check_string(value);
		break;
	case JSON_NUMBER:
		check_number(value);
		break;
	case JSON_ARRAY:
		require(!json_next_member(&it, &key, &inner));
		while (json_next_element(&it, &inner))
			walk(inner);
		break;
	case JSON_OBJECT:
		require(!json_next_element(&it, &inner));
		while (json_next_member(&it, &key, &inner)) {
			check_member(value, key, inner);
			walk(inner);
		}
		break;
	default:
		break;
	}
}

/* Whether the value and cJSON's tree are the same document. */
static void
compare(struct str value, const cJSON *tree)
{
	struct json_iter it = json_iterate(value);
	struct buf text = BUF_INIT;
	struct str key, inner;
	const cJSON *child = tree->child;

	switch (json_kind(value)) {
	case JSON_STRING:
		json_decode(value, &text);
		require(cJSON_IsString(tree) &&
			str_is(buf_str(&text), tree->valuestring));
		break;
	case JSON_NUMBER:
		require(cJSON_IsNumber(tree));
		break;
	case JSON_ARRAY:
		require(cJSON_IsArray(tree));
		for (; json_next_element(&it, &inner); child = child->next)
			compare(inner, child);
		require(child == NULL);
		break;
	case JSON_OBJECT:
		require(cJSON_IsObject(tree));
		for (; json_next_member(&it, &key, &inner);
		     child = child->next) {
			require(json_string_is(key, child->string));
			compare(inner, child);
		}
		require(child == NULL);
		break;
	case JSON_BOOLEAN:
		require(json_is_true(value) ? cJSON_IsTrue(tree)
					    : cJSON_IsFalse(tree));
		break;
	default:
		require(cJSON_IsNull(tree));
	}
	buf_release(&text);
}

static void
check_canonical(struct str text)
{
	struct buf once = BUF_INIT, twice = BUF_INIT;
	cJSON *tree;

	json_canonical(text, &once);
	/* Lone surrogates are gone from it. */
	require(json_check(buf_str(&once), DEPTH,
			   JSON_ALLOW_NUL | JSON_ALLOW_DUPLICATES, NULL) == 0);
	json_canonical(buf_str(&once), &twice);
	require(str_eq(buf_str(&once), buf_str(&twice)) && once.len <= text.n);
	if (json_check(text, DEPTH, JSON_ALLOW_DUPLICATES, NULL) == 0) {
		tree = cJSON_ParseWithLength(once.data, once.len);
		require(tree != NULL);
		compare(json_value(text), tree);
		cJSON_Delete(tree);
	}
	buf_release(&once);
	buf_release(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char *copy = malloc(n + (n == 0));
	struct str text = { copy, n };

	if (copy == NULL)
		abort();
	if (n > 0)
		memcpy(copy, p, n);
	if (json_check(text, DEPTH, ALL, NULL) == 0) {
		walk(json_value(text));
		check_canonical(text);
	}
	free(copy);
	return 0;
}

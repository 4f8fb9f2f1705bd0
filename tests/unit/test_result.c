/* Results as their tables say: every type of member, there or not. */
#include "tool/result.h"

#include "base/json_check.h"
#include "test.h"
#include "tool/schema.h"

static const char *const words[] = { "left", "right", NULL };

struct inner {
	int64_t n;
	bool on;
};

struct all {
	struct str string;
	const char *chars;
	struct buf text;
	int64_t integer, time;
	bool yes, always;
	int maybe, word;
	struct field_list strings, lists, objects, kinds, counts;
	struct inner inner;
	const struct inner *pointed;
	struct str json, open, opens;
	struct inner spliced;
};

#define INNER(member) .offset = offsetof(struct inner, member)
static const struct field inner[] = {
	{ .name = "n", .type = FIELD_INTEGER, INNER(n) },
	{ .name = "on", .type = FIELD_BOOLEAN, INNER(on) },
	FIELD_END
};
static const struct field other[] = {
	{ .name = "m", .type = FIELD_INTEGER, INNER(n) }, FIELD_END
};
static const struct field *const kinds[] = { inner, other, NULL };

#define AT(member) .offset = offsetof(struct all, member)
#define ALL(flag)                                                              \
	{ .name = "string", .type = FIELD_STRING, AT(string), flag },          \
		{ .name = "chars", .type = FIELD_CHARS, AT(chars), flag },     \
		{ .name = "text", .type = FIELD_BUF, AT(text), flag },         \
		{ .name = "integer",                                           \
		  .type = FIELD_INTEGER,                                       \
		  AT(integer),                                                 \
		  flag },                                                      \
		{ .name = "time", .type = FIELD_TIME, AT(time), flag },        \
		{ .name = "word",                                              \
		  .type = FIELD_ENUM,                                          \
		  AT(word),                                                    \
		  flag,                                                        \
		  .values = words },                                           \
		{ .name = "strings",                                           \
		  .type = FIELD_STRINGS,                                       \
		  AT(strings),                                                 \
		  flag },                                                      \
		{ .name = "lists",                                             \
		  .type = FIELD_STRING_LISTS,                                  \
		  AT(lists),                                                   \
		  flag },                                                      \
		{ .name = "objects",                                           \
		  .type = FIELD_OBJECTS,                                       \
		  AT(objects),                                                 \
		  flag,                                                        \
		  .fields = inner,                                             \
		  .size = sizeof(struct inner) },                              \
		{ .name = "kinds",                                             \
		  .type = FIELD_KINDS,                                         \
		  AT(kinds),                                                   \
		  flag,                                                        \
		  .kinds = kinds },                                            \
		{ .name = "counts",                                            \
		  .type = FIELD_MAP_INTEGER,                                   \
		  AT(counts),                                                  \
		  flag },                                                      \
		{ .name = "json", .type = FIELD_JSON, AT(json), flag },        \
		{ .name = "open", .type = FIELD_OPEN_OBJECT, AT(open), flag }, \
	{                                                                      \
		.name = "opens", .type = FIELD_OPEN_OBJECTS, AT(opens), flag   \
	}

static const struct field plain[] = {
	ALL(.optional = false),
	{ .name = "yes", .type = FIELD_BOOLEAN, AT(yes) },
	{ .name = "inner", .type = FIELD_OBJECT, AT(inner), .fields = inner },
	{ .name = "", .type = FIELD_MEMBERS, AT(spliced), .fields = other },
	FIELD_END
};
#define MAYBE(flag)                                                         \
	{ .name = "maybe", .type = FIELD_BOOLEAN, AT(maybe), flag },        \
		{ .name = "always",                                         \
		  .type = FIELD_BOOLEAN,                                    \
		  AT(always),                                               \
		  flag,                                                     \
		  .constant_true = true },                                  \
	{                                                                   \
		.name = "pointed", .type = FIELD_OBJECT, AT(pointed), flag, \
		.fields = inner                                             \
	}
static const struct field optional[] = { ALL(.optional = true),
					 MAYBE(.optional = true), FIELD_END };
static const struct field nullable[] = { ALL(.nullable = true),
					 MAYBE(.nullable = true), FIELD_END };
static const struct field zero[] = { { .name = "integer",
				       .type = FIELD_INTEGER,
				       AT(integer),
				       .optional = true,
				       .zero_is_none = true },
				     FIELD_END };

static const struct inner one = { 1, true }, two = { 2, false };
static const struct inner both[] = { { 1, true }, { 2, false } };
static const struct str strings[] = { { "a", 1 }, { "\"", 1 } };
static const struct field_list lists[] = { { strings, 2 }, { NULL, 0 } };
static const struct field_kind mixed[] = { { 1, &one }, { 0, &two } };
static const struct field_count counts[] = { { { "x", 1 }, 7 } };

static void
writes(const struct field *fields, const struct all *all, const char *want,
       const char *name)
{
	struct buf out = BUF_INIT;
	struct json_writer w;

	json_begin(&w, &out);
	result_object(&w, fields, all);
	is_string(out.data, want, name);
	ok(json_check(buf_str(&out), 64, JSON_ALLOW_NUL, NULL) == 0, "%s: JSON",
	   name);
	buf_release(&out);
}

#define FULL                                                                 \
	"\"string\":\"s\\u0000\",\"chars\":\"c\",\"text\":\"t\","            \
	"\"integer\":-5,\"time\":\"1970-01-01T00:00:00.001Z\","              \
	"\"word\":\"right\",\"strings\":[\"a\",\"\\\"\"],"                   \
	"\"lists\":[[\"a\",\"\\\"\"],[]],"                                   \
	"\"objects\":[{\"n\":1,\"on\":true},{\"n\":2,\"on\":false}],"        \
	"\"kinds\":[{\"m\":1},{\"n\":2,\"on\":false}],\"counts\":{\"x\":7}," \
	"\"json\":1e400,\"open\":{\"a\":[]},\"opens\":[{}]"

static void
test_members(void)
{
	struct all all = { .string = { "s", 2 },
			   .chars = "c",
			   .text = BUF_INIT,
			   .integer = -5,
			   .time = 1,
			   .yes = true,
			   .always = true,
			   .maybe = 0,
			   .word = 1,
			   .strings = { strings, 2 },
			   .lists = { lists, 2 },
			   .objects = { both, 2 },
			   .kinds = { mixed, 2 },
			   .counts = { counts, 1 },
			   .inner = { 3, true },
			   .pointed = &two,
			   .json = STR("1e400"),
			   .open = STR("{\"a\":[]}"),
			   .opens = STR("[{}]"),
			   .spliced = { 9, false } };
	struct all none = { .text = BUF_INIT,
			    .integer = FIELD_NONE,
			    .time = FIELD_NONE,
			    .maybe = -1,
			    .word = -1 };

	buf_adds(&all.text, "t");
	writes(plain, &all,
	       "{" FULL ",\"yes\":true,\"inner\":{\"n\":3,\"on\":true},"
	       "\"m\":9}",
	       "every member");
	writes(optional, &all,
	       "{" FULL ",\"maybe\":false,\"always\":true,"
	       "\"pointed\":{\"n\":2,\"on\":false}}",
	       "optional ones that are there");
	writes(nullable, &all,
	       "{" FULL ",\"maybe\":false,\"always\":true,"
	       "\"pointed\":{\"n\":2,\"on\":false}}",
	       "nullable ones that are there");
	writes(optional, &none, "{}", "optional ones that are not");
	writes(nullable, &none,
	       "{\"string\":null,\"chars\":null,\"text\":null,"
	       "\"integer\":null,\"time\":null,\"word\":null,"
	       "\"strings\":null,\"lists\":null,\"objects\":null,"
	       "\"kinds\":null,\"counts\":null,\"json\":null,"
	       "\"open\":null,\"opens\":null,\"maybe\":null,"
	       "\"always\":null,\"pointed\":null}",
	       "nullable ones that are not");
	all.integer = 0;
	writes(zero, &all, "{}", "zero is none where the table says so");
	all.integer = 1;
	writes(zero, &all, "{\"integer\":1}", "and one is not");
	buf_release(&all.text);
}

/* ---- several shapes ----------------------------------------------------- */

struct shaped {
	int shape;
	int64_t id;
	struct str status, memos;
	int64_t count;
};

#define SHAPED(member) .offset = offsetof(struct shaped, member)
static const struct field first[] = {
	{ .name = "status", .type = FIELD_STRING, SHAPED(status) },
	{ .name = "id", .type = FIELD_INTEGER, SHAPED(id) },
	{ .name = "memos", .type = FIELD_INTEGER, SHAPED(count) },
	FIELD_END
};
static const struct field second[] = {
	{ .name = "id", .type = FIELD_INTEGER, SHAPED(id) },
	{ .name = "memos", .type = FIELD_OPEN_OBJECT, SHAPED(memos) },
	FIELD_END
};
static const struct field *const shapes[] = { first, second, NULL };

static void
test_shapes(void)
{
	static const struct tool tool = {
		.name = "x",
		.title = "X",
		.description = "Does x.",
		.shapes = shapes,
		.shape_offset = offsetof(struct shaped, shape),
	};
	struct shaped shaped = { 0, 4, STR("done"), STR("{\"a\":1}"), 6 };
	struct buf out = BUF_INIT;

	result_json(&tool, &shaped, &out);
	is_string(out.data, "{\"status\":\"done\",\"id\":4,\"memos\":6}",
		  "the first shape");
	buf_reset(&out);
	shaped.shape = 1;
	result_json(&tool, &shaped, &out);
	is_string(out.data, "{\"id\":4,\"memos\":{\"a\":1}}", "the second");
	buf_reset(&out);
	schema_print(&tool, &out);
	ok(strstr(out.data,
		  "\"outputSchema\":{\"type\":\"object\",\"properties\":{"
		  "\"status\":{\"type\":\"string\"},"
		  "\"id\":{\"type\":\"integer\"},"
		  "\"memos\":{\"anyOf\":[{\"type\":\"integer\"},"
		  "{\"type\":\"object\"}]}},"
		  "\"required\":[\"id\",\"memos\"],"
		  "\"additionalProperties\":false}") != NULL,
	   "the schema has what they have in common");
	buf_release(&out);
}

static void
test_refusal(void)
{
	struct fail fail = FAIL_INIT;
	struct buf out = BUF_INIT;

	fail_refuse(&fail, "bad_op", "op %d is \"bad\"", 1);
	result_refusal(&fail, &out);
	is_string(out.data,
		  "{\"error\":\"op 1 is \\\"bad\\\"\",\"code\":\"bad_op\"}",
		  "a refusal");
	fail_member_integer(&fail, "batch", 2);
	fail_member(&fail, "state", STR("{\"a\":1.0}"));
	buf_reset(&out);
	result_refusal(&fail, &out);
	is_string(out.data,
		  "{\"error\":\"op 1 is \\\"bad\\\"\",\"code\":\"bad_op\","
		  "\"batch\":2,\"state\":{\"a\":1.0}}",
		  "with members of its own");
	fail_refuse(&fail, "gap", "again");
	buf_reset(&out);
	result_refusal(&fail, &out);
	is_string(out.data, "{\"error\":\"again\",\"code\":\"gap\"}",
		  "which go with it");
	buf_release(&out);
	fail_release(&fail);
}

int
main(void)
{
	test_members();
	test_shapes();
	test_refusal();
	return done();
}

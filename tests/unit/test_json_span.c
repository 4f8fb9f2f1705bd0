#include "test.h"

#include "base/json_check.h"
#include "base/json_span.h"
#include "base/xalloc.h"

#define ANY (JSON_ALLOW_NUL | JSON_ALLOW_DUPLICATES | JSON_ALLOW_LONE)
#define TEXT(literal)                           \
	{                                       \
		"" literal, sizeof(literal) - 1 \
	}

static struct buf out = BUF_INIT;

/* The name is often the text at hand: a line of TAP must stay one line. */
static void
is_str(struct str got, const char *want, const char *name)
{
	char line[200];
	size_t i;

	(void)snprintf(line, sizeof(line), "%s", name);
	for (i = 0; line[i] != '\0'; i++)
		if ((unsigned char)line[i] < 0x20)
			line[i] = '?';
	is_bytes(got.s, got.n, want, strlen(want), line);
}

/* A test of a function that takes checked text has to check it. */
static struct str
checked(struct str text)
{
	struct json_error e;

	if (json_check(text, 1000000, ANY, &e) != 0)
		ok(false, "the test's own text is JSON: %s", e.reason);
	return json_value(text);
}

static void
values(void)
{
	static const struct {
		const char *text;
		enum json_kind kind;
	} row[] = {
		{ "null", JSON_NULL },	    { "true", JSON_BOOLEAN },
		{ "false", JSON_BOOLEAN },  { "0", JSON_NUMBER },
		{ "-1.5e3", JSON_NUMBER },  { "\"\"", JSON_STRING },
		{ "\" x \"", JSON_STRING }, { "[]", JSON_ARRAY },
		{ "[ ]", JSON_ARRAY },	    { "{ }", JSON_OBJECT },
	};
	size_t i;

	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct str v;

		buf_reset(&out);
		buf_addf(&out, "\n \t\r%s\r\n\t ", row[i].text);
		v = checked(buf_str(&out));
		is_str(v, row[i].text, "the value without white space");
		is_int(json_kind(v), row[i].kind, row[i].text);
		ok(json_is_true(v) == (i == 1), "whether it is true");
	}
	is_int(json_kind((struct str){ NULL, 0 }), JSON_NONE, "no value");
	is_int((long long)json_value((struct str){ NULL, 0 }).n, 0,
	       "nothing in nothing");
	is_int((long long)json_value(STR(" \n")).n, 0, "nothing in blanks");
}

/* Elements or members, as key=value;... in raw form. */
static void
walk(const char *text, bool members, const char *want)
{
	struct json_iter it = json_iterate(checked(str_of(text)));
	struct str key = { NULL, 0 }, value;

	buf_reset(&out);
	while (members ? json_next_member(&it, &key, &value)
		       : json_next_element(&it, &value)) {
		buf_add_str(&out, key);
		buf_adds(&out, members ? "=" : "");
		buf_add_str(&out, value);
		buf_addc(&out, ';');
	}
	ok(members ? !json_next_member(&it, &key, &value)
		   : !json_next_element(&it, &value),
	   "the end stays the end");
	is_str(buf_str(&out), want, text);
}

static void
iteration(void)
{
	walk("[]", false, "");
	walk("[ \n ]", false, "");
	walk("[1]", false, "1;");
	walk("[ 1 , -2.5e3 ,true,null ]", false, "1;-2.5e3;true;null;");
	walk("[\"a,]\\\"}\",[1,[2]],{\"k\":[{}]} , \"\"]", false,
	     "\"a,]\\\"}\";[1,[2]];{\"k\":[{}]};\"\";");
	walk("[\"\\\\\",\"\\\\\\\"]\",\"[\"]", false,
	     "\"\\\\\";\"\\\\\\\"]\";\"[\";");
	walk("{}", true, "");
	walk("{ }", true, "");
	walk("{\"a\":1}", true, "\"a\"=1;");
	walk("{ \"a\" : 1 , \"\" :{ } ,\"b\\\"\":[ ], \"a\":\"x\" }", true,
	     "\"a\"=1;\"\"={ };\"b\\\"\"=[ ];\"a\"=\"x\";");
	walk("{\"}\":\"{\",\":\":\",\"}", true, "\"}\"=\"{\";\":\"=\",\";");
	/* Asked for the wrong kind, there is nothing. */
	walk("{\"a\":[1]}", false, "");
	walk("[\"a\",\"b\"]", true, "");
	walk("\"[1]\"", false, "");
	walk("12", false, "");
	walk("null", true, "");
}

static void
get(const char *text, const char *name, const char *want)
{
	char label[200];

	(void)snprintf(label, sizeof(label), "%s of %.150s", name, text);
	is_str(json_get(checked(str_of(text)), name), want, label);
}

static void
members(void)
{
	static const char *const names[] = { "type", "id", "none", "d",
					     "type" };
	struct str v[5], big;

	get("{\"a\":1,\"b\":2}", "b", "2");
	get("{\"a\":1,\"b\":2}", "c", "");
	get("{\"a\":1,\"aa\":2}", "a", "1");
	get("{\"aa\":1}", "a", "");
	get("{\"a\":1}", "aa", "");
	get("{\"a\":1,\"a\":2,\"b\":3}", "a", "2");
	get("{\"a\":1,\"\\u0061\":2}", "a", "2");
	get("{\"\\u0061\":1,\"a\":2}", "a", "2");
	get("{\"\\u0074y\\u0070e\":\"x\"}", "type", "\"x\"");
	get("{\"t\\u0079pe\":\"x\"}", "type", "\"x\"");
	get("{\"a\\/b\":1}", "a/b", "1");
	get("{\"\\n\":1}", "\n", "1");
	get("{\"\\n\":1}", "\\n", "");
	get("{\"\\\\n\":1}", "\\n", "1");
	get("{\"\\u000a\":1}", "\n", "1");
	get("{\"\\ud83d\\uDE00\":1}", "\xf0\x9f\x98\x80", "1");
	get("{\"\xc3\xa9\":1}", "\xc3\xa9", "1");
	get("{\"\\ud83d\":1}", "\xef\xbf\xbd", "1");
	get("{\"\":1}", "", "1");
	get("{\"x\":1}", "", "");
	get("{\"a\\u0000\":1}", "a", "");
	get("{\"a\\u0000b\":1}", "a", "");
	get("{\"o\":{\"a\":1},\"l\":[{\"a\":2}],\"s\":\"\\\"a\\\":3\"}", "a",
	    "");
	get("[\"a\",1]", "a", "");
	get("\"a\"", "a", "");
	is_int((long long)json_get((struct str){ NULL, 0 }, "a").n, 0,
	       "a member of nothing");

	json_get_many(checked(STR(" {\"id\":7,\"type\":1,\"d\":{\"id\":8},"
				  "\"x\":[],\"typ\\u0065\":null}")),
		      names, v, 5);
	is_str(v[0], "null", "several at once: the last of two");
	is_str(v[1], "7", "not one within another");
	is_str(v[2], "", "absent");
	is_str(v[3], "{\"id\":8}", "an object");
	is_str(v[4], "null", "a name asked for twice");

	buf_reset(&out);
	buf_adds(&out, "{\"");
	memset(buf_reserve(&out, 1 << 20), 'k', 1 << 20);
	out.len += 1 << 20;
	buf_adds(&out, "\":1,\"k\":2}");
	big = checked(buf_str(&out));
	is_str(json_get(big, "k"), "2", "beside a key of 1 MiB");
}

static void
spelled(void)
{
	ok(json_string_is(STR("\"abc\""), "abc"), "plain");
	ok(!json_string_is(STR("\"abc\""), "ab"), "longer");
	ok(!json_string_is(STR("\"ab\""), "abc"), "shorter");
	ok(!json_string_is(STR("\"abd\""), "abc"), "other");
	ok(json_string_is(STR("\"\""), ""), "empty");
	ok(!json_string_is(STR("\"\\u0000\""), ""), "NUL is not empty");
	ok(json_string_is(STR("\"\\u0061\\u0062\\u0063\""), "abc"),
	   "all escapes");
	ok(!json_string_is(STR("\"\\u0061\\u0062\""), "abc"),
	   "escapes, shorter");
	ok(!json_string_is(STR("\"\\u0061\\u0062\\u0063d\""), "abc"),
	   "escapes, longer");
	ok(!json_string_is(STR("\"\\n\""), "\\n"), "not as it is written");
	ok(!json_string_is(STR("12"), "12") && !json_string_is(STR("null"), ""),
	   "no string is nothing");
	ok(!json_string_is((struct str){ NULL, 0 }, ""), "absent is not empty");
}

static const struct {
	struct str raw, text, canonical;
} strings[] = {
	{ TEXT("\"\""), TEXT(""), TEXT("\"\"") },
	{ TEXT("\"plain\""), TEXT("plain"), TEXT("\"plain\"") },
	{ TEXT("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), TEXT("\"\\/\b\f\n\r\t"),
	  TEXT("\"\\\"\\\\/\\b\\f\\n\\r\\t\"") },
	{ TEXT("\"\\u0022\\u005C\\u002f\\u0008\\u000C\\u000a\\u000D\\u0009\""),
	  TEXT("\"\\/\b\f\n\r\t"), TEXT("\"\\\"\\\\/\\b\\f\\n\\r\\t\"") },
	{ TEXT("\"\\u0000\\u001F\\u007F\\u0080\""), TEXT("\0\x1f\x7f\xc2\x80"),
	  TEXT("\"\\u0000\\u001f\x7f\xc2\x80\"") },
	{ TEXT("\"\\u00E9\\u20ac\\uFFFF\""),
	  TEXT("\xc3\xa9\xe2\x82\xac\xef\xbf\xbf"),
	  TEXT("\"\xc3\xa9\xe2\x82\xac\xef\xbf\xbf\"") },
	{ TEXT("\"\\uD83D\\ude00\\ud800\\udc00\\udbff\\udfff\""),
	  TEXT("\xf0\x9f\x98\x80\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"),
	  TEXT("\"\xf0\x9f\x98\x80\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\"") },
	{ TEXT("\"a\\ud83d\""), TEXT("a\xef\xbf\xbd"),
	  TEXT("\"a\xef\xbf\xbd\"") },
	{ TEXT("\"\\ude00b\""),
	  TEXT("\xef\xbf\xbd"
	       "b"),
	  TEXT("\"\xef\xbf\xbd"
	       "b\"") },
	{ TEXT("\"\\ud83d\\ud83d\\ude00\""),
	  TEXT("\xef\xbf\xbd\xf0\x9f\x98\x80"),
	  TEXT("\"\xef\xbf\xbd\xf0\x9f\x98\x80\"") },
	{ TEXT("\"\\ud83d\\u0041\\ud83d\\n\""),
	  TEXT("\xef\xbf\xbd"
	       "A\xef\xbf\xbd\n"),
	  TEXT("\"\xef\xbf\xbd"
	       "A\xef\xbf\xbd\\n\"") },
	{ TEXT("\"\\ude00\\ud83d\""), TEXT("\xef\xbf\xbd\xef\xbf\xbd"),
	  TEXT("\"\xef\xbf\xbd\xef\xbf\xbd\"") },
	{ TEXT("\"\\\\u0041\\\\\""), TEXT("\\u0041\\"),
	  TEXT("\"\\\\u0041\\\\\"") },
};

static void
contents(void)
{
	struct buf scratch = BUF_INIT;
	size_t i;

	for (i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		struct str raw = checked(strings[i].raw), text;
		bool escaped = memchr(raw.s, '\\', raw.n) != NULL;

		buf_adds(&scratch, "left over");
		text = json_text(raw, &scratch);
		is_bytes(text.s, text.n, strings[i].text.s, strings[i].text.n,
			 raw.s);
		ok((text.s == raw.s + 1) == !escaped,
		   "in place exactly when nothing is escaped");
		buf_reset(&out);
		buf_adds(&out, "x");
		json_decode(raw, &out);
		ok(out.len == strings[i].text.n + 1 &&
			   memcmp(out.data + 1, strings[i].text.s,
				  strings[i].text.n) == 0 &&
			   out.data[out.len] == '\0',
		   "the same, added");
		buf_reset(&out);
		json_canonical(raw, &out);
		is_bytes(out.data, out.len, strings[i].canonical.s,
			 strings[i].canonical.n, "its canonical form");
	}
	is_int((long long)json_text(STR("12"), &scratch).n, 0,
	       "a number has no text");
	is_int((long long)json_text((struct str){ NULL, 0 }, &scratch).n, 0,
	       "nothing has no text");
	buf_release(&scratch);
}

static void
limits(void)
{
	struct buf small;

	buf_init(&small, 5);
	json_decode(STR("\"a\\u0062c\\nd\""), &small);
	ok(!small.full && small.len == 5, "a text that just fits a buf");
	json_decode(STR("\"e\""), &small);
	ok(small.full && small.len == 5 && small.data[5] == '\0',
	   "one that does not is not added");
	json_decode(STR("\"\""), &small);
	buf_reset(&small);
	json_canonical(STR("[ 1,\"x\" , 2 ]"), &small);
	ok(small.full && small.len <= 5, "canonical JSON that does not fit");
	buf_release(&small);
}

static void
canonical(const char *text, const char *want)
{
	buf_reset(&out);
	json_canonical(checked(str_of(text)), &out);
	is_str(buf_str(&out), want, text);
}

static void
canonical_values(void)
{
	canonical("{ \"b\" : 1.0, \"a\":[-0,1E5] , "
		  "\"b\":\"\\u0041\\/\\u000A\" }",
		  "{\"b\":1.0,\"a\":[-0,1E5],\"b\":\"A/\\n\"}");
	canonical("null", "null");
	canonical("\"x\"", "\"x\"");
	canonical(" \n[ \t] ", "[]");
	canonical("{\r\n}", "{}");
	canonical("[1.0 , 1e400,12345678901234567890 ,-0.10E+01]",
		  "[1.0,1e400,12345678901234567890,-0.10E+01]");
	canonical("[ true , false,null ]", "[true,false,null]");
	canonical("{ \"k e\\u0079\" : \" a  b \" }", "{\"k ey\":\" a  b \"}");
	canonical("{\"\\u0061\":1,\"a\":2}", "{\"a\":1,\"a\":2}");
	buf_reset(&out);
	json_canonical((struct str){ NULL, 0 }, &out);
	is_int((long long)out.len, 0, "nothing of nothing");
}

static void
integer(const char *text, bool want, int64_t number)
{
	int64_t v = -77;
	bool got = json_to_integer(checked(str_of(text)), &v);

	if (!ok(got == want && (!want || v == number), "the integer %s", text))
		printf("# %d %lld\n", got, (long long)v);
}

static void
integers(void)
{
	integer("0", true, 0);
	integer("-0", true, 0);
	integer("-0.000e-5", true, 0);
	integer("0e99999999999999999999", true, 0);
	integer("7", true, 7);
	integer("-7", true, -7);
	integer("1200", true, 1200);
	integer("10.0", true, 10);
	integer("10.00", true, 10);
	integer("1.5e1", true, 15);
	integer("1.50E+1", true, 15);
	integer("1e3", true, 1000);
	integer("100e-2", true, 1);
	integer("100e-02", true, 1);
	integer("0.0001e4", true, 1);
	integer("0.00012e5", true, 12);
	integer("120.0e-1", true, 12);
	integer("9007199254740992", true, INT64_C(9007199254740992));
	integer("-9007199254740992", true, INT64_C(-9007199254740992));
	integer("9007199254740992.000", true, INT64_C(9007199254740992));
	integer("9.007199254740992e15", true, INT64_C(9007199254740992));
	integer("90071992547409920e-1", true, INT64_C(9007199254740992));
	integer("900719925474099200000e-5", true, INT64_C(9007199254740992));
	integer("0.9007199254740992e16", true, INT64_C(9007199254740992));
	integer("9e15", true, INT64_C(9000000000000000));
	integer("9007199254740993", false, 0);
	integer("-9007199254740993", false, 0);
	integer("9007199254740992.5", false, 0);
	integer("18446744073709551616", false, 0);
	integer("18446744073709551617", false, 0);
	integer("36893488147419103233", false, 0);
	integer("1e16", false, 0);
	integer("1e19", false, 0);
	integer("1e400", false, 0);
	integer("1e99999999999999999999999", false, 0);
	integer("1e-99999999999999999999999", false, 0);
	integer("0.5", false, 0);
	integer("1.05e1", false, 0);
	integer("1e-1", false, 0);
	integer("10e-2", false, 0);
	integer("\"1\"", false, 0);
	integer("true", false, 0);
	integer("[1]", false, 0);
	ok(!json_to_integer((struct str){ NULL, 0 }, &(int64_t){ 0 }),
	   "nothing is not an integer");
}

/* Digits before, after and around the point must say the same number. */
static void
integers_in_every_form(void)
{
	uint64_t seed = 7;
	size_t i, shift, bad = 0;

	for (i = 0; i < 2000; i++) {
		int64_t want = (int64_t)(test_random(&seed) >>
					 (11 + test_random(&seed) % 50));
		char digits[32], text[64];
		int n = snprintf(digits, sizeof(digits), "%lld",
				 (long long)want);

		for (shift = 1; shift <= (size_t)n; shift++) {
			int64_t v = -1;
			int left = n - (int)shift;

			(void)snprintf(text, sizeof(text), "-%.*s.%s0e%d",
				       (int)shift, digits, digits + shift,
				       left);
			bad += !json_to_integer(str_of(text), &v) || v != -want;
		}
	}
	is_int((long long)bad, 0, "integers with the point anywhere");
}

static void
deep(void)
{
	const size_t n = 100000;
	struct str v, names;
	size_t i, levels = 0;
	struct json_iter it;

	buf_reset(&out);
	buf_adds(&out, "{\"x\":");
	for (i = 0; i < n; i++)
		buf_adds(&out, "[{\"]\":");
	buf_adds(&out, "0");
	for (i = 0; i < n; i++)
		buf_adds(&out, "} ]");
	buf_adds(&out, ",\"y\":\"end\"}");
	v = checked(buf_str(&out));
	is_str(json_get(v, "y"), "\"end\"", "skips 200,000 levels");
	v = json_get(v, "x");
	while (json_kind(v) == JSON_ARRAY && levels < 50) {
		it = json_iterate(v);
		if (json_next_element(&it, &v))
			v = json_get(v, "]");
		levels++;
	}
	is_int((long long)levels, 50, "goes down some of them");
	names = buf_str(&out);
	buf_init(&out, BUF_UNLIMITED);
	json_canonical(names, &out);
	is_int((long long)out.len, (long long)(names.n - n),
	       "and drops the blanks of all");
	free((void *)(uintptr_t)names.s);
}

/* A closing quote after every number of backslashes, at every offset. */
static void
backslashes(void)
{
	size_t lead, slashes, bad = 0;
	struct buf text = BUF_INIT;

	for (lead = 0; lead < 40; lead++)
		for (slashes = 0; slashes < 40; slashes++) {
			struct str v;
			size_t i;

			buf_reset(&text);
			buf_adds(&text, "{\"a\":\"");
			for (i = 0; i < lead; i++)
				buf_addc(&text, 'x');
			for (i = 0; i < slashes; i++)
				buf_addc(&text, '\\');
			buf_adds(&text, slashes % 2 == 1 ? "\"\"" : "\"");
			buf_adds(&text, ",\"b\":1}");
			v = checked(buf_str(&text));
			bad += !str_is(json_get(v, "b"), "1") ||
			       json_get(v, "a").n !=
				       lead + slashes + slashes % 2 + 2;
		}
	is_int((long long)bad, 0, "strings end at the right quote");
	buf_release(&text);
}

int
main(void)
{
	values();
	iteration();
	members();
	spelled();
	contents();
	limits();
	canonical_values();
	integers();
	integers_in_every_form();
	deep();
	backslashes();
	buf_release(&out);
	return done();
}

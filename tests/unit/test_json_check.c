#include "test.h"

#include "base/buf.h"
#include "base/json_check.h"
#include "base/xalloc.h"
#include "json_naive.h"

/* A literal that may hold NUL. */
#define TEXT(literal)                           \
	{                                       \
		"" literal, sizeof(literal) - 1 \
	}

#define DEPTH 64

/* The text in a block of exactly its size, so that an over-read is seen. */
static int
check_exact(struct str text, unsigned depth, unsigned flags,
	    struct json_error *e)
{
	char *copy = xmalloc(text.n);
	int rc;

	memcpy(copy, text.s, text.n);
	memset(e, 0xff, sizeof(*e));
	rc = json_check((struct str){ copy, text.n }, depth, flags, e);
	if (rc != json_check((struct str){ copy, text.n }, depth, flags, NULL))
		rc = 99;
	free(copy);
	return rc;
}

static void
accepts(struct str text, unsigned flags, const char *name)
{
	struct json_error e;

	if (!ok(check_exact(text, DEPTH, flags, &e) == 0, "accepts %s", name))
		printf("# %u:%u: %s\n", e.line, e.column, e.reason);
}

static void
refuses(struct str text, unsigned flags, size_t offset, const char *reason)
{
	struct json_error e;
	int rc = check_exact(text, DEPTH, flags, &e);

	if (!ok(rc == -1 && e.offset == offset && strcmp(e.reason, reason) == 0,
		"refuses at %zu: %s", offset, reason))
		printf("# of %.*s: status %d, at %zu: %s\n", (int)text.n,
		       text.s, rc, e.offset, rc == 0 ? "" : e.reason);
}

static void
accepted(void)
{
	static const struct str row[] = {
		TEXT("0"),
		TEXT("-0"),
		TEXT("-0.0e-0"),
		TEXT("10"),
		TEXT("1.5"),
		TEXT("1E5"),
		TEXT("1e+5"),
		TEXT("0e00"),
		TEXT("1e400"),
		TEXT("123456789012345678901234567890"),
		TEXT("true"),
		TEXT("false"),
		TEXT("null"),
		TEXT("\"\""),
		TEXT("[]"),
		TEXT("{}"),
		TEXT("[[],{}]"),
		TEXT(" [ ] "),
		TEXT(" {\"a\" : 1 , \"b\" : [ 1 , 2 ] } "),
		TEXT("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uABCD\""),
		TEXT("\"\\ud83d\\ude00\\udbff\\udfff\\ud800\\udc00\""),
		TEXT("\"\x7f\xc2\x80\xe2\x80\xa8\xef\xbb\xbf\xf4\x8f\xbf\xbf"
		     "\xef\xbf\xbf\""),
		TEXT("{\"\":0}"),
		TEXT("{\"a\":{\"a\":{\"a\":1}}}"),
		TEXT("[{\"a\":1},{\"a\":2}]"),
		TEXT("{\"a\":1,\"A\":2,\"aa\":3,\"\\u0061\\u0062\":4}"),
	};
	size_t i;

	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		accepts(row[i], 0, row[i].s);
	accepts(STR("\t\r\n{\r\"a\"\n:\t1\r\n,\n\"b\"\t:[\r]\n}\t\n"), 0,
		"all white space that there is");
}

/* RFC 8259, section by section; every cJSON weakness is among them. */
static void
refused(void)
{
	static const struct {
		struct str text;
		size_t offset;
		const char *reason;
	} row[] = {
		/* section 2: a text is one value */
		{ TEXT(""), 0, "unexpected end" },
		{ TEXT(" \n"), 2, "unexpected end" },
		{ TEXT("\0"), 0, "expected a value" },
		{ TEXT("1 2"), 2, "trailing data after the value" },
		{ TEXT("{} x"), 3, "trailing data after the value" },
		{ TEXT("{}\0"), 2, "trailing data after the value" },
		{ TEXT("[]]"), 2, "trailing data after the value" },
		{ TEXT("1-2"), 1, "trailing data after the value" },
		{ TEXT("0x10"), 1, "trailing data after the value" },
		{ TEXT("1 // x"), 2, "trailing data after the value" },
		{ TEXT("nulll"), 4, "trailing data after the value" },
		{ TEXT("/* x */1"), 0, "expected a value" },
		{ TEXT("\v1"), 0, "expected a value" },
		{ TEXT("\f1"), 0, "expected a value" },
		{ TEXT("\x01[]"), 0, "expected a value" },
		{ TEXT("[1\x1f]"), 2, "expected \",\" or \"]\"" },
		{ TEXT("[1\xc2\xa0]"), 2, "expected \",\" or \"]\"" },
		{ TEXT("\xc2\xa0"), 0, "expected a value" },
		/* section 8.1 */
		{ TEXT("\xef\xbb\xbf{}"), 0, "byte order mark" },
		{ TEXT("\xff\xfe[\0]\0"), 0, "invalid UTF-8" },
		{ TEXT("[\x80]"), 1, "invalid UTF-8" },
		/* section 3 */
		{ TEXT("True"), 0, "expected a value" },
		{ TEXT("trux"), 3, "expected true" },
		{ TEXT("tru"), 3, "unexpected end" },
		{ TEXT("[fals]"), 5, "expected false" },
		{ TEXT("nul\0"), 3, "expected null" },
		{ TEXT("NaN"), 0, "expected a value" },
		{ TEXT("nan"), 1, "expected null" },
		{ TEXT("Infinity"), 0, "expected a value" },
		{ TEXT("-Infinity"), 1,
		  "expected a digit after the minus sign" },
		{ TEXT("undefined"), 0, "expected a value" },
		/* section 4 */
		{ TEXT("{"), 1, "unexpected end" },
		{ TEXT("}"), 0, "expected a value" },
		{ TEXT("{1:2}"), 1, "expected a key in double quotes" },
		{ TEXT("{a:2}"), 1, "expected a key in double quotes" },
		{ TEXT("{'a':2}"), 1, "expected a key in double quotes" },
		{ TEXT("{,}"), 1, "expected a key in double quotes" },
		{ TEXT("{\"a\":1,}"), 7, "expected a key in double quotes" },
		{ TEXT("{\"a\":1,,\"b\":2}"), 7,
		  "expected a key in double quotes" },
		{ TEXT("{\"a\"}"), 4, "expected \":\"" },
		{ TEXT("{\"a\",1}"), 4, "expected \":\"" },
		{ TEXT("{\"a\"=1}"), 4, "expected \":\"" },
		{ TEXT("{\"a\""), 4, "unexpected end" },
		{ TEXT("{\"a\":}"), 5, "expected a value" },
		{ TEXT("{\"a\":"), 5, "unexpected end" },
		{ TEXT("{\"a\"::1}"), 5, "expected a value" },
		{ TEXT("{\"a\":1"), 6, "unexpected end" },
		{ TEXT("{\"a\":1,"), 7, "unexpected end" },
		{ TEXT("{\"a\":1]"), 6, "expected \",\" or \"}\"" },
		{ TEXT("{\"a\":1 \"b\":2}"), 7, "expected \",\" or \"}\"" },
		/* section 5 */
		{ TEXT("["), 1, "unexpected end" },
		{ TEXT("]"), 0, "expected a value" },
		{ TEXT("[1"), 2, "unexpected end" },
		{ TEXT("[1,"), 3, "unexpected end" },
		{ TEXT("[1,]"), 3, "expected a value" },
		{ TEXT("[,1]"), 1, "expected a value" },
		{ TEXT("[1,,2]"), 3, "expected a value" },
		{ TEXT("[1 2]"), 3, "expected \",\" or \"]\"" },
		{ TEXT("[1}"), 2, "expected \",\" or \"]\"" },
		{ TEXT("[1:2]"), 2, "expected \",\" or \"]\"" },
		{ TEXT("[{]}"), 2, "expected a key in double quotes" },
		/* section 6 */
		{ TEXT("-"), 1, "unexpected end" },
		{ TEXT("+1"), 0, "expected a value" },
		{ TEXT(".5"), 0, "expected a value" },
		{ TEXT("01"), 1, "leading zero in number" },
		{ TEXT("-01"), 2, "leading zero in number" },
		{ TEXT("00"), 1, "leading zero in number" },
		{ TEXT("--1"), 1, "expected a digit after the minus sign" },
		{ TEXT("-.5"), 1, "expected a digit after the minus sign" },
		{ TEXT("[-]"), 2, "expected a digit after the minus sign" },
		{ TEXT("1."), 2, "unexpected end" },
		{ TEXT("[1.]"), 3, "expected a digit after the decimal point" },
		{ TEXT("1.e5"), 2, "expected a digit after the decimal point" },
		{ TEXT("1e"), 2, "unexpected end" },
		{ TEXT("[1e]"), 3, "expected a digit in the exponent" },
		{ TEXT("[1e+]"), 4, "expected a digit in the exponent" },
		{ TEXT("1e1.5"), 3, "trailing data after the value" },
		{ TEXT("1_000"), 1, "trailing data after the value" },
		/* section 7 */
		{ TEXT("\""), 1, "unexpected end" },
		{ TEXT("\"abc"), 4, "unexpected end" },
		{ TEXT("\"abc\\"), 5, "unexpected end" },
		{ TEXT("\"abc\\\""), 6, "unexpected end" },
		{ TEXT("'a'"), 0, "expected a value" },
		{ TEXT("\"a\nb\""), 2, "control character in string" },
		{ TEXT("\"a\tb\""), 2, "control character in string" },
		{ TEXT("\"a\0b\""), 2, "control character in string" },
		{ TEXT("\"abcdefghijklmnop\x1f\""), 17,
		  "control character in string" },
		{ TEXT("{\"a\x01\":1}"), 3, "control character in string" },
		{ TEXT("\"\\x41\""), 1, "invalid escape in string" },
		{ TEXT("\"\\'\""), 1, "invalid escape in string" },
		{ TEXT("\"\\a\""), 1, "invalid escape in string" },
		{ TEXT("\"\\U0041\""), 1, "invalid escape in string" },
		{ TEXT("\"\\\n\""), 1, "invalid escape in string" },
		{ TEXT("\"\\\0\""), 1, "invalid escape in string" },
		{ TEXT("\"\\u12G4\""), 1,
		  "\\u without four hexadecimal digits" },
		{ TEXT("\"\\u123\""), 1,
		  "\\u without four hexadecimal digits" },
		{ TEXT("\"\\u"), 1, "\\u without four hexadecimal digits" },
		{ TEXT("\"\\u+123\""), 1,
		  "\\u without four hexadecimal digits" },
		{ TEXT("\"\\u0000\""), 1, "\\u0000 in string" },
		{ TEXT("{\"a\\u0000b\":1}"), 3, "\\u0000 in string" },
		{ TEXT("\"\\ud800\""), 1, "lone surrogate in string" },
		{ TEXT("\"\\udc00\""), 1, "lone surrogate in string" },
		{ TEXT("\"\\udc00\\ud800\""), 1, "lone surrogate in string" },
		{ TEXT("\"\\ud800\\ud800\\udc00\""), 1,
		  "lone surrogate in string" },
		{ TEXT("\"\\ud83dx\""), 1, "lone surrogate in string" },
		{ TEXT("\"\\ud83d\\n\""), 1, "lone surrogate in string" },
		{ TEXT("\"\\ud83d\\u0041\""), 1, "lone surrogate in string" },
		{ TEXT("\"\\ud83d\\ude0"), 1, "lone surrogate in string" },
		{ TEXT("\"\x80\""), 1, "invalid UTF-8" },
		{ TEXT("\"a\xc3\""), 2, "invalid UTF-8" },
		{ TEXT("\"a\xc3"), 2, "invalid UTF-8" },
		{ TEXT("\"\xc0\x80\""), 1, "invalid UTF-8" },
		{ TEXT("\"\xc0\xaf\""), 1, "invalid UTF-8" },
		{ TEXT("\"\xe0\x80\xaf\""), 1, "invalid UTF-8" },
		{ TEXT("\"\xed\xa0\xbd\xed\xb8\x80\""), 1, "invalid UTF-8" },
		{ TEXT("\"\xf4\x90\x80\x80\""), 1, "invalid UTF-8" },
		{ TEXT("\"\xc3\xa9\xff\""), 3, "invalid UTF-8" },
		/* section 4: names should be unique */
		{ TEXT("{\"a\":1,\"a\":1}"), 7, "duplicate key \"a\"" },
		{ TEXT("{\"\":1,\"\":1}"), 6, "duplicate key \"\"" },
		{ TEXT("{\"a\":1,\"b\":2,\"\\u0061\":3}"), 13,
		  "duplicate key \"a\"" },
		{ TEXT("{\"\\n\":1,\"\\u000A\":3}"), 8,
		  "duplicate key \"\\u000a\"" },
		{ TEXT("{\"\xf0\x9f\x98\x80\":1,\"\\uD83D\\ude00\":3}"), 10,
		  "duplicate key \"\xf0\x9f\x98\x80\"" },
		{ TEXT("{\"\\/\":1,\"/\":3}"), 8, "duplicate key \"/\"" },
		{ TEXT("[{\"z\":{\"k\":0,\"k\":1},\"z\":2}]"), 13,
		  "duplicate key \"k\"" },
		{ TEXT("{\"o\":{\"k\":0},\"k\":1,\"k\":1}"), 19,
		  "duplicate key \"k\"" },
		{ TEXT("{\"c\":0,\"b\":0,\"b\":0,\"c\":0,\"b\":0}"), 13,
		  "duplicate key \"b\"" },
		{ TEXT("{\"\\\"\\\\\\u009b\x7f\":1,\"\\\"\\\\\\u009b\x7f\":1}"),
		  17, "duplicate key \"\\\"\\\\\\u009b\\u007f\"" },
	};
	size_t i;

	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		refuses(row[i].text, 0, row[i].offset, row[i].reason);
}

static void
flags(void)
{
	struct str nul = STR("{\"\\u0000\":\"a\\u0000\"}");
	struct str lone = STR(
		"[\"\\ud800\",\"\\udc00\\ud83d\",\"\\ud83d\\n\"]");
	struct str twice = STR("{\"a\":1,\"\\u0061\":{\"b\":1,\"b\":2}}");
	const unsigned all = JSON_ALLOW_NUL | JSON_ALLOW_DUPLICATES |
			     JSON_ALLOW_LONE;

	accepts(nul, JSON_ALLOW_NUL, "\\u0000 when allowed");
	accepts(lone, JSON_ALLOW_LONE, "lone surrogates when allowed");
	accepts(twice, JSON_ALLOW_DUPLICATES, "duplicates when allowed");
	refuses(nul, all & ~(unsigned)JSON_ALLOW_NUL, 2, "\\u0000 in string");
	refuses(lone, all & ~(unsigned)JSON_ALLOW_LONE, 2,
		"lone surrogate in string");
	refuses(twice, all & ~(unsigned)JSON_ALLOW_DUPLICATES, 23,
		"duplicate key \"b\"");
	refuses(STR("\"a\0\""), all, 2, "control character in string");
	refuses(STR("\"\\ud83d\\u12\""), all, 7,
		"\\u without four hexadecimal digits");
	refuses(STR("{\"\\u0000\":1,\"\\u0000\":1}"), JSON_ALLOW_NUL, 12,
		"duplicate key \"\\u0000\"");
	accepts(STR("{\"a\":1,\"a\\u0000\":1,\"a\\u0000b\":1}"), JSON_ALLOW_NUL,
		"keys that differ after a NUL");
	refuses(STR("{\"\\ud800\":1,\"\\udc00\":1}"), JSON_ALLOW_LONE, 12,
		"duplicate key \"\xef\xbf\xbd\"");
}

static void
where(void)
{
	struct json_error e;

	check_exact(STR("{\n  \"a\": 1,\r\n  \"\xc3\xa9\": x\n}"), DEPTH, 0,
		    &e);
	is_int(e.line, 3, "lines are counted from 1");
	is_int(e.column, 9, "columns count bytes from 1");
	is_int((long long)e.offset, 21, "the offset counts bytes from 0");
	check_exact(STR("x"), DEPTH, 0, &e);
	ok(e.line == 1 && e.column == 1 && e.offset == 0, "the first byte");
	check_exact(STR("[1,\n"), DEPTH, 0, &e);
	ok(e.line == 2 && e.column == 1, "the end after a newline");
}

/* n opening brackets, then n closing ones. */
static void
nest(struct buf *text, size_t n, const char *open, const char *close)
{
	size_t i;

	buf_reset(text);
	for (i = 0; i < n; i++)
		buf_adds(text, open);
	buf_addc(text, '1');
	for (i = 0; i < n; i++)
		buf_adds(text, close);
}

static void
depth(void)
{
	static const char *const open[] = { "[", "{\"a\":", "[{\"a\":" };
	static const char *const close[] = { "]", "}", "}]" };
	static const size_t levels[] = { 1, 1, 2 };
	struct buf text = BUF_INIT;
	struct json_error e;
	unsigned i;

	for (i = 0; i < 3; i++) {
		nest(&text, 100000, open[i], close[i]);
		is_int(check_exact(buf_str(&text), 64, 0, &e), -1,
		       "100,000 levels where 64 are allowed");
		is_string(e.reason, "nested deeper than 64", "says so");
		is_int((long long)e.offset,
		       (long long)(64 / levels[i] * strlen(open[i])),
		       "where it is");
		is_int(check_exact(buf_str(&text), 200000, 0, &e), 0,
		       "100,000 levels where 200,000 are allowed");
		nest(&text, 1024 / levels[i], open[i], close[i]);
		is_int(check_exact(buf_str(&text), 1024, 0, &e), 0,
		       "1,024 levels where 1,024 are allowed");
		is_int(check_exact(buf_str(&text), 1023, 0, &e), -1,
		       "1,024 levels where 1,023 are allowed");
	}
	/* Kinds are kept apart beyond the part of the stack that is fixed. */
	nest(&text, 2000, "[{\"a\":", "}]");
	text.data[text.len - 1 - 1500] = text.data[text.len - 1 - 1500] == ']'
						 ? '}'
						 : ']';
	is_int(check_exact(buf_str(&text), 100000, 0, &e), -1,
	       "a wrong bracket deep within");
	is_int((long long)e.offset, (long long)text.len - 1501, "is found");
	is_int(check_exact(STR("1"), 0, 0, &e), 0, "a scalar has depth 0");
	is_int(check_exact(STR("[]"), 0, 0, &e), -1, "an array has depth 1");
	is_string(e.reason, "nested deeper than 0", "also an empty one");
	buf_release(&text);
}

static void
many_keys(void)
{
	const long n = 500000;
	struct buf text = BUF_INIT;
	struct json_error e;
	long i;

	buf_addc(&text, '{');
	for (i = 0; i < n; i++)
		buf_addf(&text, "\"key number %ld\":%ld,", i * 7919 % n, i);
	buf_adds(&text, "\"z\":1}");
	is_int(check_exact(buf_str(&text), 1, 0, &e), 0, "500,000 keys");
	buf_truncate(&text, text.len - 1);
	buf_adds(&text, ",\"key number 123456\":1}");
	is_int(check_exact(buf_str(&text), 1, 0, &e), -1, "one of them twice");
	is_string(e.reason, "duplicate key \"key number 123456\"", "which");
	is_int((long long)e.offset,
	       (long long)(text.len - strlen("\"key number 123456\":1}")),
	       "where");
	buf_release(&text);
}

static void
long_keys(void)
{
	const size_t n = 1 << 20;
	struct buf text = BUF_INIT;
	struct json_error e;
	char *key = xmalloc(n);
	int i;

	memset(key, 'k', n);
	buf_addc(&text, '{');
	for (i = 0; i < 2; i++) {
		buf_addc(&text, '"');
		buf_add(&text, key, n - (size_t)i);
		buf_adds(&text, "\":1,");
	}
	buf_adds(&text, "\"\":1}");
	is_int(check_exact(buf_str(&text), 1, 0, &e), 0,
	       "keys of 1 MiB that differ in their length");
	buf_truncate(&text, text.len - 5);
	buf_adds(&text, "\"");
	buf_add(&text, key, n);
	buf_adds(&text, "\":1}");
	is_int(check_exact(buf_str(&text), 1, 0, &e), -1,
	       "a key of 1 MiB twice");
	ok(strlen(e.reason) > 100 && strlen(e.reason) < sizeof(e.reason) &&
		   strcmp(e.reason + strlen(e.reason) - 5, "k\xe2\x80\xa6\"") ==
			   0,
	   "is quoted up to an ellipsis");
	free(key);
	buf_release(&text);
}

/* Cut at every length, a key in a reason is whole characters. */
static void
reason_is_text(void)
{
	struct buf text = BUF_INIT;
	struct json_error e;
	size_t lead, bad = 0;
	int copy, i;

	for (lead = 0; lead < 12; lead++) {
		buf_reset(&text);
		buf_addc(&text, '{');
		for (copy = 0; copy < 2; copy++) {
			buf_adds(&text, copy == 0 ? "\"" : ",\"");
			for (i = 0; i < (int)lead; i++)
				buf_addc(&text, 'a');
			for (i = 0; i < 60; i++)
				buf_adds(&text, i % 2 == 0 ? "\xf0\x9f\x98\x80"
							   : "\\u001b");
			buf_adds(&text, "\":1");
		}
		buf_addc(&text, '}');
		check_exact(buf_str(&text), 1, 0, &e);
		bad += !str_starts(str_of(e.reason), STR("duplicate key \"")) ||
		       !str_ends(str_of(e.reason), STR("\xe2\x80\xa6\"")) ||
		       strlen(e.reason) < sizeof(e.reason) - 30 ||
		       json_check((struct str){ e.reason + 14,
						strlen(e.reason + 14) },
				  1, 0, NULL) != 0;
	}
	is_int((long long)bad, 0, "a long key is cut between characters");
	buf_release(&text);
}

/* Each fault that a string may hold, at every distance from a word's edge. */
static void
string_faults_at_every_offset(void)
{
	static const char *const fault[] = {
		"\x01", "\x1f", "\n", "\x80", "\xff", "\\x", "\\u1g", "\\ud800"
	};
	struct json_error e;
	size_t i, at, bad = 0;
	char s[70];

	for (i = 0; i < sizeof(fault) / sizeof(fault[0]); i++)
		for (at = 1; at < 60; at++) {
			memset(s, 'a', sizeof(s));
			s[0] = s[sizeof(s) - 1] = '"';
			memcpy(s + at, fault[i], strlen(fault[i]));
			bad += check_exact((struct str){ s, sizeof(s) }, 1, 0,
					   &e) != -1 ||
			       e.offset != at;
		}
	is_int((long long)bad, 0, "string faults are found at any offset");
}

/* Texts made of pieces, whole and with one byte changed or cut off. */
static void
agrees_with_the_grammar(void)
{
	static const char *const pieces[] = { "plain words of some length ",
					      "\\n",
					      "\\\"",
					      "\\\\",
					      "\\u00e9",
					      "\\ud83d\\ude00",
					      "\\ud83d",
					      "\xc3\xa9",
					      "\xe2\x82\xac",
					      "\xf0\x9f\x98\x80",
					      "\\t\\t\\t\\t",
					      "x",
					      "\\/",
					      "\",\"",
					      "\":[1,2.5e3,true],\"",
					      "\xe5\x87\xbd\xe6\x95\xb0" };
	static const char changes[] = "\"\\\x01\x80\xff\xc3 u{}[],:0n";
	const unsigned all = JSON_ALLOW_NUL | JSON_ALLOW_DUPLICATES |
			     JSON_ALLOW_LONE;
	uint64_t seed = 4711;
	struct json_error e;
	size_t bad = 0, good = 0;

	for (int round = 0; round < 60000; round++) {
		struct buf text = BUF_INIT;
		size_t k = test_random(&seed) % 14;
		unsigned flags = JSON_ALLOW_DUPLICATES;
		bool want;

		flags |= test_random(&seed) % 2 == 0 ? all : 0;
		buf_adds(&text, "{\"a\":\"");
		while (k-- > 0)
			buf_adds(&text, pieces[test_random(&seed) % 16]);
		buf_adds(&text, "\"}");
		if (test_random(&seed) % 2 == 0)
			text.data[test_random(&seed) % text.len] =
				changes[test_random(&seed) % 17];
		if (test_random(&seed) % 8 == 0)
			buf_truncate(&text, test_random(&seed) % text.len);
		want = naive_json(buf_str(&text), 20, flags);
		good += want;
		bad += (check_exact(buf_str(&text), 20, flags, &e) == 0) !=
		       want;
		buf_release(&text);
	}
	is_int((long long)bad, 0, "60,000 texts get the grammar's verdict");
	ok(good > 5000 && good < 55000, "%zu of them are good", good);
}

int
main(void)
{
	agrees_with_the_grammar();
	accepted();
	refused();
	flags();
	where();
	depth();
	many_keys();
	long_keys();
	reason_is_text();
	string_faults_at_every_offset();
	return done();
}

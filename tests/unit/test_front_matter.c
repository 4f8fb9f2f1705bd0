/* Reading front matter: spec/notes.md sections 3 and 3.1. */

#include "test.h"

#include "base/xalloc.h"
#include "notes/front_matter.h"
#include "notes/yaml_tree.h"

#define MTIME INT64_C(1700000000123)
#define T8 INT64_C(1785571200000) /* 2026-08-01T08:00:00Z */

static struct front_matter fm;
static struct note_meta meta;

static void
parse(struct str file)
{
	/* An exact copy, so that a sanitizer sees every byte read too many. */
	char *copy = xmalloc(file.n);

	memcpy(copy, file.s, file.n);
	front_matter_release(&fm);
	front_matter_parse(&fm, (struct str){ copy, file.n },
			   FRONT_MATTER_EXTRA);
	front_matter_meta(&fm, MTIME, &meta);
	free(copy);
}

static void
is_kind(struct str file, enum front_matter_kind kind, size_t body,
	const char *name)
{
	parse(file);
	is_int(fm.kind, kind, name);
	is_int((long long)fm.body, (long long)body, name);
}

static void
test_recognition(void)
{
	const enum front_matter_kind none = FRONT_MATTER_NONE,
				     block = FRONT_MATTER_BLOCK,
				     broken = FRONT_MATTER_BROKEN;

	is_kind(STR(""), none, 0, "an empty file");
	is_kind(STR("a\n"), none, 0, "no opening line");
	is_kind(STR("---"), none, 0, "an opening line only");
	is_kind(STR("---\n"), none, 0, "no closing line");
	is_kind(STR("---\na: 1\n"), none, 0, "unclosed");
	is_kind(STR("----\na: 1\n---\n"), none, 0, "four dashes");
	is_kind(STR(" ---\na: 1\n---\n"), none, 0, "an indented opening line");
	is_kind(STR("\n---\na: 1\n---\n"), none, 0, "a line before it");
	is_kind(STR("--- x\na: 1\n---\n"), none, 0, "more on the opening line");
	is_kind(STR("---\na: 1\n ---\n"), none, 0, "an indented closing line");

	is_kind(STR("---\n---\n"), block, 8, "an empty block");
	is_kind(STR("---\n---"), block, 7, "an empty block at the end");
	is_kind(STR("---\n\n \n---\nb"), block, 11, "a blank block");
	is_kind(STR("---\na: 1\n---\nbody"), block, 13, "no separator");
	is_kind(STR("---\na: 1\n---\n\nbody"), block, 14, "a separator");
	is_kind(STR("---\na: 1\n---\n\n\nbody"), block, 14,
		"one empty line only is eaten");
	is_kind(STR("---\na: 1\n---\n \nbody"), block, 13,
		"a line with a blank is not a separator");
	is_kind(STR("---\r\na: 1\r\n---\r\n\r\nbody"), block, 18, "CRLF");
	is_kind(STR("--- \t\r\na: 1\n---\t \nbody"), block, 18,
		"blanks after the dashes");
	is_kind(STR("\xef\xbb\xbf---\na: 1\n---\n\nb"), block, 17, "a BOM");
	is_kind(STR("---\na: 1\n---\nb\n---\n"), block, 13,
		"the first closing line closes");

	is_kind(STR("---\n# Title\n---\nb"), none, 0,
		"a heading between rules");
	is_kind(STR("---\n\n  # T\r\n\n---\n"), none, 0,
		"comments and blanks only");
	is_kind(STR("---\n# T\na: 1\n---\n"), block, 17, "a comment and a key");

	is_kind(STR("---\ntext\n---\n"), broken, 0, "a scalar");
	is_kind(STR("---\n- a\n---\n"), broken, 0, "a sequence");
	is_kind(STR("---\n{a: 1}\n---\n"), broken, 0, "a flow mapping");
	is_kind(STR("---\n? [a]\n: 1\n---\n"), broken, 0,
		"a key that is a list");
	is_kind(STR("---\nx:\n  ? {a: 1}\n  : 1\n---\n"), broken, 0,
		"a nested key that is a mapping");
	is_kind(STR("---\n? a\n: 1\n---\n"), block, 16, "an explicit key");
	is_kind(STR("---\na: &x 1\n---\n"), broken, 0, "an anchor");
	is_kind(STR("---\na: *x\n---\n"), broken, 0, "an alias");
	is_kind(STR("---\na: !!str 1\n---\n"), broken, 0, "a tag");
	is_kind(STR("---\n!!map\na: 1\n---\n"), broken, 0, "a tag on the root");
	is_kind(STR("---\na: &x [1]\n---\n"), broken, 0, "an anchor on a list");
	is_kind(STR("---\n%YAML 1.1\n--- \n"), broken, 0, "a directive");
	is_kind(STR("---\na: 1\n--- b\n---\n"), broken, 0,
		"a further document");
	is_kind(STR("---\na: 1\n...\nb: 1\n---\n"), broken, 0,
		"a further document after an end");
	is_kind(STR("---\na: \"x\\0y\"\n---\n"), broken, 0, "an escaped NUL");
	is_kind(STR("---\na: x\0y\n---\n"), broken, 0, "a NUL");
	is_kind(STR("---\na: \xff\n---\n"), broken, 0, "invalid UTF-8");
	is_kind(STR("---\na: 1\n---\n\xff"), block, 13,
		"invalid UTF-8 in the body is not our business");
	is_kind(STR("---\ntitle: Re: plan\n---\n"), broken, 0,
		"section 10: a colon in a plain value");
	is_kind(STR("---\na: 1\n b: 2\n---\n"), broken, 0, "bad indentation");
	is_kind(STR("---\n\xff\xfe"
		    "a\n---\n"),
		broken, 0, "a UTF-16 BOM");
}

static void
is_fault(struct str file, size_t line, const char *reason)
{
	parse(file);
	ok(fm.kind == FRONT_MATTER_BROKEN, "broken: %s", reason);
	is_int((long long)fm.line, (long long)line, reason);
	ok(strstr(fm.reason, reason) != NULL, "says so: %s", fm.reason);
}

static void
test_faults(void)
{
	is_fault(STR("---\ntitle: [open\n---\nbody"), 2,
		 "did not find expected ',' or ']'");
	is_fault(STR("---\na: 1\nb: \"x\n c: 2\n---\n"), 3,
		 "found unexpected end of stream");
	is_fault(STR("---\r\na: 1\r\ntitle: Re: plan\r\n---\r\n"), 3,
		 "mapping values are not allowed");
	is_fault(STR("---\na: 1\n\nb: *x\n---\n"), 4, "aliases");
	is_fault(STR("---\n# c\n- a\n---\n"), 3, "not a list of keys");
	is_fault(STR("---\na: 1\nb: \xff\n---\n"), 3, "UTF-8");
	is_fault(STR("---\na: \xc3\xa9\n"
		     "b: \x01\n---\n"),
		 3, "control");
	is_fault(STR("---\n# c\n%TAG ! x\n---\n"), 3, "directives");
}

static void
is_meta(struct str file, int64_t created, int64_t updated, int64_t accessed,
	int64_t count, const char *name)
{
	parse(file);
	is_int(meta.created_at, created, name);
	is_int(meta.updated_at, updated, name);
	is_int(meta.last_accessed, accessed, name);
	is_int(meta.access_count, count, name);
}

static void
test_defaults(void)
{
	is_meta(STR("bare"), MTIME, MTIME, MTIME, 0, "a bare note");
	ok(meta.origin == NOTE_ORIGIN_SELF, "a bare note is one's own");
	ok(!meta.crumpled && !meta.has_project, "and nothing else");
	is_meta(STR("---\nupdatedAt: [\n---\n"), MTIME, MTIME, MTIME, 0,
		"a broken block counts for nothing");
	is_meta(STR("---\nupdatedAt: 2026-08-01T08:00:00.000+00:00\n---\n"), T8,
		T8, T8, 0, "only updatedAt");
	is_meta(STR("---\ncreatedAt: 2026-08-01T10:00:00.000+02:00\n---\n"), T8,
		MTIME, MTIME, 0, "only createdAt");
	is_meta(STR("---\ncreatedAt: soon\nupdatedAt: 1785571200000\n---\n"),
		T8, T8, T8, 0, "an unreadable time; epoch milliseconds");
	is_meta(STR("---\nlastAccessed: 2026-08-01\naccessCount: 7\n---\n"),
		MTIME, MTIME, T8 - 8 * 3600000, 7, "a date; a count");
	is_meta(STR("---\nupdatedAt: \"2026-08-01 08:00\"\naccessCount: -1\n"
		    "---\n"),
		T8, T8, T8, 0, "quoted; a negative count");
	is_meta(STR("---\naccessCount: \"5\"\nupdatedAt: \"17\"\n---\n"), MTIME,
		MTIME, MTIME, 0, "quoted numbers are not numbers");
	is_meta(STR("---\nupdatedAt: 0001-01-01T00:00+23:59\n"
		    "createdAt: 9999-12-31T23:59:60Z\n---\n"),
		MTIME, MTIME, MTIME, 0,
		"an offset or a leap second that leaves the years 1 to 9999");
	is_meta(STR("---\nupdatedAt: 253402300800000\n---\n"), MTIME, MTIME,
		MTIME, 0, "the year 10000");
	is_meta(STR("---\nupdatedAt: 1\nupdatedAt: 1785571200000\n---\n"), T8,
		T8, T8, 0, "the last of two counts");
	is_meta(STR("---\nupdatedAt: 1785571200000\nupdatedAt: x\n---\n"),
		MTIME, MTIME, MTIME, 0, "even if it means nothing");
	is_meta(STR("---\n\"updated\\x41t\": 1785571200000\n---\n"), T8, T8, T8,
		0, "a key in quotes");
	is_meta(STR("---\nx:\n  updatedAt: 1\n---\n"), MTIME, MTIME, MTIME, 0,
		"a nested key is another one");
}

static void
test_origin_project(void)
{
	parse(STR("---\norigin: user\nproject: shop-17b5613d\n---\n"));
	ok(meta.origin == NOTE_ORIGIN_USER, "origin user");
	ok(meta.has_project && str_is(meta.project, "shop-17b5613d"),
	   "a project");
	parse(STR("---\norigin: \"external\"\nproject: \"My Site-1\"\n---\n"));
	ok(meta.origin == NOTE_ORIGIN_EXTERNAL, "origin external");
	ok(str_is(meta.project, "My Site-1"), "a quoted project");
	parse(STR("---\norigin: me\nproject: 17\n---\n"));
	ok(meta.origin == NOTE_ORIGIN_SELF, "an unknown origin");
	ok(!meta.has_project, "a project that is not a string");
	parse(STR("---\nproject: a\nproject: [b]\n---\n"));
	ok(!meta.has_project, "the last project is not a string");
	parse(STR("---\nproject: \"\"\n---\n"));
	ok(meta.has_project && meta.project.n == 0, "an empty project");
}

static void
test_crumpled(void)
{
	static const char *const any[] = { "",	  "null",  "~",	   "[]",
					   "{}",  "no",	   "\"\"", "false",
					   "[a]", "|\n  x" };
	struct buf file = BUF_INIT;
	size_t i;

	for (i = 0; i < sizeof(any) / sizeof(any[0]); i++) {
		buf_reset(&file);
		buf_addf(&file,
			 "---\nupdatedAt: 1785571200000\ncrumpledAt: %s\n---\n",
			 any[i]);
		parse(buf_str(&file));
		ok(meta.crumpled && meta.crumpled_at == T8,
		   "trap 12: any crumpledAt counts (%zu)", i);
	}
	buf_release(&file);
	parse(STR("---\ncrumpledAt: 2026-08-01\n---\n"));
	ok(meta.crumpled_at == T8 - 8 * 3600000, "a crumpled time");
	parse(STR("---\nupdatedAt: 1\n---\n"));
	ok(!meta.crumpled, "live");
}

static void
is_extra(const char *lines, const char *extra)
{
	struct buf file = BUF_INIT;

	buf_addf(&file, "---\n%s\n---\nbody", lines);
	parse(buf_str(&file));
	if (!is_string(fm.extra.data, extra, extra))
		printf("# %s\n", fm.reason);
	buf_release(&file);
}

static void
test_extra(void)
{
	is_extra("n: 17", "{\"n\":17}");
	is_extra("n: \"17\"", "{\"n\":\"17\"}");
	is_extra("n: 1e3", "{\"n\":1e3}");
	is_extra("n: 0x10", "{\"n\":\"0x10\"}");
	is_extra("e:", "{\"e\":null}");
	is_extra("e: ~", "{\"e\":null}");
	is_extra("t: true", "{\"t\":true}");
	is_extra("y: yes", "{\"y\":\"yes\"}");
	is_extra("l: [1, a]", "{\"l\":[1,\"a\"]}");
	is_extra("l: [1, [-2, {a: b}], \"\"]",
		 "{\"l\":[1,[-2,{\"a\":\"b\"}],\"\"]}");
	is_extra("l:\n- 007\n- 1.10\n-\n- null", /* cases.md row 14 */
		 "{\"l\":[\"007\",1.10,null,null]}");
	is_extra("when: 10:30\nday: 2026-03-01\nver: 1.10\nok: no\nid: 007",
		 "{\"when\":\"10:30\",\"day\":\"2026-03-01\",\"ver\":1.10,"
		 "\"ok\":\"no\",\"id\":\"007\"}");
	is_extra("b: |\n  x\n  \"y\"\nc: 'it''s'",
		 "{\"b\":\"x\\n\\\"y\\\"\\n\",\"c\":\"it's\"}");
	is_extra("a: 1\nb: 2\na: 3", "{\"b\":2,\"a\":3}");
	is_extra("m: {a: 1, b: 2, a: [3]}\norigin: self",
		 "{\"m\":{\"b\":2,\"a\":[3]}}");
	is_extra("__proto__: 1\n\"a b\": 2", "{\"__proto__\":1,\"a b\":2}");
	is_extra("origin: user\norigin: self", "{}");
	is_extra("a: -\xc3\xa9", "{\"a\":\"-\xc3\xa9\"}");
	is_extra("a: \"\\x01\\u007f\"", "{\"a\":\"\\u0001\x7f\"}");
	is_extra("a:\n  b:\n    c: {}\n    d: []\n  e: 1",
		 "{\"a\":{\"b\":{\"c\":{},\"d\":[]},\"e\":1}}");
	is_extra(
		"a: -0\nb: -x\nc: +1\nd: .5\ne: 1.\nf: -1.5E+7",
		"{\"a\":-0,\"b\":\"-x\",\"c\":\"+1\",\"d\":\".5\",\"e\":\"1.\","
		"\"f\":-1.5E+7}");
}

static void
add_run(struct buf *b, size_t n)
{
	while (n-- > 0)
		buf_addc(b, 'x');
}

static void
test_extra_budget(void)
{
	struct buf lines = BUF_INIT, want = BUF_INIT;

	/* "k": and two quotes are 6 bytes of 1,024. */
	buf_adds(&lines, "k: ");
	add_run(&lines, 1018);
	buf_adds(&want, "{\"k\":\"");
	add_run(&want, 1018);
	buf_adds(&want, "\"}");
	is_extra(lines.data, want.data);
	buf_addc(&lines, 'x');
	is_extra(lines.data, "{\"k\":\"[omitted: too large]\"}");

	/* 1,024 + 1,019 of 2,048 bytes: 6 are too many, later 5 are not. */
	buf_reset(&lines);
	buf_reset(&want);
	buf_adds(&lines, "a: ");
	add_run(&lines, 1018);
	buf_adds(&lines, "\nb: ");
	add_run(&lines, 1013);
	buf_adds(&lines, "\nc: 12\nd: 1\ne: 1");
	buf_adds(&want, "{\"a\":\"");
	add_run(&want, 1018);
	buf_adds(&want, "\",\"b\":\"");
	add_run(&want, 1013);
	buf_adds(&want, "\",\"c\":\"[omitted: too large]\",\"d\":1,"
			"\"e\":\"[omitted: too large]\"}");
	is_extra(lines.data, want.data);
	buf_release(&lines);
	buf_release(&want);
}

static void
repeat(struct buf *b, const char *s, size_t n)
{
	while (n-- > 0)
		buf_adds(b, s);
}

/* The value v, repeated n times and followed by end, in a block. */
static void
is_hostile(const char *before, const char *v, size_t n, const char *end,
	   enum front_matter_kind kind, const char *name)
{
	struct buf file = BUF_INIT;

	buf_adds(&file, "---\n");
	buf_adds(&file, before);
	repeat(&file, v, n);
	buf_adds(&file, end);
	buf_adds(&file, "\n---\nbody");
	parse(buf_str(&file));
	if (!ok(fm.kind == kind, "%s", name))
		printf("# kind %d: %s\n", (int)fm.kind, fm.reason);
	buf_release(&file);
}

static void
test_hostile(void)
{
	const enum front_matter_kind block = FRONT_MATTER_BLOCK,
				     broken = FRONT_MATTER_BROKEN;

	is_hostile("a: ", "[", 50000, "", broken, "50,000 brackets");
	is_hostile("", "[", 65536, "", broken, "64 KiB of brackets");
	is_hostile("a: ", "{", 60000, "", broken, "60,000 braces");
	is_hostile("a: ", "[\n ", 60000, "", broken, "brackets on lines");
	is_hostile("a: \"", "[", 60000, "\"", block, "brackets in a string");
	is_hostile("a: x", "[", 60000, "", block, "brackets in a plain scalar");
	is_hostile("# ", "[", 60000, "\na: 1", block, "brackets in a comment");
	is_hostile("a:\n  ", "- ", 60000, "x", broken, "60,000 dashes");
	is_hostile("a: &a [x]\n", "b: [*a,*a]\n", 40, "", broken,
		   "an alias bomb");
	is_hostile("", "%TAG !a! b\n", 20000, "--- ", broken, "directives");
	is_hostile("", "a", 262144 - 3, ": 1", broken, "a key of 262,141");
	is_hostile("", "a", 1000000, ": 1", broken, "a key of a million");
	is_hostile("k: ", "a", 262144 - 4, "", block, "exactly 262,144 bytes");
	is_hostile("k: ", "a", 262144 - 3, "", broken, "one byte more");
	is_hostile("", "a: 1\n", 9990, "", block, "9,990 times one key");
	is_hostile("", "a: 1\n", 10000, "", broken, "too many events");
	is_hostile("", "updatedAt: 1\n", 9990, "", block,
		   "9,990 times a known key");
	is_hostile("a: ", "'", 60001, "x'", block, "60,000 quotes");
	is_hostile("a: ", "[", 31, "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]", block,
		   "32 levels");
	is_hostile("a: ", "[", 32, "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]", broken,
		   "33 levels");
}

static void
is_closed(struct str head, bool closed, const char *name)
{
	ok(front_matter_closed(head) == closed, "%s", name);
}

static void
test_closed(void)
{
	is_closed(STR("body text"), true, "no opening line");
	is_closed(STR("---\na: 1\n---\n\nb"), true,
		  "closed, and the separator");
	is_closed(STR("---\na: 1\n---\n\n"), false, "a separator may go on");
	is_closed(STR("---\na: 1\n---"), false, "a closing line may go on");
	is_closed(STR("---\na: 1\n--"), false, "not closed");
	is_closed(STR("---     "), false, "an opening line may go on");
	is_closed(STR("--- x   "), true, "not an opening line");
	is_closed(STR("\xef\xbb\xbf--- "), false, "after a BOM");
	is_closed(STR("\xef\xbb\xbf---\na: 1\n---\nbo"), true, "after a BOM");
}

static void
is_scalar(struct str text, const char *want)
{
	struct buf out = BUF_INIT;

	front_matter_scalar(&out, text);
	is_string(out.data, want, want);
	buf_release(&out);
}

static void
test_scalar(void)
{
	is_scalar(STR("shop-api-17b5613d"), "shop-api-17b5613d");
	is_scalar(STR("My Site-1"), "\"My Site-1\"");
	is_scalar(STR("-42099b4a"), "\"-42099b4a\"");
	is_scalar(STR("1e-12345678"), "\"1e-12345678\"");
	is_scalar(STR("17"), "\"17\"");
	is_scalar(STR("true"), "\"true\"");
	is_scalar(STR("null"), "\"null\"");
	is_scalar(STR(""), "\"\"");
	is_scalar(STR("a:b"), "a:b");
	is_scalar(STR("a:"), "\"a:\"");
	is_scalar(STR(":a"), "\":a\"");
	is_scalar(STR("a#b"), "\"a#b\"");
	is_scalar(STR("\xc3\xa9"), "\"\xc3\xa9\"");
	is_scalar(STR("a\"\\\n\x7f"), "\"a\\\"\\\\\\n\\u007f\"");
	is_scalar(STR("\xe2\x80\xa8\xc2\x85\xef\xbb\xbf"),
		  "\"\\u2028\\u0085\\ufeff\"");
}

int
main(void)
{
	setenv("TZ", "UTC", 1);
	test_recognition();
	test_faults();
	test_defaults();
	test_origin_project();
	test_crumpled();
	test_extra();
	test_extra_budget();
	test_hostile();
	test_closed();
	test_scalar();
	front_matter_release(&fm);
	return done();
}

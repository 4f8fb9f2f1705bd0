/* Changing front matter: spec/notes.md section 3.2. */

#include "test.h"

#include "notes/front_matter_rewrite.h"

#define MTIME INT64_C(1700000000123) /* 2023-11-14T22:13:20.123Z */
#define STAMP INT64_C(1785571200000) /* 2026-08-01T08:00:00.000Z */
#define STAMP_TEXT "2026-08-01T08:00:00.000+00:00"
#define MTIME_TEXT "2023-11-14T22:13:20.123+00:00"

#define BIT(key) FRONT_MATTER_BIT(FRONT_MATTER_##key)

/* Every change here is of these values. */
static const struct note_meta to = {
	.origin = NOTE_ORIGIN_USER,
	.created_at = STAMP,
	.updated_at = STAMP,
	.last_accessed = STAMP,
	.crumpled = true,
	.crumpled_at = STAMP,
	.access_count = 12,
	.has_project = true,
	.project = { "My Site-73160b07", 16 },
};

static struct buf out = BUF_INIT;
static struct fail fail;

static int
rewrite(struct str file, const struct front_matter_change *change)
{
	struct front_matter fm = FRONT_MATTER_INIT;
	struct note_meta meta;
	int rc;

	buf_reset(&out);
	fail_release(&fail);
	fail = (struct fail)FAIL_INIT;
	front_matter_parse(&fm, file, 0);
	front_matter_meta(&fm, MTIME, &meta);
	rc = front_matter_rewrite(&fm, file, &meta, change, &out, &fail);
	front_matter_release(&fm);
	return rc;
}

static void
becomes(struct str file, uint32_t set, uint32_t remove, const char *want,
	const char *name)
{
	const struct front_matter_change change = { .set = set,
						    .remove = remove,
						    .to = to };

	if (rewrite(file, &change) != 0)
		printf("# refused: %s\n", fail.message.data);
	is_string(out.data, want, name);
}

/* Refused, with all of these in the message; nothing was written. */
static void
refused(struct str file, uint32_t set, uint32_t remove, const char *key,
	const char *line, const char *name)
{
	const struct front_matter_change change = { .set = set,
						    .remove = remove,
						    .to = to };
	int rc = rewrite(file, &change);

	ok(rc == -1 && fail.kind == FAIL_REFUSED && out.len == 0 &&
		   strcmp(fail.code, "bad_front_matter") == 0,
	   "refused: %s", name);
	if (!ok(strstr(fail.message.data, key) != NULL &&
			strstr(fail.message.data, line) != NULL,
		"names %s and %s", key, line))
		printf("# %s\n# %s\n", fail.message.data, out.data);
}

static void
test_set(void)
{
	becomes(STR("---\norigin: self\na: 1\n---\nb"), BIT(ORIGIN), 0,
		"---\norigin: user\na: 1\n---\nb", "a plain value");
	becomes(STR("---\norigin: 'self' # why\na: 1\n---\nb"), BIT(ORIGIN), 0,
		"---\norigin: user # why\na: 1\n---\nb",
		"a quoted value; the comment stays");
	becomes(STR("---\norigin :  self  # why \n---\nb"), BIT(ORIGIN), 0,
		"---\norigin :  user  # why \n---\nb", "blanks stay");
	becomes(STR("---\norigin:\n---\nb"), BIT(ORIGIN), 0,
		"---\norigin: user\n---\nb", "an empty value");
	becomes(STR("---\norigin: # why\n---\nb"), BIT(ORIGIN), 0,
		"---\norigin: user # why\n---\nb", "an empty one, commented");
	becomes(STR("---\n\"origin\": self\n'accessCount': 9\n---\n"),
		BIT(ORIGIN) | BIT(ACCESS_COUNT), 0,
		"---\n\"origin\": user\n'accessCount': 12\n---\n",
		"keys in quotes");
	becomes(STR("---\norigin: self\norigin: external\n---\n"), BIT(ORIGIN),
		0, "---\norigin: self\norigin: user\n---\n",
		"of a duplicate, the last");
	becomes(STR("---\nproject: x\n---\n"), BIT(PROJECT), 0,
		"---\nproject: \"My Site-73160b07\"\n---\n",
		"a value that needs quotes");
	becomes(STR("---\nx: \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\n"
		    "origin: self # \xc3\xa9\ny: \xc3\xa9\n---\n\xc3\xa9"),
		BIT(ORIGIN), 0,
		"---\nx: \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\n"
		"origin: user # \xc3\xa9\ny: \xc3\xa9\n---\n\xc3\xa9",
		"marks count characters, we count bytes");
	becomes(STR("\xef\xbb\xbf---\norigin: self\n---\nb"), BIT(ORIGIN), 0,
		"\xef\xbb\xbf---\norigin: user\n---\nb", "a BOM stays");
	becomes(STR("---\nx: 1\rorigin: self\ry: 2\n---\n"), BIT(ORIGIN), 0,
		"---\nx: 1\rorigin: user\ry: 2\n---\n",
		"a carriage return is a line break for YAML");
	becomes(STR("---\n? origin\n: self\n---\n"), 0, 0,
		"---\n? origin\n: self\n---\n", "nothing to change");
}

static void
test_set_lines(void)
{
	becomes(STR("---\norigin: \"se\n  lf\"  # c\na: 1\n---\n"), BIT(ORIGIN),
		0, "---\norigin: user  # c\na: 1\n---\n",
		"a string over two lines");
	becomes(STR("---\norigin: se\n  lf\n  x\na: 1\n---\n"), BIT(ORIGIN), 0,
		"---\norigin: user\na: 1\n---\n", "plain over three lines");
	becomes(STR("---\norigin:\n  self # c\na: 1\n---\n"), BIT(ORIGIN), 0,
		"---\norigin:\n  user # c\na: 1\n---\n", "on the line below");
	becomes(STR("---\norigin: |\n  self\n  x\n\n# c\na: 1\n---\n"),
		BIT(ORIGIN), 0, "---\norigin: user\n\n# c\na: 1\n---\n",
		"a literal");
	becomes(STR("---\norigin: >-\n  self\n---\nb"), BIT(ORIGIN), 0,
		"---\norigin: user\n---\nb", "a folded one, at the end");
	becomes(STR("---\norigin: [a,\n b] # c\n---\n"), BIT(ORIGIN), 0,
		"---\norigin: user # c\n---\n", "a flow list");
	becomes(STR("---\norigin:\n- a\n- b\nx: 1\n---\n"), BIT(ORIGIN), 0,
		"---\norigin: user\nx: 1\n---\n", "a list at the key's column");
	becomes(STR("---\norigin: # c\n  - a\n  - [b] # d\n# e\nx: 1\n---\n"),
		BIT(ORIGIN), 0, "---\norigin: user # c\n # d\n# e\nx: 1\n---\n",
		"a list and its comments");
	becomes(STR("---\norigin:\r\n  a: 1\r\n  b:\r\nx: 1\r\n---\r\n"),
		BIT(ORIGIN), 0, "---\norigin: user\r\nx: 1\r\n---\r\n",
		"a mapping, CRLF");
}

static void
test_add(void)
{
	becomes(STR("---\na: 1\n# c\n---\nb"), BIT(ORIGIN), 0,
		"---\na: 1\n# c\norigin: user\n---\nb",
		"directly before the closing line");
	becomes(STR("---\r\ntags:\r\n  - a\r\n---\r\n\r\nbody\r\n"),
		BIT(ORIGIN), 0,
		"---\r\ntags:\r\n  - a\r\norigin: user\r\n---\r\n\r\nbody\r\n",
		"cases 12: CRLF");
	becomes(STR("--- \r\na: 1\n---\nb"), BIT(ORIGIN), 0,
		"--- \r\na: 1\norigin: user\r\n---\nb",
		"the line ending of the opening line");
	becomes(STR("---\n# c\n  a: 1\n  b:\n  - c\n---\nb"), BIT(ORIGIN), 0,
		"---\n# c\n  a: 1\n  b:\n  - c\n  origin: user\n---\nb",
		"indented like the first key");
	becomes(STR("---\n---\nb"), BIT(ORIGIN) | BIT(CRUMPLED_AT), 0,
		"---\norigin: user\ncrumpledAt: " STAMP_TEXT "\n---\nb",
		"into an empty block, in the order of a new one");
	becomes(STR("---\n---"), BIT(ORIGIN), 0, "---\norigin: user\n---\n",
		"a closing line gets its newline");
	becomes(STR("---\r\n---"), BIT(ORIGIN), 0,
		"---\r\norigin: user\r\n---\r\n", "a CRLF one");
	becomes(STR("---\na: |\n  x\n\n---\nb"), BIT(ORIGIN), 0,
		"---\na: |\n  x\n\norigin: user\n---\nb", "after a literal");
	becomes(STR("---\na: |+\n  x\n\n---\nb"), BIT(ORIGIN), 0,
		"---\na: |+\n  x\n\norigin: user\n---\nb",
		"after a literal that keeps its lines");
	becomes(STR("---\na: b\n  c\n---\nb"), BIT(ORIGIN), 0,
		"---\na: b\n  c\norigin: user\n---\nb",
		"after a plain value of two lines");
}

static void
test_remove(void)
{
	const uint32_t crumpled = BIT(CRUMPLED_AT);

	becomes(STR("---\ncrumpledAt: x\na: 1\n---\nb"), 0, crumpled,
		"---\na: 1\n---\nb", "a line");
	becomes(STR("---\na: 1\ncrumpledAt: # c\n---\nb"), 0, crumpled,
		"---\na: 1\n---\nb", "with its comment");
	becomes(STR("---\r\na: 1\r\ncrumpledAt:\r\n---\r\nb"), 0, crumpled,
		"---\r\na: 1\r\n---\r\nb", "an empty value, CRLF");
	becomes(STR("---\ncrumpledAt: 1\na: 1\ncrumpledAt: 2\n---\nb"), 0,
		crumpled, "---\na: 1\n---\nb", "all occurrences");
	becomes(STR("---\ncrumpledAt:\n  - a\n  - b:\n      c # d\n# e\na: 1\n"
		    "---\nb"),
		0, crumpled, "---\n# e\na: 1\n---\nb", "with all its lines");
	becomes(STR("---\na: 1\ncrumpledAt: |\n  x\n  y\n---\nb"), 0, crumpled,
		"---\na: 1\n---\nb", "a literal");
	becomes(STR("---\ncrumpledAt: x\n---\nb"), 0, crumpled, "---\n---\nb",
		"the only key");
	becomes(STR("---\na: 1\n---\nb"), 0, crumpled, "---\na: 1\n---\nb",
		"one that is not there");
	becomes(STR("---\nproject: x\ncrumpledAt: y\norigin: self\n---\nb"),
		BIT(ORIGIN), crumpled | BIT(PROJECT),
		"---\norigin: user\n---\nb", "two, and a change");
}

static void
test_refused(void)
{
	const uint32_t crumpled = BIT(CRUMPLED_AT);

	refused(STR("---\na: 1\n? crumpledAt\n: x\n---\nb"), 0, crumpled,
		"crumpledAt", "line 3", "removing an explicit key");
	refused(STR("---\n? origin\n: self\n---\nb"), BIT(ORIGIN), 0, "origin",
		"line 2", "setting an explicit key");
	refused(STR("---\na: 1\rcrumpledAt: x\n---\nb"), 0, crumpled,
		"crumpledAt", "line 2", "a key behind a carriage return");
	refused(STR("---\na: 1\ncrumpledAt: x # c\rb: 1\n---\nb"), 0, crumpled,
		"crumpledAt", "line 3", "a key before a carriage return");
	refused(STR("---\na: 1\ncrumpledAt: x # c\xe2\x80\xa8"
		    "b: 1\n---\nb"),
		0, crumpled, "crumpledAt", "line 3", "a line separator");
	refused(STR("---\na: |+\n  x\ncrumpledAt: y\n\nb: 1\n---\nb"), 0,
		crumpled, "crumpledAt", "line 4",
		"an empty line would join the text above");
	refused(STR("---\na: |\n  x\ncrumpledAt: y\n  # c\nb: 1\n---\nb"), 0,
		crumpled, "crumpledAt", "line 4",
		"a comment would become text");
	refused(STR("---\ncrumpledAt: y\n# c\n---\nb"), 0, crumpled,
		"crumpledAt", "line 2", "what is left would be no block");
	refused(STR("---\na: 1\n...\n---\nb"), BIT(ORIGIN), 0, "origin",
		"line 4", "after the end of the document");

	/* cases.md row 13 */
	refused(STR("---\ntitle: [open\n---\nbody"), BIT(ORIGIN), 0, "expected",
		"line 2", "origin of a broken block");
	refused(STR("---\na: 1\nb: *x\n---\nbody"), 0, crumpled, "aliases",
		"line 3", "uncrumpling a broken block");
}

static void
changes(struct str file, const struct front_matter_change *change,
	const char *want, const char *name)
{
	if (rewrite(file, change) != 0)
		printf("# refused: %s\n", fail.message.data);
	is_string(out.data, want, name);
}

static void
test_body(void)
{
	struct str body = STR("new\r\n");
	struct front_matter_change change = { .to = to, .body = &body };

	changes(STR("---\na: 1\n---\nold"), &change, "---\na: 1\n---\nnew\r\n",
		"a body without separator");
	changes(STR("---\na: 1\n---\n\nold"), &change,
		"---\na: 1\n---\n\nnew\r\n", "with one");
	changes(STR("---\ntitle: [open\n---\nold"), &change, "new\r\n",
		"cases 13: an edit replaces a broken block's text");
	body = STR("\nnew");
	changes(STR("---\na: 1\n---\nold"), &change, "---\na: 1\n---\n\n\nnew",
		"trap 13: a separator before an empty line");
	changes(STR("---\na: 1\n---\n\nold"), &change,
		"---\na: 1\n---\n\n\nnew", "not a second one");
	body = STR("\r\nnew");
	changes(STR("---\r\na: 1\r\n---\r\nold"), &change,
		"---\r\na: 1\r\n---\r\n\r\n\r\nnew", "a CRLF one");
	body = STR("new");
	changes(STR("---\na: 1\n---"), &change, "---\na: 1\n---\nnew",
		"after a closing line without newline");
	body = STR("");
	changes(STR("---\na: 1\n---\n\nold"), &change, "---\na: 1\n---\n\n",
		"no body");
	body = STR("---\nb: 2\n---\n");
	changes(STR("---\na: 1\n---\nold"), &change,
		"---\na: 1\n---\n---\nb: 2\n---\n",
		"trap 13: a body that looks like front matter");
}

static void
test_record(void)
{
	struct front_matter_change change = { .set = BIT(ORIGIN),
					      .to = to,
					      .record_times = true };

	changes(STR("---\na: 1\n---\nb"), &change,
		"---\na: 1\norigin: user\ncreatedAt: " MTIME_TEXT
		"\nupdatedAt: " MTIME_TEXT "\n---\nb",
		"missing times are recorded");
	changes(STR("---\nupdatedAt: 2026-08-01\norigin: self\n---\nb"),
		&change,
		"---\nupdatedAt: 2026-08-01\norigin: user\n"
		"createdAt: 2026-08-01T00:00:00.000+00:00\n---\nb",
		"createdAt from updatedAt");
	changes(STR("---\ncreatedAt: soon\nupdatedAt: ''\norigin: self\n---\n"),
		&change,
		"---\ncreatedAt: soon\nupdatedAt: ''\norigin: user\n---\n",
		"what is there but unreadable stays");
	change.set |= BIT(UPDATED_AT);
	changes(STR("---\norigin: self\n---\nb"), &change,
		"---\norigin: user\ncreatedAt: " MTIME_TEXT
		"\nupdatedAt: " STAMP_TEXT "\n---\nb",
		"the stamp, and createdAt as it was in force");
}

static void
test_bare(void)
{
	struct str body = STR("new");
	struct front_matter_change change = { .set = BIT(CRUMPLED_AT),
					      .to = to,
					      .record_times = true };

#define BLOCK(origin, updated, crumpled)                                  \
	"---\norigin: " origin "\ncreatedAt: " MTIME_TEXT                 \
	"\nupdatedAt: " updated "\n" crumpled "lastAccessed: " MTIME_TEXT \
	"\naccessCount: 0\n---\n\n"

	changes(STR("\nold"), &change,
		BLOCK("self", MTIME_TEXT,
		      "crumpledAt: " STAMP_TEXT "\n") "\nold",
		"a bare note gets a block; its first line survives");
	changes(STR("---\n# T\n---\nold"), &change,
		BLOCK("self", MTIME_TEXT,
		      "crumpledAt: " STAMP_TEXT "\n") "---\n# T\n---\nold",
		"a rule, a heading, a rule");
	changes(STR("\xef\xbb\xbf"
		    "old"),
		&change,
		BLOCK("self", MTIME_TEXT,
		      "crumpledAt: " STAMP_TEXT "\n") "\xef\xbb\xbf"
						      "old",
		"in front of a BOM");
	change = (struct front_matter_change){ .set = BIT(ORIGIN) |
						      BIT(UPDATED_AT),
					       .to = to,
					       .body = &body,
					       .record_times = true };
	changes(STR("old"), &change, BLOCK("user", STAMP_TEXT, "") "new",
		"origin, stamp and body");
}

static void
test_round_trip(void)
{
	/* cases.md row 14 */
	becomes(STR("---\nwhen: 10:30\nday: 2026-03-01\nver: 1.10\nok: no\n"
		    "id: 007\n# a comment\norigin: self\n---\nb"),
		BIT(ORIGIN), 0,
		"---\nwhen: 10:30\nday: 2026-03-01\nver: 1.10\nok: no\n"
		"id: 007\n# a comment\norigin: user\n---\nb",
		"cases 14: nothing is retyped");
	/* trap 1 */
	becomes(STR("---\r\n# \xc3\xa9\r\n__proto__: {b: 'x' , a: \"y\"}\r\n"
		    "\"k\" :  >\r\n   folded\r\n   text\r\naccessCount: 11\r\n"
		    "nested:\r\n    - deep:   # c\r\n        - 1\r\n--- "
		    "\r\n\r\nb"),
		BIT(ACCESS_COUNT), 0,
		"---\r\n# \xc3\xa9\r\n__proto__: {b: 'x' , a: \"y\"}\r\n"
		"\"k\" :  >\r\n   folded\r\n   text\r\naccessCount: 12\r\n"
		"nested:\r\n    - deep:   # c\r\n        - 1\r\n--- \r\n\r\nb",
		"trap 1: comments, order, quotes and line ends live");
}

static void
bumps(struct str file, const char *want, size_t at, const char *name)
{
	struct front_matter fm = FRONT_MATTER_INIT;
	struct buf bytes = BUF_INIT;
	size_t offset = 0;
	bool done;

	front_matter_parse(&fm, file, 0);
	done = front_matter_bump_in_place(&fm, file, 12, STAMP, &bytes,
					  &offset);
	ok(done == (want != NULL), "in place or not: %s", name);
	is_string(bytes.data, want == NULL ? "" : want, name);
	is_int((long long)offset, (long long)at, name);
	buf_release(&bytes);
	front_matter_release(&fm);
}

static void
test_bump(void)
{
	bumps(STR("---\nlastAccessed: 2020-01-01T00:00:00.000+00:00\n"
		  "accessCount: 11\n---\nb"),
	      STAMP_TEXT "\naccessCount: 12", 18, "the usual block");
	bumps(STR("---\naccessCount: 11 # \xc3\xa9\n"
		  "lastAccessed: 2020-01-01T00:00:00.000+00:00\n---\nb"),
	      "12 # \xc3\xa9\nlastAccessed: " STAMP_TEXT, 17,
	      "the other way round");
	bumps(STR("---\nlastAccessed: 2020-01-01T00:00:00.000+00:00\n"
		  "accessCount: 9\n---\nb"),
	      NULL, 0, "a digit more");
	bumps(STR("---\nlastAccessed: 2020-01-01T00:00:00.000Z\n"
		  "accessCount: 11\n---\nb"),
	      NULL, 0, "a shorter time");
	bumps(STR("---\naccessCount: 11\n---\nb"), NULL, 0, "one is missing");
	bumps(STR("---\nlastAccessed: \"2020-01-01T00:00:00.000Z   \"\n"
		  "accessCount: 11\n---\nb"),
	      NULL, 0, "in quotes");
	bumps(STR("---\nlastAccessed: 2020-01-01\n  00:00:00.000+00:0\n"
		  "accessCount: 11\n---\nb"),
	      NULL, 0, "over two lines");
	bumps(STR("body"), NULL, 0, "a bare note");
}

/* A text of characters that have a meaning somewhere. */
static void
random_text(uint64_t *seed, struct buf *text)
{
	static const char *const parts[] = {
		"a",
		"1",
		"-",
		":",
		" ",
		"#",
		"\"",
		"\\",
		"'",
		"\n",
		"\t",
		"\r",
		"\x7f",
		"\x01",
		"e",
		".",
		"[",
		"{",
		"~",
		"null",
		"\xc2\x85",
		"\xe2\x80\xa8",
		"\xef\xbb\xbf",
		"\xef\xbf\xbe",
		"\xf0\x9f\x98\x80",
		"\xc3\xa9",
		"true",
		"%",
		"@",
		"!",
	};
	size_t n = test_random(seed) % 12;

	buf_reset(text);
	while (n-- > 0)
		buf_adds(text, parts[test_random(seed) %
				     (sizeof(parts) / sizeof(parts[0]))]);
}

/* Whatever a project is called, its name reads back. */
static void
test_any_project(void)
{
	struct front_matter fm = FRONT_MATTER_INIT;
	struct note_meta meta = to;
	struct buf text = BUF_INIT;
	uint64_t seed = 20260801;
	int i, good = 0;

	for (i = 0; i < 5000; i++) {
		random_text(&seed, &text);
		meta.project = buf_str(&text);
		buf_reset(&out);
		front_matter_compose(&out, &meta, STR("b"));
		front_matter_parse(&fm, buf_str(&out), 0);
		if (fm.kind == FRONT_MATTER_BLOCK && fm.raw.has_project &&
		    str_eq(fm.raw.project, buf_str(&text)))
			good++;
		else
			printf("# %s\n", out.data);
		front_matter_release(&fm);
	}
	is_int(good, 5000, "any text as a project reads back");
	buf_release(&text);
}

static void
test_compose(void)
{
	struct note_meta meta = to;

	meta.access_count = 0;
	meta.crumpled = false;
	meta.project = STR("shop-api-17b5613d");
	meta.origin = NOTE_ORIGIN_SELF;
	buf_reset(&out);
	front_matter_compose(&out, &meta, STR("step 1\nstep 2\n"));
	is_string(out.data,
		  "---\norigin: self\ncreatedAt: " STAMP_TEXT
		  "\nupdatedAt: " STAMP_TEXT "\nlastAccessed: " STAMP_TEXT
		  "\naccessCount: 0\nproject: shop-api-17b5613d\n---\n\n"
		  "step 1\nstep 2\n",
		  "section 9: a new note");
}

int
main(void)
{
	setenv("TZ", "UTC", 1);
	test_set();
	test_set_lines();
	test_add();
	test_remove();
	test_refused();
	test_body();
	test_record();
	test_bare();
	test_round_trip();
	test_bump();
	test_compose();
	test_any_project();
	buf_release(&out);
	fail_release(&fail);
	return done();
}

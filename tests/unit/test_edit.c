#include "test.h"

#include "base/xalloc.h"
#include "notes/edit.h"

#define MAX 1000000

static struct edit
edit(const char *from, const char *to)
{
	return (struct edit){ { from, strlen(from), true },
			      { to, strlen(to), true } };
}

struct outcome {
	struct buf out;
	int64_t applied;
	struct fail fail;
	int rc;
};

static struct outcome
apply(struct str text, const struct edit *edits, size_t n, bool all, size_t max)
{
	struct outcome o = { BUF_INIT, 0, FAIL_INIT, 0 };

	o.rc = edit_apply(text, edits, n, all, max, &o.out, &o.applied,
			  &o.fail);
	return o;
}

static void
release(struct outcome *o)
{
	buf_release(&o->out);
	fail_release(&o->fail);
}

static void
gives(const char *text, const struct edit *edits, size_t n, bool all,
      const char *want, size_t applied, const char *name)
{
	struct outcome o = apply(str_of(text), edits, n, all, MAX);

	if (ok(o.rc == 0, "%s: %s", name, o.fail.message.data)) {
		is_string(o.out.data, want, name);
		is_int((long long)o.applied, (long long)applied, name);
	}
	release(&o);
}

static void
refuses(const char *text, struct edit e, bool all, const char *code,
	const char *message)
{
	struct outcome o = apply(str_of(text), &e, 1, all, MAX);

	if (ok(o.rc == -1 && strcmp(o.fail.code, code) == 0, "%s", code))
		is_string(o.fail.message.data, message, code);
	release(&o);
}

/* spec/notes.md section 10 */
static void
test_vectors(void)
{
	struct edit two[2];
	struct edit one = edit("aa", "b");

	gives("aaa", &one, 1, false, "ba", 1, "aaa has aa once");
	two[0] = edit("x", "y");
	two[1] = edit("y", "z");
	gives("x", two, 2, false, "z", 2, "edits see what those before did");
	two[1] = edit("y", "x");
	gives("x", two, 2, false, "x", 2, "there and back");
	one = edit("x", "x");
	gives("x", &one, 1, false, "x", 0, "equal texts are not applied");
	one = edit("a", "$&");
	gives("a.a", &one, 1, true, "$&.$&", 1, "replace_all is one edit");
	one = edit("OLD", "$& $1 $$ $' \\\\1 %s &");
	gives("x OLD y", &one, 1, false, "x $& $1 $$ $' \\\\1 %s & y", 1,
	      "cases.md 15: the replacement is not a pattern");
	refuses("a\r\nb", edit("a\nb", "c"), false, "no_match",
		"edits[0].oldText does not occur in the text of the note; the "
		"note has CRLF line ends and oldText has LF only");
}

static void
test_matching(void)
{
	struct edit one = edit("a", "");

	gives("banana", &one, 1, true, "bnn", 1, "an empty replacement");
	one = edit("banana", "");
	gives("banana", &one, 1, false, "", 1, "the whole text");
	one = edit("aa", "a");
	gives("aaaaa", &one, 1, true, "aaa", 1, "no overlap, left to right");
	one = edit("x", "xx");
	gives("axa", &one, 1, true, "axxa", 1, "what was put in is not hit");
	gives("text", NULL, 0, false, "text", 0, "no edits");
	refuses("", edit("a", "b"), false, "no_match",
		"edits[0].oldText does not occur in the text of the note");
	refuses("b", edit("a", "b"), true, "no_match",
		"edits[0].oldText does not occur in the text of the note");
	refuses("a\r\nb", edit("c", "b"), false, "no_match",
		"edits[0].oldText does not occur in the text of the note");
	refuses("Caf\xc3\xa9", edit("Cafe\xcc\x81", "x"), false, "no_match",
		"edits[0].oldText does not occur in the text of the note");
	refuses("step 1\nstep 2\n", edit("step", "task"), false,
		"ambiguous_edit",
		"edits[0].oldText matches 2 times, at lines 1, 2; make it "
		"longer so that it matches once, or pass replace_all");
	refuses("a\na a\n", edit("a", "a"), false, "ambiguous_edit",
		"edits[0].oldText matches 3 times, at lines 1, 2, 2; make it "
		"longer so that it matches once, or pass replace_all");
	refuses("\n\n\n", edit("\n", ""), false, "ambiguous_edit",
		"edits[0].oldText matches 3 times, at lines 1, 2, 3; make it "
		"longer so that it matches once, or pass replace_all");
}

static void
test_many(void)
{
	struct buf text = BUF_INIT;
	struct edit one = edit("a", "bc");
	struct outcome o;
	int i;

	for (i = 0; i < 22; i++)
		buf_adds(&text, "a\n");
	refuses(text.data, one, false, "ambiguous_edit",
		"edits[0].oldText matches 22 times, at lines 1, 2, 3, 4, 5, 6, "
		"7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 and 2 "
		"more; make it longer so that it matches once, or pass "
		"replace_all");
	buf_truncate(&text, 40);
	refuses(text.data, one, false, "ambiguous_edit",
		"edits[0].oldText matches 20 times, at lines 1, 2, 3, 4, 5, 6, "
		"7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20; make it "
		"longer so that it matches once, or pass replace_all");

	o = apply(buf_str(&text), &one, 1, true, 60);
	ok(o.rc == 0 && o.out.len == 60, "a text of the legal size");
	release(&o);
	o = apply(buf_str(&text), &one, 1, true, 59);
	ok(o.rc == -1 && strcmp(o.fail.code, "too_large") == 0 &&
		   strstr(o.fail.message.data, "60 bytes") != NULL &&
		   strstr(o.fail.message.data, "59") != NULL,
	   "one that is larger: %s", o.fail.message.data);
	release(&o);
	buf_release(&text);
}

/* Far past what could be built: a megabyte for each of a million matches. */
static void
test_size_before_building(void)
{
	struct buf text = BUF_INIT, to = BUF_INIT;
	struct edit one = edit("a", "");
	struct outcome o;

	memset(buf_reserve(&text, MAX), 'a', MAX);
	text.len = MAX;
	memset(buf_reserve(&to, MAX), 'b', MAX);
	to.len = MAX;
	one.new_text = (struct arg_string){ to.data, to.len, true };
	o = apply(buf_str(&text), &one, 1, true, MAX);
	ok(o.rc == -1 && strcmp(o.fail.code, "too_large") == 0 &&
		   strstr(o.fail.message.data, "1000000000000 bytes") != NULL,
	   "%s", o.fail.message.data);
	release(&o);
	o = apply(buf_str(&text), &one, 1, false, MAX);
	ok(o.rc == -1 && strcmp(o.fail.code, "ambiguous_edit") == 0 &&
		   strstr(o.fail.message.data, "1, 1 and 999980 more;") != NULL,
	   "a million matches are counted");
	release(&o);
	buf_release(&text);
	buf_release(&to);
}

/* Against the slow and obvious way, over two letters. */
static void
slow(const char *text, const char *from, const char *to, struct buf *out)
{
	size_t n = strlen(from);

	while (*text != '\0') {
		if (strncmp(text, from, n) == 0) {
			buf_adds(out, to);
			text += n;
		} else {
			buf_addc(out, *text++);
		}
	}
}

static void
test_against_slow(void)
{
	uint64_t seed = 88172645463325252u;
	struct buf want = BUF_INIT;
	char text[3][33];
	struct outcome o;
	struct edit one;
	size_t i, j, n, bad = 0;

	for (i = 0; i < 5000; i++) {
		for (j = 0; j < 3; j++) {
			n = (size_t)(test_random(&seed) >> 40) %
			    (j == 0 ? 32 : 4);
			if (j == 1)
				n++;
			text[j][n] = '\0';
			while (n-- > 0)
				text[j][n] = (char)('a' + (test_random(&seed) >>
							   60) % 2);
		}
		one = edit(text[1], text[2]);
		buf_reset(&want);
		slow(text[0], text[1], text[2], &want);
		o = apply(str_of(text[0]), &one, 1, true, MAX);
		if (strstr(text[0], text[1]) == NULL
			    ? o.rc != -1
			    : !str_eq(buf_str(&o.out), buf_str(&want)))
			bad++;
		release(&o);
	}
	is_int((long long)bad, 0, "5,000 random edits are as by hand");
	buf_release(&want);
}

int
main(void)
{
	test_vectors();
	test_matching();
	test_many();
	test_size_before_building();
	test_against_slow();
	return done();
}

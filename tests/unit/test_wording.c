#include "test.h"

#include "lessons/wording.h"

/* The words of lessons: spec/lessons.md section 2.3. */
static void
test_space(void)
{
	struct str s;

	/* Both ends, all kinds; U+0085 and U+200B are none. */
	s = wording_trim(
		STR("\xef\xbb\xbf\xc2\xa0 a b\xe2\x80\xa8\t\xe3\x80\x80"));
	ok(str_is(s, "a b"), "trimmed of what is white space");
	s = wording_trim(STR("\xc2\x85x\xe2\x80\x8b"));
	ok(s.n == 6, "U+0085 and U+200B are not");
	ok(wording_trim(STR(" \t\n\v\f\r\xe1\x9a\x80\xe2\x80\x80\xe2\x80\xaf"
			    "\xe2\x81\x9f"))
			   .n == 0,
	   "nothing but white space");
	ok(wording_words(STR("  a\xe2\x80\x83"
			     "b\nc ")) == 3,
	   "three words");
	ok(wording_words(STR(" ")) == 0, "no word");
}

static void
test_units(void)
{
	ok(wording_units(STR("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80")) == 5,
	   "a character beyond U+FFFF counts two");
}

static void
test_id(void)
{
	int64_t id = 0;

	ok(wording_id(STR(" #9007199254740991 "), &id) &&
		   id == INT64_C(9007199254740991),
	   "the largest id");
	ok(!wording_id(STR("9007199254740992"), &id), "one more");
	ok(!wording_id(STR("99999999999999999999"), &id), "twenty digits");
	ok(!wording_id(STR("#"), &id) && !wording_id(STR(""), &id) &&
		   !wording_id(STR("1 2"), &id),
	   "no number");
}

static void
test_show(void)
{
	struct buf out = BUF_INIT;

	wording_show(&out, STR("a\x1b\xc2\x9b\xe2\x80\xae\xe2\x80\xa8\n"
			       "\xf3\xa0\x81\x81\t"));
	ok(str_is(buf_str(&out), "a\\u001b\\u009b\\u202e\\u2028\n"
				 "\\U000e0041\\u0009"),
	   "nothing acts on a terminal");
	buf_reset(&out);
	wording_collapse(&out, STR(" a\r\n\tb  "));
	ok(str_is(buf_str(&out), "a b"), "on one line");
	buf_release(&out);
}

static void
test_key(void)
{
	char a[WORDING_KEY_SIZE], b[WORDING_KEY_SIZE];

	wording_key(STR("A\xe2\x80\x83"
			"B"),
		    a);
	ok(strcmp(a, "fea4c5ce720c1d6a1cbc47c1607cc4ea172a69de8948e76d6791012"
		     "0597950fc") == 0,
	   "a key of the specification");
	/* Collapsed after NFKC: U+FDFA is a phrase with blanks. */
	wording_key(STR("\xef\xb7\xba"), a);
	wording_key(STR("\xd8\xb5\xd9\x84\xd9\x89 "
			"\xd8\xa7\xd9\x84\xd9\x84\xd9\x87 "
			"\xd8\xb9\xd9\x84\xd9\x8a\xd9\x87 "
			"\xd9\x88\xd8\xb3\xd9\x84\xd9\x85"),
		    b);
	ok(strcmp(a, b) == 0, "white space that NFKC makes is collapsed, too");
}

int
main(void)
{
	test_space();
	test_units();
	test_id();
	test_show();
	test_key();
	return done();
}

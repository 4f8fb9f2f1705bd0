/* Failures: what a message may hold, and how input is quoted in one. */
#include "tool/fail.h"

#include "base/utf8.h"

#include "test.h"

static void
quotes(const char *input, size_t n, const char *want, const char *name)
{
	struct buf out = BUF_INIT;

	fail_quote(&out, (struct str){ input, n });
	is_string(out.data, want, name);
	buf_release(&out);
}

static void
test_quote(void)
{
	struct buf longer = BUF_INIT, out = BUF_INIT;
	int i;

	quotes("a\"b\\c", 5, "\"a\\\"b\\\\c\"", "quotes and backslashes");
	quotes("a\nb\tc\rd", 7, "\"a\\nb\\tc\\rd\"", "short escapes");
	quotes("\0\x1b[2J\x7f", 6, "\"\\u0000\\u001b[2J\\u007f\"",
	       "control characters");
	quotes("\xc2\x9b", 2, "\"\\u009b\"", "C1");
	quotes("a\xff\xc3", 3, "\"a\xef\xbf\xbd\xef\xbf\xbd\"", "no UTF-8");
	for (i = 0; i < FAIL_QUOTE_CHARS; i++)
		buf_adds(&longer, "\xc3\xb6");
	fail_quote(&out, buf_str(&longer));
	is_int((long long)utf8_count(buf_str(&out)), FAIL_QUOTE_CHARS + 2,
	       "as long as may be");
	buf_adds(&longer, "x");
	buf_reset(&out);
	fail_quote(&out, buf_str(&longer));
	ok(str_ends(buf_str(&out), STR("\xc3\xb6\xe2\x80\xa6\"")),
	   "an ellipsis when cut");
	is_int((long long)utf8_count(buf_str(&out)), FAIL_QUOTE_CHARS + 3,
	       "after the characters that fit");
	buf_release(&longer);
	buf_release(&out);
}

static void
test_messages(void)
{
	struct fail fail = FAIL_INIT;
	struct buf longer = BUF_INIT;
	int i;

	is_int(fail_refuse(&fail, "not_found", "no %s", "note"), -1,
	       "to return directly");
	is_int(fail.kind, FAIL_REFUSED, "the kind is the exit status");
	is_string(fail.code, "not_found", "the code");
	is_string(fail.message.data, "no note", "the message");
	is_int((long long)fail.person.len, 0, "a person is told the same");
	fail_for_person(&fail, "--no %s \xff", "note");
	is_string(fail.person.data, "--no note \xef\xbf\xbd", "or in options");
	is_string(fail.message.data, "no note", "beside the message");
	fail_invalid(&fail, "bad \xff byte");
	is_int((long long)fail.person.len, 0, "which goes with its message");
	is_int(fail.kind, FAIL_INVALID, "the last one counts");
	is_string(fail.message.data, "bad \xef\xbf\xbd byte",
		  "what is not valid UTF-8 is replaced");
	for (i = 0; i < FAIL_MESSAGE_CHARS + 1; i++)
		buf_adds(&longer, "\xc3\xb6");
	fail_environment(&fail, "%s", longer.data);
	is_int((long long)utf8_count(buf_str(&fail.message)),
	       FAIL_MESSAGE_CHARS, "at most so many characters");
	ok(str_ends(buf_str(&fail.message), STR("\xc3\xb6\xe2\x80\xa6")),
	   "the last one tells of the cut");
	fail_release(&fail);
	is_int(fail.kind, FAIL_NONE, "released");
	buf_release(&longer);
}

int
main(void)
{
	test_quote();
	test_messages();
	return done();
}
